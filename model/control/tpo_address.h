/*
 * tpo_address: the place of a thread-privatisation object in its lane's L1 data cache, and the object that a
 * word of a thread's stack is (dual-mode §3.5, equations 1 and 2; §3.6, Fig. 7; machine.md §4).
 *
 * TPO(i, j, d) = TPM_i[(m · n_tpo + d) · N_it + v], with m = j / N_it and v = j mod N_it: the N_it words of
 * one (m, d), a vTPO, are adjacent and are read or written in one access of a cache line. The host
 * interleaves the lanes' arrays, so that all words of one vTPO of all lanes are adjacent and a warp
 * instruction is one vector loop; the words are the same.
 *
 * A stack's size is a power of two, and a core's segment of N_ct stacks has its top aligned to its size. So
 * an address consists of segment, thread field (~j for context j) and offset; the word at an offset has the
 * index ~offset, 0 at the top. A word whose index is below n_tpo − N_reg is object N_reg + index. (The
 * paper's "less than or equal" would turn one more word into the first register of the next warp.)
 */
#ifndef MODEL_CONTROL_TPO_ADDRESS_H
#define MODEL_CONTROL_TPO_ADDRESS_H

#include "generated/tpo_address_ports.h"

/* --- the equations --- */

/* Returns the word of a lane's TPM that holds object d of context j. rounds: N_it. */
static inline uint32_t tpo_address(uint32_t rounds, uint32_t n_tpo, uint32_t context, uint32_t object) {
    return (context / rounds * n_tpo + object) * rounds + context % rounds;
}

/* Returns the row of object 0 of a context's warp. */
static inline uint32_t tpo_base(uint32_t rounds, uint32_t n_tpo, uint32_t context) {
    return context / rounds * n_tpo;
}

/* Return the vTPO (row) and the round of a word of a lane's TPM. */
static inline uint32_t tpo_row(uint32_t rounds, uint32_t word) {
    return word / rounds;
}

static inline uint32_t tpo_round(uint32_t rounds, uint32_t word) {
    return word % rounds;
}

/* Returns the index of a stack's word that contains the byte at an address; the stack has stack_size
 * bytes. */
static inline uint32_t tpo_stack_index(uint32_t stack_size, uint32_t address) {
    return (~address & (stack_size - 1)) >> 2;
}

/* Returns the context that owns the stack at an address, of `contexts` in the segment. */
static inline uint32_t tpo_stack_context(uint32_t stack_size, uint32_t contexts, uint32_t address) {
    return ~address / stack_size & (contexts - 1);
}

/* Returns the number of words of a stack that are TPOs. */
static inline uint32_t tpo_stack_objects(uint32_t stack_size, uint32_t n_tpo, uint32_t n_reg) {
    return n_tpo - n_reg < stack_size / 4 ? n_tpo - n_reg : stack_size / 4;
}

/* Returns how many words of an access of `bytes` to a stack are TPOs, where the stack's first `held` words
 * are. They are the access's last words: *in_memory bytes come before them. */
static inline uint32_t tpo_stack_words(uint32_t stack_size, uint32_t held, uint32_t address, uint32_t bytes,
                                       uint32_t *in_memory) {
    const uint32_t first = tpo_stack_index(stack_size, address),
                   last = tpo_stack_index(stack_size, address + bytes - 1);
    *in_memory = last >= held ? bytes : first < held ? 0 : (first - held + 1) * 4 - (address & 3);
    return last >= held ? 0 : (first < held ? first + 1 : held) - last;
}

/* --- the block --- */

/* The equations as a block, for one access, or one register, of one lane's thread. A cluster with twins
 * evaluates it in every cycle for lane 0, with the access that starts in X, else with the first operand that
 * is being read. */
struct tpo_address {
    uint32_t more_registers;  /* registers beyond ARM_REGISTERS, which the Verilog has: 0, or 32 with Advanced
                                 SIMD */
    struct tpo_address_in in; /* the ports are described in rtl/tpo_address.sv */
    struct tpo_address_out out;
};
void tpo_address_eval(struct tpo_address *a); /* combinational: in → out */

#endif

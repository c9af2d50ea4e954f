/*
 * instruction_reuse_buffer: results of uniform instructions, for other warps that execute the same with the
 * same operands (Xiang et al. 2013 §3.2, §3.3; machine.md §9).
 *
 * Fully associative, true LRU. An entry matches an instruction with equal tag (bits of its PC, word address,
 * from the lowest: instruction_reuse_buffer_tag()) and opcode. Equal opcodes must mean equal functions of the
 * operands, since a partial PC aliases: the opcode tells apart the operation, the kind of shift and whether
 * flags are set. Immediates and amounts of shifts are sources. Flags are a source of instructions that read
 * them: ADC, RRX, a shift by a register, and instructions that keep some of NZCV (logical operations keep C
 * or V). FPSCR's modes are a source of VFP operations. Inputs that an instruction does not read are 0. The
 * buffer does not hold loads, stores, co-processor instructions, 64-bit results, instructions with more than
 * three sources, or instructions that read or write Q, GE or FPSCR's cumulative flags.
 *
 * Look-up (`in.lookup*`), when operands are read: if a matching entry has equal operands, this is a hit, and
 * the instruction takes the entry's result. A matching entry with other operands is a miss (`out.operands`):
 * the instruction executes and then replaces the entry. Insertion (`in.insert*`), when a result is ready:
 * into the matching entry, else into an invalid one, else into the least recently used (`out.evicted`). Hits
 * and insertions count as uses.
 *
 * Every entry has a parity bit over all its bits but the rank. A matching entry with bad parity is reported
 * (`out.parity`) and becomes invalid. A wrong rank only changes which entry is replaced.
 *
 * In a cycle without look-up and insertion nothing changes, and the buffer need not be evaluated. The look-up
 * of a cycle comes before the insertion and does not see it; both may be set before one evaluation.
 *
 * Bits of an entry: the paper's 149 are 10 of tag, 96 of sources, 32 of result, 3 of rank, 8 of opcode; 8
 * entries are 1,192. The ARM version has 13 of opcode (9 for the row of the decode table, 3 for the kind of
 * shift, 1 for setting flags), 9 of flags and modes read, 4 of flags written, valid and parity: 20 more, 169;
 * 8 entries are 1,352 (+13 %).
 */
#ifndef MODEL_CONTROL_INSTRUCTION_REUSE_BUFFER_H
#define MODEL_CONTROL_INSTRUCTION_REUSE_BUFFER_H

#include "generated/instruction_reuse_buffer_ports.h"
#include "model/config/limits.h"

#define INSTRUCTION_REUSE_BUFFER_OPCODE_BITS 13 /* width of a machine's opcodes */

/* --- parameters, ports and flip-flops --- */

struct instruction_reuse_buffer {
    struct {
        unsigned entries;     /* 1–256; the paper's 8 */
        unsigned tag_bits;    /* 1–30; the paper's 10 */
        unsigned opcode_bits; /* 1–16 */
    } cfg;
    struct instruction_reuse_buffer_in in; /* ports and flip-flops: rtl/instruction_reuse_buffer.sv */
    struct instruction_reuse_buffer_out out;
    struct instruction_reuse_buffer_state q; /* points to the arrays below */
    struct {
        int hit;          /* entry that hits; −1: none */
        int into;         /* entry that the insertion is written to; −1: none */
        unsigned invalid; /* number of entries found with bad parity, and the entries: */
        uint16_t bad[2 * INSTRUCTION_REUSE_BUFFER_MAX_ENTRIES];
    } d;
    bool valid[INSTRUCTION_REUSE_BUFFER_MAX_ENTRIES], parity[INSTRUCTION_REUSE_BUFFER_MAX_ENTRIES];
    uint32_t tag[INSTRUCTION_REUSE_BUFFER_MAX_ENTRIES], opcode[INSTRUCTION_REUSE_BUFFER_MAX_ENTRIES];
    uint32_t source[3 * INSTRUCTION_REUSE_BUFFER_MAX_ENTRIES]; /* sources of entry e: 3 · e … 3 · e + 2 */
    uint32_t flags[INSTRUCTION_REUSE_BUFFER_MAX_ENTRIES];
    uint32_t result[INSTRUCTION_REUSE_BUFFER_MAX_ENTRIES], result_flags[INSTRUCTION_REUSE_BUFFER_MAX_ENTRIES];
    uint32_t rank[INSTRUCTION_REUSE_BUFFER_MAX_ENTRIES]; /* 0: most recently used */
};

/* --- functions --- */

/* Initialises in place: the structure points to itself and must not be copied. */
void instruction_reuse_buffer_init(struct instruction_reuse_buffer *b, unsigned entries, unsigned tag_bits,
                                   unsigned opcode_bits);
void instruction_reuse_buffer_reset(struct instruction_reuse_buffer *b); /* flip-flops and ports */
void instruction_reuse_buffer_eval(struct instruction_reuse_buffer *b);  /* in, q → out, d */
void instruction_reuse_buffer_clock(
    struct instruction_reuse_buffer *b); /* d → q: the edge; inputs are 0 again */

static inline uint32_t instruction_reuse_buffer_tag(const struct instruction_reuse_buffer *b, uint32_t pc) {
    return pc >> 2 & ((1u << b->cfg.tag_bits) - 1);
}

/* Flips one bit of an entry, as a particle does. Bits are numbered in the order of the parity bit: valid,
 * parity, tag, opcode, three sources, flags, result, its flags; there are instruction_reuse_buffer_bits(). */
unsigned instruction_reuse_buffer_bits(const struct instruction_reuse_buffer *b);
void instruction_reuse_buffer_flip(struct instruction_reuse_buffer *b, unsigned entry, unsigned bit);

#endif

/*
 * token_file: the registers of each warp that hold one value in all its threads (Xiang et al. 2013 §3.1.1;
 * machine.md §9).
 *
 * Each register of each warp has a token. Registers are bits of a mask, as in struct arm_instruction: the
 * rows of a thread, then three states of each thread: NZCV, FPSCR's flags, FPSCR's modes.
 *
 * Reading (`in.read_*`), for the instruction in decode: it is uniform (`out.uniform`) if every source has its
 * token, all live threads take part and, if it has a condition, the flags have their token. If only some
 * threads take part or the flags have no token, the destination rows that have their token (`out.copies`)
 * must first be copied to all threads, sources or not: the other threads would lose the value (copy on
 * write). No copy is made if the condition fails for all threads.
 *
 * Writing (`in.write_*`), for an instruction that writes its results: the destinations get their tokens if
 * all live threads are written and the instruction was uniform. If it was not uniform, but a load from one
 * address, the registers that it loaded get their tokens (`in.write_broadcast`). All other destinations lose
 * theirs. With destinations 0 nothing is written.
 *
 * When a work-group begins, r0, the argument pointer, and the states of its warps get their tokens
 * (`in.start_warps`; coprocessor.md); all other tokens of these warps are cleared. Exits of threads clear no
 * token: a token concerns live threads only.
 *
 * In a cycle without a write or a start nothing changes, and the block need not be evaluated. The reading of
 * a cycle comes before the writing: inputs of both may be set, in any order, before one evaluation. Inputs of
 * an unused part may be 0.
 */
#ifndef MODEL_CONTROL_TOKEN_FILE_H
#define MODEL_CONTROL_TOKEN_FILE_H

#include "generated/token_file_ports.h"
#include "model/config/arm_classes.h"
#include "model/control/warp_set.h"

#define TOKEN_STATES    3 /* the last bits of a mask; the first of them is NZCV */
#define TOKEN_REGISTERS (ARM_REGISTERS + TOKEN_STATES) /* registers of a machine */

/* --- parameters, ports and flip-flops --- */

struct token_file {
    struct {
        unsigned warps;     /* 1–128 */
        unsigned registers; /* 4–64 */
    } cfg;
    struct token_file_in in; /* ports and flip-flops are described in rtl/token_file.sv */
    struct token_file_out out;
    struct token_file_state q; /* points to `token` */
    struct {
        uint64_t written; /* new tokens of in.write_warp */
    } d;
    uint64_t token[TDT_MAX_WARPS];
};

/* --- functions --- */

/* Returns the rows with one value that must be copied to all threads before an instruction writes its
 * destinations for some threads. `tokens`: the rows with one value, then the states above them; `nzcv`:
 * NZCV's bit. */
static inline uint64_t token_copies(uint64_t tokens, uint64_t nzcv, uint64_t destinations, bool full,
                                    bool conditional, bool fails) {
    const bool flags_known = !conditional || tokens & nzcv;
    const bool nothing = conditional && flags_known && fails;
    return (full && flags_known) || nothing ? 0 : destinations & tokens & (nzcv - 1);
}

/* Initialises in place: the structure points to itself and must not be copied. */
void token_file_init(struct token_file *f, unsigned warps, unsigned registers);
void token_file_reset(struct token_file *f); /* flip-flops and ports */
void token_file_eval(struct token_file *f);  /* in, q → out, d */
void token_file_read(struct token_file *f);  /* the reading only, which without a twin needs no edge */
void token_file_clock(struct token_file *f); /* d → q: the edge; inputs are 0 again */

#endif

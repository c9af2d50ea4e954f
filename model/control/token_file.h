/*
 * token_file: which registers of a warp hold one value in all its threads (Xiang et al. 2013 §3.1.1;
 * machine.md §9).
 *
 * A token for each register of each warp. Registers are bits of a mask, as in struct arm_instruction: the
 * rows of a thread, then three states that each thread has: NZCV, FPSCR's flags, FPSCR's modes.
 *
 * Reading (`in.read_*`), for the instruction that is decoded: it is uniform (`out.uniform`) if every source
 * has its token, all live threads take part and, if it has a condition, the flags have their token. If only
 * some take part or the flags have none, the destination rows that have their token (`out.copies`) must be
 * copied to all threads first, sources or not: the others would lose the value (copy on write). Not if its
 * condition fails for all.
 *
 * Writing (`in.write_*`), for an instruction that writes its results: its destinations get their tokens if
 * all live threads are written and it was uniform; if it was not, but all got the same value (a load from one
 * address), those that it loaded get theirs (`in.write_broadcast`); all other destinations lose them.
 * Destinations 0: nothing is written.
 *
 * When a work-group begins r0, the argument pointer, and the states of its warps have their tokens
 * (`in.start_warps`; coprocessor.md), and nothing else of these warps has.
 * Threads that exit take nothing away: a token speaks of those that live.
 *
 * In a cycle in which nothing is written and no work-group begins nothing changes, and it need not be
 * evaluated. In one cycle the reading is before the writing: inputs of both may be set, in any order, before
 * one evaluation. The part of a cycle that one evaluation is used for alone may be left 0.
 */
#ifndef MODEL_CONTROL_TOKEN_FILE_H
#define MODEL_CONTROL_TOKEN_FILE_H

#include "generated/token_file_ports.h"
#include "model/config/arm_classes.h"
#include "model/control/warp_set.h"

#define TOKEN_STATES    3 /* the last bits of a mask; the first of them is NZCV */
#define TOKEN_REGISTERS (ARM_REGISTERS + TOKEN_STATES) /* of a machine */

/* --- parameters, ports and flip-flops --- */

struct token_file {
    struct {
        unsigned warps;     /* 1–128 */
        unsigned registers; /* 4–64 */
    } cfg;
    struct token_file_in in; /* ports and flip-flops are described in rtl/token_file.sv */
    struct token_file_out out;
    struct token_file_state q; /* of `token` */
    struct {
        uint64_t written; /* tokens of in.write_warp */
    } d;
    uint64_t token[TDT_MAX_WARPS];
};

/* --- functions --- */

/* Returns the rows with one value that must be copied to all threads before an instruction writes its
 * destinations for some threads. `tokens`: the rows with one value, states above them; `nzcv`: NZCV's bit. */
static inline uint64_t token_copies(uint64_t tokens, uint64_t nzcv, uint64_t destinations, bool full,
                                    bool conditional, bool fails) {
    const bool flags_known = !conditional || tokens & nzcv;
    const bool nothing = conditional && flags_known && fails;
    return (full && flags_known) || nothing ? 0 : destinations & tokens & (nzcv - 1);
}

/* In place: it points to itself and must not be copied. */
void token_file_init(struct token_file *f, unsigned warps, unsigned registers);
void token_file_reset(struct token_file *f); /* flip-flops and ports */
void token_file_eval(struct token_file *f);  /* in, q → out, d */
void token_file_read(struct token_file *f);  /* of this, what reads: without a twin reading needs no edge */
void token_file_clock(struct token_file *f); /* d → q: the edge; inputs are 0 again */

#endif

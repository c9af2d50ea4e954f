/*
 * writeback_arbiter: the end of the SIMT pipeline (timing.md §W, §C): the instructions whose results are
 * written to the TPM in a cycle, in the order of landing, and the instructions that commit.
 *
 * A unit follows this block with --exact-steps and with twins. Otherwise it computes these cycles itself
 * (model/slots/contexts/tpm.c), and so does the fast pipeline (model/fast/commit.c), with equal cycle numbers
 * and counters.
 *
 * Known inaccuracy: the block has neither the words that are written nor the lines of a result.
 */
#ifndef MODEL_CONTROL_WRITEBACK_ARBITER_H
#define MODEL_CONTROL_WRITEBACK_ARBITER_H

#include "generated/writeback_arbiter_ports.h"
#include "model/control/warp_set.h"

/* --- parameters, ports and flip-flops --- */

/* Contents of the flip-flops, by warp; 0 for a warp with no landed instruction. */
struct writeback_arbiter_values {
    warp_set landed, there;
    uint32_t lines[TDT_MAX_WARPS], scalars[TDT_MAX_WARPS];
    warp_set older[TDT_MAX_WARPS];
};

struct writeback_arbiter {
    struct {
        unsigned warps, write_ports; /* 1–128, 1–16 */
    } cfg;
    struct writeback_arbiter_in in; /* ports and flip-flops are described in rtl/writeback_arbiter.sv */
    struct writeback_arbiter_out out;
    struct writeback_arbiter_state q; /* points to `now` */
    struct writeback_arbiter_values now, d;
};

/* --- functions --- */

/* Initialises in place, with nothing landed: the structure points to itself and must not be copied. */
void writeback_arbiter_init(struct writeback_arbiter *a, unsigned warps, unsigned write_ports);
void writeback_arbiter_eval(struct writeback_arbiter *a);  /* in, q → out, d */
void writeback_arbiter_clock(struct writeback_arbiter *a); /* d → q: the edge */

#endif

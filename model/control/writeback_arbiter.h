/*
 * writeback_arbiter: the end of the SIMT pipeline (timing.md §W, §C): whose results are written to the TPM
 * in a cycle, the instruction that landed first before all others, and whose instructions commit.
 *
 * A path computes ahead what this gives cycle by cycle (model/pipeline/commit.c); where it is clocked, with
 * --exact-steps or beside twins, it does what this says, and every cycle number and counter is the same.
 *
 * Known inaccuracy: the words that are written are not here, nor is which line of a result is.
 */
#ifndef MODEL_CONTROL_WRITEBACK_ARBITER_H
#define MODEL_CONTROL_WRITEBACK_ARBITER_H

#include "generated/writeback_arbiter_ports.h"
#include "model/control/warp_set.h"

/* --- parameters, ports and flip-flops --- */

/* What the flip-flops hold, by warp; of one that has none landed 0. */
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
    struct writeback_arbiter_state q; /* of `now` */
    struct writeback_arbiter_values now, d;
};

/* --- functions --- */

/* In place, nothing has landed: it points to itself and must not be copied. */
void writeback_arbiter_init(struct writeback_arbiter *a, unsigned warps, unsigned write_ports);
void writeback_arbiter_eval(struct writeback_arbiter *a);  /* in, q → out, d */
void writeback_arbiter_clock(struct writeback_arbiter *a); /* d → q: the edge */

#endif

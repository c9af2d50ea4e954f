/*
 * scoreboard: which registers of which warp an instruction in flight has still to write, and which warps'
 * next instructions need not wait for that (gpu-like.md §3): they may read and write only what is not
 * pending (RAW, WAW), and write only what no older instruction of the warp has still to read (WAR).
 *
 * A scheduler of an SM has one for its warps. What issues is known to it in the next cycle, what is released
 * in the same. With --exact-steps and beside twins the SM takes its decisions from it; else from the same
 * masks of its warps, when they change.
 *
 * Known inaccuracies: that a temporal lane chains an instruction to its producer, that an exit waits for all
 * of its warp and DMB for its loads and stores, and the second instruction that a scheduler issues in one
 * cycle (simt.issue_width 2) are no matter for it.
 */
#ifndef MODEL_CONTROL_SCOREBOARD_H
#define MODEL_CONTROL_SCOREBOARD_H

#include "generated/scoreboard_ports.h"
#include "model/control/warp_set.h"

/* --- parameters, ports and flip-flops --- */

struct scoreboard {
    struct {
        unsigned warps, registers; /* 1–128, 1–64 */
    } cfg;
    struct scoreboard_in in; /* ports and flip-flops: rtl/scoreboard.sv */
    struct scoreboard_out out;
    struct scoreboard_state q; /* of `pending` */
    struct {
        uint64_t pending[TDT_MAX_WARPS];
    } d;
    uint64_t pending[TDT_MAX_WARPS];
    /* The caller's, for the arrays of `in`. */
    uint64_t release[TDT_MAX_WARPS], unread[TDT_MAX_WARPS];
    uint64_t needs[TDT_MAX_WARPS], destinations[TDT_MAX_WARPS];
};

/* --- functions --- */

/* In place, nothing is pending: it points to itself and must not be copied. */
void scoreboard_init(struct scoreboard *s, unsigned warps, unsigned registers);
void scoreboard_eval(struct scoreboard *s);  /* in, q → out, d */
void scoreboard_clock(struct scoreboard *s); /* d → q: the edge; nothing is issued or released again */

#endif

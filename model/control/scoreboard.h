/*
 * scoreboard: the registers that instructions in flight of each warp have still to write, and the warps whose
 * next instructions have no hazard (gpu-like.md §3): they may read and write only registers that are not
 * pending (RAW, WAW), and write only registers that no older instruction of the warp has still to read (WAR).
 *
 * A scheduler of an SM has one for its warps. An issue counts from the next cycle on, a release in the same
 * cycle. With --exact-steps and with twins, the SM decides by this block; else by equal masks of its warps,
 * whenever they change.
 *
 * Known inaccuracies: the block does not model the chaining of a temporal lane's instruction to its producer,
 * the wait of an exit for its whole warp, the wait of DMB for loads and stores, and the second instruction
 * that a scheduler issues in a cycle (simt.issue_width 2).
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
    struct scoreboard_state q; /* points to `pending` */
    struct {
        uint64_t pending[TDT_MAX_WARPS];
    } d;
    uint64_t pending[TDT_MAX_WARPS];
    /* Storage of the caller, for the arrays of `in`. */
    uint64_t release[TDT_MAX_WARPS], unread[TDT_MAX_WARPS];
    uint64_t needs[TDT_MAX_WARPS], destinations[TDT_MAX_WARPS];
};

/* --- functions --- */

/* Initialises in place, with nothing pending: the structure points to itself and must not be copied. */
void scoreboard_init(struct scoreboard *s, unsigned warps, unsigned registers);
void scoreboard_eval(struct scoreboard *s);  /* in, q → out, d */
void scoreboard_clock(struct scoreboard *s); /* d → q: the edge; clears issues and releases */

#endif

/*
 * warp_scheduler: picks the warp whose instruction is fetched next (dual-mode §3.3; timing.md, S).
 *
 * Loose round robin: the first ready-to-run warp after the one picked last. A warp is ready-to-run when at
 * least one of its threads is Ready, none is in Execution, and it is not already in the front end. At most
 * one pick a cycle, when `take_i` says that the front end can take a warp.
 */
#ifndef MODEL_WARP_SCHEDULER_H
#define MODEL_WARP_SCHEDULER_H

#include "generated/warp_scheduler_ports.h"

struct warp_scheduler {
    struct {
        unsigned warps; /* 1–64 */
    } cfg;
    struct warp_scheduler_in in; /* ports and flip-flops are described in rtl/warp_scheduler.sv */
    struct warp_scheduler_out out;
    struct warp_scheduler_state q, d;
};

void warp_scheduler_init(struct warp_scheduler *s, unsigned warps);
void warp_scheduler_eval(struct warp_scheduler *s);  /* in, q → out, d */
void warp_scheduler_clock(struct warp_scheduler *s); /* d → q: the edge */

#endif

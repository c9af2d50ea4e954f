/*
 * min_pc_arbiter: the smallest PC among Ready threads (dual-mode §4.1). A rival in the slot warp_pc_arbiter,
 * whose model does the rest. What its tree of comparators takes in time is simt.arbitrate_cycles.
 */
#ifndef MODEL_CONTROL_MIN_PC_ARBITER_H
#define MODEL_CONTROL_MIN_PC_ARBITER_H

#include "model/control/warp_pc_arbiter.h"

/* The threads of which the lowest-numbered gives the PC; some are Ready. */
uint64_t min_pc_arbiter_candidates(const struct warp_pc_arbiter *a);

#endif

/*
 * min_pc_arbiter: the smallest PC among Ready threads (dual-mode §4.1). An alternative in the slot
 * warp_pc_arbiter, whose model does the rest. The delay of its tree of comparators is simt.arbitrate_cycles.
 */
#ifndef MODEL_CONTROL_MIN_PC_ARBITER_H
#define MODEL_CONTROL_MIN_PC_ARBITER_H

#include "model/control/warp_pc_arbiter.h"

/* Returns the candidates: the lowest-numbered one gives the warp PC. At least one thread must be Ready. */
uint64_t min_pc_arbiter_candidates(const struct warp_pc_arbiter *a);

#endif

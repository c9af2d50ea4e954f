/*
 * first_ready_arbiter: the PC of the lowest-numbered Ready thread, without divergence optimisation. An
 * alternative in the slot warp_pc_arbiter, whose model does the rest.
 */
#ifndef MODEL_CONTROL_FIRST_READY_ARBITER_H
#define MODEL_CONTROL_FIRST_READY_ARBITER_H

#include "model/control/warp_pc_arbiter.h"

/* Returns the candidates: the lowest-numbered one gives the warp PC. At least one thread must be Ready. */
uint64_t first_ready_arbiter_candidates(const struct warp_pc_arbiter *a);

#endif

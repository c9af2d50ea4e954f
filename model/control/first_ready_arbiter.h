/*
 * first_ready_arbiter: the PC of the lowest-numbered Ready thread: no divergence optimisation. A rival in the
 * slot warp_pc_arbiter, whose model does the rest.
 */
#ifndef MODEL_CONTROL_FIRST_READY_ARBITER_H
#define MODEL_CONTROL_FIRST_READY_ARBITER_H

#include "model/control/warp_pc_arbiter.h"

/* The threads of which the lowest-numbered gives the PC; some are Ready. */
uint64_t first_ready_arbiter_candidates(const struct warp_pc_arbiter *a);

#endif

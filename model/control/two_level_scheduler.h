/*
 * two_level_scheduler: round robin among a few active warps; the others are pending. An alternative in the
 * slot warp_scheduler, whose header says more.
 */
#ifndef MODEL_CONTROL_TWO_LEVEL_SCHEDULER_H
#define MODEL_CONTROL_TWO_LEVEL_SCHEDULER_H

#include "model/control/warp_scheduler.h"

void two_level_scheduler_eval(struct warp_scheduler *s); /* in, q → out, d */

#endif

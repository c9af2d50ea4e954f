/*
 * two_level_scheduler: in turn among a few active warps, the others pending: a rival in the slot
 * warp_scheduler, whose header says more.
 */
#ifndef MODEL_CONTROL_TWO_LEVEL_SCHEDULER_H
#define MODEL_CONTROL_TWO_LEVEL_SCHEDULER_H

#include "model/control/warp_scheduler.h"

void two_level_scheduler_eval(struct warp_scheduler *s); /* in, q → out, d */

#endif

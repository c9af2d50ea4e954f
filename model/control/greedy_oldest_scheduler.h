/*
 * greedy_oldest_scheduler: the warp picked last while it is ready-to-run, else the oldest ready-to-run warp.
 * An alternative in the slot warp_scheduler, whose header says more.
 */
#ifndef MODEL_CONTROL_GREEDY_OLDEST_SCHEDULER_H
#define MODEL_CONTROL_GREEDY_OLDEST_SCHEDULER_H

#include "model/control/warp_scheduler.h"

void greedy_oldest_scheduler_eval(struct warp_scheduler *s); /* in, q → out, d */

#endif

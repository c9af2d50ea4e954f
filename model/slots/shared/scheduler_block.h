/*
 * scheduler_block: asks the block warp_scheduler, whatever its policy, as a unit without ports does it.
 */
#ifndef MODEL_SLOTS_SHARED_SCHEDULER_BLOCK_H
#define MODEL_SLOTS_SHARED_SCHEDULER_BLOCK_H

#include "model/unit/services.h"

/* Steps a cycle of the block. *next is at most the next cycle, if the block then decides otherwise. */
static inline int scheduler_block_pick(struct unit *u, warp_set ready, bool take, uint64_t t,
                                       uint64_t *next) {
    struct warp_scheduler *s = &u->blocks->scheduler;
    s->in = (struct warp_scheduler_in){.ready = ready, .stalled = u->stalled, .take = take};
    if (warp_scheduler_step(s)) earlier(next, t + 1);
    return s->out.valid ? (int)s->out.warp : UNIT_NONE;
}

#endif

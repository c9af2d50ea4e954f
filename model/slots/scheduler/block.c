/* The block warp_scheduler with any policy, stepped by a unit without ports. */
#include "model/unit/services.h"

/* Steps a cycle of the block. *next becomes at most the next cycle, if the block may decide differently
 * then. */
static int block_pick(struct unit *u, warp_set ready, bool take, uint64_t t, uint64_t *next) {
    struct warp_scheduler *s = &u->blocks->scheduler;
    s->in = (struct warp_scheduler_in){.ready = ready, .stalled = u->stalled, .take = take};
    if (warp_scheduler_step(s)) earlier(next, t + 1);
    return s->out.valid ? (int)s->out.warp : UNIT_NONE;
}

const struct scheduler_slot scheduler_block = {.pick = block_pick};
const struct scheduler_slot scheduler_block_moves = {.pick = block_pick, .looks = true};

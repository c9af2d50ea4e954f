/* The divergence engine selects warps itself, by a rule of its own. */
#include "model/unit/services.h"

static int engine_pick(struct unit *u, warp_set ready, bool take, uint64_t t, uint64_t *next) {
    (void)ready, (void)next;
    return take && u->free < u->flights ? SLOTS(u)->divergence->pick(u, t) : UNIT_NONE;
}

const struct scheduler_slot scheduler_engine = {.pick = engine_pick};

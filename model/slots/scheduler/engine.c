/* The divergence engine selects warps itself, by a rule of its own. */
#include "model/unit/regrouped_parts.h"
#include "model/unit/services.h"

static int engine_pick(struct unit *u, warp_set ready, bool take, uint64_t t, uint64_t *next) {
    (void)ready, (void)next;
    if (!take || u->free >= u->flights) return UNIT_NONE;
    for (unsigned n = 0; SLOTS(u)->divergence->commits && n < u->landing_count; ++n) {
        struct unit_flight *f = &u->flight[u->landing[n]];
        if (u->landing_due[n] <= t && unit_is_written(f)) unit_written_regrouped(u, f, t);
    }
    return SLOTS(u)->divergence->pick(u, true, t);
}

const struct scheduler_slot scheduler_engine = {.pick = engine_pick};

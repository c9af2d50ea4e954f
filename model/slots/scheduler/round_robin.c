/* Selects the first ready warp after the one selected last. */
#include "model/unit/services.h"

UNIT_STAGE int round_robin_pick(struct unit *u, warp_set ready, bool take, uint64_t t, uint64_t *next) {
    (void)t, (void)next;
    struct warp_scheduler_state *q = &u->blocks->scheduler.q.round_robin;
    if (!take || !unit_any(ready)) return UNIT_NONE;
    if (UNIT_GENERAL) return (int)(q->last = warp_set_first(warp_scheduler_first_after(ready, q->last)));
    const uint64_t few = (uint64_t)ready, after = few & ~((UINT64_C(2) << q->last) - 1);
    return (int)(q->last = (unsigned)__builtin_ctzll(after ? after : few));
}

UNIT_ROW const struct scheduler_slot scheduler_round_robin = {.pick = round_robin_pick};

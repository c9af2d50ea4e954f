/* A cycle of any unit, through its rows. */
#include "model/unit/cycle.h"
#include "model/unit/services.h"

/* Ends the cycle of an engine that forms warps. */
static uint64_t end_formed(struct unit *u, uint64_t t) {
    const struct divergence_slot *d = SLOTS(u)->divergence;
    d->end(u, t);
    if (d->commits) u->ready = d->moves(u, true);
    return unit_wake_front(u, d->moves(u, false) ? t + 1 : UNIT_NEVER, t);
}

uint64_t unit_step(struct unit *u, uint64_t t) {
    struct cluster *c = u->cluster;
    uint64_t next = u->committed + c->livelock_cycles;
    if (__builtin_expect(c->fault != NULL, 0)) earlier(&next, simt_fault_step(&c->simt, t));
    UNIT_BARREL_FIRST(UNIT_CALL_DUE, UNIT_CALL_ALWAYS)
    if (unit_is_uniform(u)) unit_uniform_step(u, t);
    UNIT_BARREL_COMMIT(UNIT_CALL_DUE)
    if (SLOTS(u)->divergence->commits) SLOTS(u)->divergence->commits(u, t);
    UNIT_BARREL_LAST(UNIT_CALL_DUE)
    if (SLOTS(u)->divergence->end) earlier(&next, end_formed(u, t));
    if (unit_is_uniform(u) && cluster_uniform_due(c)) return t + 1;
    return next > t ? next : t + 1;
}

/* A warp's instruction is executed in rounds. Each round has as many threads as there are lanes. */
#include "model/unit/services.h"

static inline void start(struct unit *u, uint64_t t) {
    const unsigned number = u->order[u->started % UNIT_RING];
    struct unit_flight *f = unit_take_collected(u, t);
    if (!f) return;
    if (unit_accesses_memory(f)) {
        SLOTS(u)->home->begin(u, number, t);
        return;
    }
    if (unit_is_uniform(u)) unit_uniform_execute(u, f);
    const unsigned occupancy = unit_occupancy(u, f);
    u->x_last = f->last = t + (uint64_t)(f->rounds - 1) * occupancy;
    u->x_free = u->x_last + occupancy;
    simt_charge_rounds(&u->cluster->simt, f->pc, f->rounds, occupancy);
    unit_land(u, number, u->x_last + unit_latency(u, f) - 1);
}

UNIT_STAGE uint64_t spatial_execute(struct unit *u, uint64_t t) {
    if (u->x_flight == UNIT_NONE) {
        const uint64_t due = unit_x_due(u);
        if (t < due) return due;
        start(u, t);
        if (u->x_flight == UNIT_NONE) return unit_x_due(u);
    } else if (t < u->x_next) {
        return u->x_next;
    }
    SLOTS(u)->home->access(u, &u->flight[u->x_flight], t);
    const uint64_t next = unit_x_due(u);
    return next < u->held.next ? next : u->held.next;
}

UNIT_ROW const struct lanes_slot lanes_spatial = {.execute = spatial_execute};

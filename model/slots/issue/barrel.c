/* A warp issues its next instruction after the previous one has committed. */
#include "model/unit/services.h"

UNIT_STAGE void barrel_take(struct unit *u, struct unit_flight *f) {
    const struct warp_wait *w = &u->wait[f->warp];
    f->since = w->since;
    f->cause = (uint8_t)w->cause;
    f->wait_pc = w->pc;
    unit_add(&u->front_end, f->warp);
    unit_remove(&u->ready, f->warp);
}

UNIT_STAGE void barrel_arbitrated(struct unit *u, struct unit_flight *f, uint64_t t) {
    unit_remove(&u->front_end, f->warp);
    if (UNIT_GENERAL && SLOTS(u)->mitigation->second && u->cluster->descriptors.warp[f->warp].ready)
        SLOTS(u)->issue->release(u, f->warp, t + 1, MACHINE_CAUSE_FRONT_END, f->pc);
}

/* Returns whether a flight of the warp is a load or store in D or a later stage. */
static bool waits_for_memory(const struct unit *u, unsigned warp) {
    for (uint32_t n = u->started; n != u->decoded; ++n) {
        const struct unit_flight *f = unit_nth(u, n);
        if (f->warp == warp && f->i && (f->i->is_load || f->i->is_store)) return true;
    }
    if (u->x_flight != UNIT_NONE && u->flight[u->x_flight].warp == warp &&
        (u->flight[u->x_flight].i->is_load || u->flight[u->x_flight].i->is_store))
        return true;
    for (unsigned n = 0; n < u->landing_count; ++n) {
        const struct unit_flight *f = &u->flight[u->landing[n]];
        if (f->warp == warp && (f->i->is_load || f->i->is_store)) return true;
    }
    return false;
}

/* Updates whether a warp is stalled: from D of a load or store to its commit, and while none of its threads
 * can run. */
static inline void note_stalled(struct unit *u, unsigned warp) {
    const struct warp_descriptors *w = &u->cluster->descriptors.warp[warp];
    const bool second = SLOTS(u)->mitigation->second && waits_for_memory(u, warp);
    if ((unit_runs(u, warp) | w->execution) && !second)
        unit_remove(&u->stalled, warp);
    else
        unit_add(&u->stalled, warp);
}

UNIT_STAGE void barrel_release(struct unit *u, unsigned warp, uint64_t since, enum machine_cause cause,
                               uint32_t pc) {
    const struct warp_descriptors *w = &u->cluster->descriptors.warp[warp];
    if (UNIT_GENERAL) note_stalled(u, warp);
    const bool second = UNIT_GENERAL && SLOTS(u)->mitigation->second;
    if (!(UNIT_GENERAL ? unit_runs(u, warp) : w->ready) || unit_has(u->front_end, warp) ||
        (w->execution && !(second && SLOTS(u)->mitigation->second(u, warp)))) {
        unit_remove(&u->ready, warp);
        return;
    }
    if (!unit_has(u->ready, warp)) u->wait[warp] = (struct warp_wait){since, cause, pc};
    unit_add(&u->ready, warp);
}

UNIT_ROW const struct issue_slot issue_barrel = {
    .take = barrel_take, .arbitrated = barrel_arbitrated, .release = barrel_release};

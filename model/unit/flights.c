/* Flights between S and D: parts of stages that several rows share. */
#include "model/unit/front.h"

UNIT_SERVICE void unit_begin_flights(struct unit *u) {
    u->selected = u->arbitrated = u->left = u->decoded = u->collecting = u->started = 0;
    u->fetch_waits = false;
    u->ready = u->front_end = u->stalled = u->flying = u->copying = 0;
    u->queue_entries = u->simt->config->simt.queue_entries;
    u->collectors = u->simt->config->simt.collectors;
    u->arbitrate_cycles = u->simt->config->simt.arbitrate_cycles;
    for (unsigned n = 0; n < u->flights; ++n) {
        u->flight[n].next = (uint16_t)(n + 1);
        u->flight[n].s = u->flight[n].x = u->flight[n].o = UNIT_NEVER;
    }
    u->free = 0;
}

UNIT_SERVICE void unit_select(struct unit *u, unsigned warp, uint64_t t) {
    const unsigned number = u->free;
    struct unit_flight *f = &u->flight[number];
    u->free = f->next;
    u->order[u->selected++ % UNIT_RING] = (uint8_t)number;
    f->warp = (uint16_t)warp;
    f->number = (uint8_t)warp;
    f->s = t;
    if (UNIT_GENERAL && SLOTS(u)->mitigation->second) {
        if (warp_set_has(u->flying, warp)) f->number = (uint8_t)(warp + u->simt->warps);
        warp_set_add(&u->flying, f->number);
    }
    SLOTS(u)->issue->take(u, f);
}

UNIT_SERVICE void unit_leave_arbitrate(struct unit *u, struct unit_flight *a, uint64_t t) {
    SLOTS(u)->divergence->next(u, a, t);
    ++u->arbitrated;
    SLOTS(u)->issue->arbitrated(u, a, t);
    if (!UNIT_GENERAL || !u->mixed || !SLOTS(u)->mitigation->mixed->begin(u, a, t + 1))
        SLOTS(u)->home->fetch(u, a, t + 1);
}

UNIT_SERVICE void unit_decode(struct unit *u, uint64_t t) {
    struct unit_flight *d = nth(u, u->decoded);
    if (unit_is_uniform(u) && d->i) unit_uniform_decode(u, d);
    if (u->queue_occupancy) {
        /* a flight that O takes in this cycle may have been in the queue in the cycle after F */
        const bool taken = d->left + 1 < t && nth(u, u->collecting - 1)->o == t;
        histogram_count(u->queue_occupancy, u->decoded + 1 - u->collecting + taken);
    }
    ++u->decoded;
    if (!UNIT_GENERAL || u->regrouped) return;
    if (unit_is_mixed(u, d) ? SLOTS(u)->mitigation->mixed->stalls(u, d)
                            : d->i && (d->i->is_load || d->i->is_store))
        warp_set_add(&u->stalled, d->warp);
}

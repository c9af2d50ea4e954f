/* Flights between S and X: parts of stages that several rows share. */
#include "model/unit/services.h"

UNIT_SERVICE void unit_select(struct unit *u, unsigned warp, uint64_t t) {
    const unsigned number = u->free;
    struct unit_flight *f = &u->flight[number];
    u->free = f->next;
    u->order[u->selected++ % UNIT_RING] = (uint8_t)number;
    f->warp = (uint16_t)warp;
    f->number = (uint8_t)warp;
    f->s = t;
    if (UNIT_GENERAL && SLOTS(u)->mitigation->second) {
        if (warp_set_has(u->flying, warp)) f->number = (uint8_t)(warp + u->cluster->warps);
        warp_set_add(&u->flying, f->number);
    }
    SLOTS(u)->issue->take(u, f);
}

/* Returns whether the threads of a flight that A hands over have several PCs. */
static __attribute__((unused)) bool has_several_pcs(const struct unit *u, const struct unit_flight *a) {
    const uint32_t *pc = u->cluster->descriptors.warp[a->warp].pc;
    for (uint64_t rest = a->participating; rest; rest &= rest - 1)
        if (pc[__builtin_ctzll(rest)] != a->pc) return true;
    return false;
}

UNIT_SERVICE void unit_leave_arbitrate(struct unit *u, struct unit_flight *a, uint64_t t) {
    SLOTS(u)->divergence->next(u, a, t);
    ++u->arbitrated;
    unit_remove(&u->front_end, a->warp);
    if (UNIT_GENERAL && SLOTS(u)->mitigation->second && u->cluster->descriptors.warp[a->warp].ready)
        SLOTS(u)->issue->release(u, a->warp, t + 1, MACHINE_CAUSE_FRONT_END, a->pc);
    if (UNIT_GENERAL && u->mixed && has_several_pcs(u, a))
        SLOTS(u)->mitigation->mixed->begin(u, a, t + 1);
    else
        SLOTS(u)->home->fetch(u, a, t + 1);
}

UNIT_SERVICE void unit_decode(struct unit *u, uint64_t t) {
    struct unit_flight *d = nth(u, u->decoded);
    if (unit_is_uniform(u) && d->i) unit_uniform_decode(u, d);
    /* a flight that O takes in this cycle may have been in the queue in the cycle after F */
    const bool taken = d->left + 1 < t && nth(u, u->collecting - 1)->o == t;
    histogram_count(&u->cluster->queue_occupancy, u->decoded + 1 - u->collecting + taken);
    ++u->decoded;
    if (!UNIT_GENERAL) return;
    if (unit_is_mixed(u, d) ? SLOTS(u)->mitigation->mixed->stalls(u, d)
                            : d->i && (d->i->is_load || d->i->is_store))
        warp_set_add(&u->stalled, d->warp);
}

UNIT_SERVICE struct unit_flight *unit_start_collection(struct unit *u, uint64_t t) {
    struct cluster *c = u->cluster;
    struct unit_flight *f = nth(u, u->collecting++);
    f->o = u->o_since = t;
    u->o_lines = f->read_lines;
    if (f->reads) {
        c->tpm_wait[CLUSTER_TPM_WAIT_OPERANDS] += f->reads - 1u;
        c->tpm_wait[CLUSTER_TPM_WAIT_LATENCY] += f->collects - f->network - f->reads;
    }
    f->collected = t + f->collects - 1;
    u->o_free = f->collected + 1;
    return f;
}

UNIT_SERVICE struct unit_flight *unit_take_collected(struct unit *u, uint64_t t) {
    const unsigned number = u->order[u->started % UNIT_RING];
    struct unit_flight *f = &u->flight[number];
    if (u->x_free < t) SLOTS(u)->home->charge(u, f, t);
    ++u->started;
    u->o_next = 0;
    f->x = t;
    u->shown = (int)number;
    if (!unit_execute(u, f, t)) return NULL;
    if (unit_fault(u) && !unit_is_uniform(u)) unit_watch_fault(u, f, fault_executed);
    return f;
}

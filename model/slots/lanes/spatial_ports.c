/* spatial with decisions by the block subwarp_dispatcher: the next round and beat, and the cycle in which the
 * lanes are free. */
#include "model/unit/services.h"

/* Offers the oldest collected instruction to the dispatcher. Its rounds and beats are known after its
 * execution. */
static void offer(struct unit *u, uint64_t t) {
    struct subwarp_dispatcher_in *in = &u->blocks->dispatcher.in;
    *in = (struct subwarp_dispatcher_in){.rounds = u->cluster->rounds, .beats = 1, .occupancy = 1};
    if (u->started == u->collecting) return;
    const struct unit_flight *f = nth(u, u->started);
    in->valid = f->collected < t && (!u->mixed || t >= u->x_free);
    if (!in->valid) return;
    in->warp = f->warp;
    if (f->i) in->occupancy = unit_occupancy(u, f);
}

/* Executes the offered instruction, which the dispatcher takes. Returns false if it fails. */
static bool take_offered(struct unit *u, uint64_t t) {
    struct subwarp_dispatcher_in *in = &u->blocks->dispatcher.in;
    const unsigned number = u->order[u->started % UNIT_RING];
    struct unit_flight *f = unit_take_collected(u, t);
    if (!f) return false;
    if (unit_accesses_memory(f)) {
        in->beats = f->i->access_count;
        SLOTS(u)->home->begin(u, number, t);
        in->rounds = f->rounds;
        return true;
    }
    if (unit_is_uniform(u)) unit_uniform_execute(u, f);
    in->rounds = f->rounds;
    in->occupancy = unit_occupancy(u, f);
    u->x_flight = (int)number;
    u->x_last = u->x_free = UNIT_NEVER;
    u->x_next = t + (uint64_t)in->rounds * in->occupancy;
    simt_charge_rounds(&u->cluster->simt, f->pc, f->rounds, in->occupancy);
    return true;
}

/* Returns whether the lanes finish the beat that is made in cycle t. */
static bool finish_beat(struct unit *u, uint64_t t) {
    const struct subwarp_dispatcher_out *out = &u->blocks->dispatcher.out;
    if (u->x_flight == UNIT_NONE) return true;
    struct unit_flight *f = &u->flight[u->x_flight];
    if (!unit_accesses_memory(f)) return true;
    if (t < u->x_next) return false;
    const unsigned rounds = u->cluster->rounds, v = out->context % rounds, first = rounds - f->rounds;
    u->x_round = v < first ? 0 : v - first;
    u->x_beat = out->beat;
    return SLOTS(u)->home->access(u, f, t);
}

static void tell_landed(struct unit *u, const struct unit_flight *f) {
    struct writeback_arbiter_in *in = &u->blocks->writeback.in;
    in->land = true;
    in->warp = f->number;
    in->lines = f->writes_left;
    in->scalars = f->scalar_writes_left;
}

/* Ends the beat of cycle t after the dispatcher's evaluation. The lanes stall while the dispatcher makes no
 * beat although it could. */
static void end_beat(struct unit *u, uint64_t t) {
    const struct subwarp_dispatcher *d = &u->blocks->dispatcher;
    const unsigned number = (unsigned)u->x_flight;
    struct unit_flight *f = &u->flight[number];
    if (t >= u->x_next) {
        simt_charge(&u->cluster->simt, MACHINE_CAUSE_OCCUPIED, f->pc, 1);
        u->x_next = t + 1;
    }
    if (!d->out.valid || d->in.hold || !d->out.last) return;
    if (unit_accesses_memory(f)) {
        SLOTS(u)->home->end(u, f, t);
    } else {
        u->x_free = u->x_next;
        u->x_flight = UNIT_NONE;
        u->x_last = f->last = t;
        unit_land(u, number, t + unit_latency(u, f) - 1);
    }
    tell_landed(u, f);
}

static uint64_t spatial_ports_execute(struct unit *u, uint64_t t) {
    struct subwarp_dispatcher *d = &u->blocks->dispatcher;
    const struct mixed_slot *mixed = u->slots->mitigation->mixed;
    if (u->mixed_flights && mixed->lanes(u, t))
        d->in = (struct subwarp_dispatcher_in){.rounds = u->cluster->rounds, .beats = 1, .occupancy = 1};
    else
        offer(u, t);
    subwarp_dispatcher_eval(d);
    if (d->out.first && d->in.valid && u->x_flight == UNIT_NONE && !take_offered(u, t)) return t + 1;
    const bool own = u->x_flight != UNIT_NONE && !unit_is_mixed(u, &u->flight[u->x_flight]);
    d->in.hold = d->out.valid && own && !finish_beat(u, t);
    subwarp_dispatcher_eval(d);
    unit_run_twin(u, CLUSTER_BLOCK_DISPATCHER, t);
    if (own) end_beat(u, t);
    subwarp_dispatcher_clock(d);
    return t + 1;
}

const struct lanes_slot lanes_spatial_ports = {.execute = spatial_ports_execute};

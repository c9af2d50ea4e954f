#include "tests/reckoning/base_lanes.h"

#include "tests/reckoning/base_alternate.h"

#include <string.h>

/* --- the rounds of a flight --- */

unsigned base_position(const struct base_shadow *h, unsigned lane, unsigned round) {
    const unsigned lanes = h->c->lanes, rounds = h->c->config->simt.warp_size / lanes;
    unsigned turn = 0;
    switch (h->c->config->simt.lane_map) {
    case LANE_MAP_BLOCK: return lane * rounds + round;
    case LANE_MAP_CYCLIC: return round * lanes + lane;
    default:
        for (unsigned rest = round; lanes > 1 && rest; rest /= lanes) turn ^= rest % lanes;
        return round * lanes + (lane ^ turn);
    }
}

static uint64_t positions_of_round(const struct base_shadow *h, unsigned round) {
    uint64_t all = 0;
    for (unsigned lane = 0; lane < h->c->lanes; ++lane) all |= UINT64_C(1) << base_position(h, lane, round);
    return all;
}

static uint64_t positions_of_lane(const struct base_shadow *h, unsigned lane) {
    uint64_t all = 0;
    for (unsigned round = 0; round < h->c->rounds; ++round)
        all |= UINT64_C(1) << base_position(h, lane, round);
    return all;
}

/* Returns the thread of a lane in the n-th round of a flight; NOBODY if the lane has none. */
static int executes(const struct base_shadow *h, const struct flown *f, unsigned lane, unsigned n) {
    const enum mitigation m = h->c->config->simt.mitigation;
    if (f->uniform.form == UNIFORM_SCALAR) return lane == 0 ? __builtin_ctzll(f->execution->passed) : NOBODY;
    if (m == MITIGATION_SLP) {
        uint64_t own = f->participating & positions_of_lane(h, lane);
        for (; n && own; --n) own &= own - 1;
        return own ? __builtin_ctzll(own) : NOBODY;
    }
    if (m != MITIGATION_SKIP) return (int)base_position(h, lane, n);
    for (unsigned round = 0; round < h->c->rounds; ++round)
        if (f->participating & positions_of_round(h, round) && n-- == 0)
            return (int)base_position(h, lane, round);
    return NOBODY;
}

/* Returns the number of rounds of a flight in X. */
static unsigned rounds_of(const struct base_shadow *h, const struct flown *f) {
    const struct machine_config *m = h->c->config;
    unsigned count = 0;
    if (f->uniform.form == UNIFORM_SCALAR || f->uniform.form == UNIFORM_REUSED) return 1;
    if (m->simt.mitigation == MITIGATION_SLP && m->simt.slp == SLP_ANY && f->i && !base_accesses(f))
        return ((unsigned)__builtin_popcountll(f->participating) + h->c->lanes - 1) / h->c->lanes;
    if (m->simt.mitigation == MITIGATION_SLP) {
        for (unsigned lane = 0; lane < h->c->lanes; ++lane) {
            const unsigned own =
                (unsigned)__builtin_popcountll(f->participating & positions_of_lane(h, lane));
            count = own > count ? own : count;
        }
        return count;
    }
    if (m->simt.mitigation != MITIGATION_SKIP) return h->c->rounds;
    for (unsigned round = 0; round < h->c->rounds; ++round)
        count += (f->participating & positions_of_round(h, round)) != 0;
    return count;
}

static unsigned occupancy_of(const struct base_shadow *h, const struct flown *f) {
    return f->uniform.form == UNIFORM_REUSED ? 1 : h->c->config->core.occupancy_cycles[f->i->class];
}

/* Returns the cycles for which the network of simt.slp any moves operands, or results, between lanes. */
static unsigned network_of(const struct base_shadow *h, const struct flown *f, bool used) {
    const struct machine_config *m = h->c->config;
    const bool any = m->simt.mitigation == MITIGATION_SLP && m->simt.slp == SLP_ANY;
    return any && used && !base_accesses(f) ? m->simt.network_cycles : 0;
}

/* Returns the cycles for a broadcast of scalars to the lanes; 0 for an instruction of lane 0 alone, or
 * without scalars. */
static unsigned broadcast_of(const struct base_shadow *h, const struct flown *f) {
    const bool vector = f->uniform.form != UNIFORM_SCALAR && f->uniform.form != UNIFORM_REUSED;
    const bool reads = h->c->uniform.on && vector && f->i && f->i->sources & f->uniform.tokens;
    return reads ? h->c->config->uniform.broadcast_cycles : 0;
}

/* --- X --- */

/* Returns the number of words of an access that are objects in the lane's TPM. */
static unsigned words_in_tpm(const struct base_shadow *h, const struct flown *f, unsigned k, uint32_t address,
                             unsigned bytes) {
    const struct arm_threads *t = &h->c->threads[f->warp];
    unsigned words = 0;
    if (!(f->execution->in_stack >> k & 1)) return 0;
    for (uint32_t a = address & ~3u; a < address + bytes; a += 4)
        words += (t->stack_size - 1 - (a & (t->stack_size - 1))) / 4 < t->stack_objects;
    return words;
}

/* Returns, for a beat that starts, the largest number of words that a lane accesses in its TPM; *memory:
 * whether a lane accesses memory. */
static unsigned words_of_beat(const struct base_shadow *h, const struct flown *f, unsigned round,
                              unsigned beat, bool *memory) {
    const unsigned bytes = f->i->access_bytes / f->i->access_count;
    unsigned most = 0;
    *memory = false;
    for (unsigned lane = 0; lane < h->c->lanes; ++lane) {
        const int k = executes(h, f, lane, round);
        if (k == NOBODY || !(f->execution->passed >> k & 1)) continue;
        const uint32_t address = f->execution->address[k] + beat * bytes;
        const unsigned words = words_in_tpm(h, f, (unsigned)k, address, bytes);
        most = words > most ? words : most;
        *memory |= 4 * words < (address & 3) + bytes;
    }
    return most;
}

static unsigned ports_for(const struct base_shadow *h, const struct flown *f) {
    const struct machine_config *m = h->c->config;
    if (f->i->is_load) return m->tpm.read_ports;
    const unsigned written = h->c->blocks.writeback.out.ports;
    return m->tpm.write_ports - (written < m->tpm.write_ports ? written : m->tpm.write_ports);
}

/* Steps the present beat of a load or store. Returns whether the lanes hold it. Holds for a cache are taken
 * from the block's inputs (`said`). */
static bool holds_beat(struct base_shadow *h, const struct flown *f, bool said) {
    const struct subwarp_dispatcher_out *out = &h->c->blocks.dispatcher.out;
    const unsigned rounds = h->c->rounds, v = out->context % rounds, first = rounds - f->rounds;
    bool memory;
    if (!h->begun) {
        const unsigned words = words_of_beat(h, f, v < first ? 0 : v - first, out->beat, &memory),
                       ports = ports_for(h, f);
        if (memory && said && (!words || !h->c->unit->x_words)) return true; /* refused, or without a port */
        if (words && !ports) return true;
        h->begun = true;
        h->words = words;
    }
    const unsigned ports = ports_for(h, f), now = h->words < ports ? h->words : ports;
    if (f->i->is_load) h->reads = now;
    h->words -= now;
    h->begun = h->words != 0;
    return h->words != 0;
}

/* Results of a flight are written in this cycle. */
static void write_results(struct base_shadow *h, unsigned n, uint64_t to) {
    const struct flown *f = base_flight(h, (int)n);
    const bool full = f->execution->passed == base_live(&h->warp[f->warp]) && f->uniform.form != UNIFORM_COPY;
    if (h->c->uniform.on && to)
        uniform_told_write(&h->told, f->i, f->warp, to, full, h->flying[n].uniform, f->execution);
}

/* Ends a beat of a load or store. In the last round of a load, each beat loads one register, and the last
 * beat loads the rest. A store writes its base register in its last beat. */
static void write_beat(struct base_shadow *h, const struct subwarp_dispatcher_out *out) {
    const struct flown *f = base_flight(h, h->x);
    struct flying *x = &h->flying[h->x];
    const bool last = out->beat + 1u >= f->i->access_count;
    if (out->context % h->c->rounds != h->c->rounds - 1) return;
    if (!f->i->is_load) {
        if (last) write_results(h, (unsigned)h->x, uniform_told_results(f->i));
        return;
    }
    uint64_t to = last ? x->loads : x->loads & uniform_told_loads(f->i);
    if (!last) to &= -to;
    x->loads &= ~to;
    write_results(h, (unsigned)h->x, to);
}

/* Lets the dispatcher take the oldest collected instruction. */
static void take(struct base_shadow *h) {
    h->x = h->collected.flight[0];
    --h->collected.count;
    memmove(h->collected.flight, h->collected.flight + 1, h->collected.count * sizeof h->collected.flight[0]);
    h->taken = h->x;
    const struct flown *f = base_flight(h, h->x);
    if (!f->i) return;
    const uint64_t base = f->i->is_load && f->i->write_back ? UINT64_C(1) << f->i->rn : 0;
    h->flying[h->x].loads = f->i->is_load ? uniform_told_loads(f->i) | base : 0;
    if (f->execution->passed && !base_accesses(f))
        write_results(h, (unsigned)h->x, uniform_told_results(f->i));
}

static void land(struct base_shadow *h, uint64_t t) {
    const struct flown *f = base_flight(h, h->x);
    struct flying *x = &h->flying[h->x];
    const bool memory = base_accesses(f) && f->execution->passed;
    const unsigned network = network_of(h, f, f->execution->passed && f->i->destinations);
    const unsigned latency =
        f->uniform.form == UNIFORM_REUSED ? 1 : h->c->config->core.latency_cycles[f->i->class] + network;
    x->landed = true;
    x->result = memory ? NEVER : t + latency - 1;
    h->lands = true;
    h->landing = (unsigned)h->x;
    h->x_free = t + occupancy_of(h, f);
    h->x = NOBODY;
}

/* X has a mixed flight, or takes one next, without the dispatcher. */
static void take_mixed(struct base_shadow *h, bool valid, uint64_t t) {
    const struct unit *u = h->c->unit;
    const struct subwarp_dispatcher_in *in = &h->c->blocks.dispatcher.in;
    SAME(h, "dispatcher: valid", t, in->valid, false);
    SAME(h, "dispatcher: rounds", t, in->rounds, h->c->rounds);
    SAME(h, "dispatcher: beats", t, in->beats, 1);
    SAME(h, "dispatcher: occupancy", t, in->occupancy, 1);
    SAME(h, "dispatcher: hold", t, in->hold, false);
    if (h->x == NOBODY && valid) {
        h->x = h->taken = h->collected.flight[0];
        --h->collected.count;
        memmove(h->collected.flight, h->collected.flight + 1,
                h->collected.count * sizeof h->collected.flight[0]);
    }
    if (h->x != NOBODY && u->read_port.cycle == t) h->reads = u->read_port.taken;
}

void base_dispatcher(struct base_shadow *h, uint64_t t) {
    const struct subwarp_dispatcher_in *in = &h->c->blocks.dispatcher.in;
    const struct subwarp_dispatcher_out *out = &h->c->blocks.dispatcher.out;
    const int next = h->collected.count ? h->collected.flight[0] : NOBODY;
    const bool alternates = h->c->config->simt.mitigation == MITIGATION_ALT;
    const bool free = h->x == NOBODY && t >= h->x_free;
    const bool valid = next != NOBODY && h->flying[next].collected < t && (free || !alternates);
    const struct flown *f = valid ? base_flight(h, next) : NULL;
    h->taken = NOBODY;
    h->ends = h->lands = false;
    h->told = (struct uniform_told){.to = 0};
    h->reads = 0;
    if (base_is_mixed(h, h->x == NOBODY ? next : h->x)) {
        take_mixed(h, valid, t);
        return;
    }
    SAME(h, "dispatcher: valid", t, in->valid, valid);
    if (valid) SAME(h, "dispatcher: warp", t, in->warp, f->warp);
    const bool takes = valid && h->x == NOBODY && out->first;
    unsigned rounds = h->c->rounds, beats = 1;
    if (takes) {
        take(h);
        if (!f->i) return;
        rounds = rounds_of(h, f);
        if (base_accesses(f) && f->execution->passed) beats = f->i->access_count;
    }
    SAME(h, "dispatcher: rounds", t, in->rounds, rounds);
    SAME(h, "dispatcher: beats", t, in->beats, beats);
    if (!valid || f->i) SAME(h, "dispatcher: occupancy", t, in->occupancy, valid ? occupancy_of(h, f) : 1);
    if (h->x == NOBODY) {
        SAME(h, "dispatcher: hold", t, in->hold, false);
        return;
    }
    const struct flown *x = base_flight(h, h->x);
    const bool memory = base_accesses(x) && x->execution->passed;
    SAME(h, "dispatcher: hold", t, in->hold, out->valid && memory && holds_beat(h, x, in->hold));
    h->ends = out->valid && !in->hold && out->last;
    if (out->valid && !in->hold && memory) write_beat(h, out);
}

/* --- O --- */

static void start_collection(struct base_shadow *h) {
    const int next = h->queue.flight[0];
    --h->queue.count;
    memmove(h->queue.flight, h->queue.flight + 1, h->queue.count * sizeof h->queue.flight[0]);
    h->collected.flight[h->collected.count++] = next;
    h->flying[next].collected = h->o_free = NEVER;
    if (base_is_mixed(h, next)) {
        h->gathering = next;
        h->o_round = h->o_phase = 0;
        h->o_begun = false;
    } else {
        h->o = next;
    }
}

void base_collector(struct base_shadow *h, uint64_t t) {
    const struct operand_collector_in *in = &h->c->blocks.collector.in;
    const struct operand_collector_out *out = &h->c->blocks.collector.out;
    const bool valid = h->queue.count && t >= h->o_free;
    const struct flown *f = valid ? base_flight(h, h->queue.flight[0]) : NULL;
    const bool elsewhere = h->c->config->uniform.storage == UNIFORM_SRF;
    const bool mixed = valid && base_is_mixed(h, h->queue.flight[0]);
    const uint64_t sources = f && f->i && !mixed ? f->i->sources : 0;
    const uint64_t scalars = h->c->uniform.on && f ? sources & f->uniform.tokens : 0;
    SAME(h, "collector: valid", t, in->valid, valid);
    if (valid) SAME(h, "collector: warp", t, in->warp, f->warp);
    SAME(h, "collector: sources", t, in->sources, elsewhere ? sources & ~scalars : sources);
    SAME(h, "collector: scalars", t, in->scalars, elsewhere ? 0 : scalars);
    SAME(h, "collector: take", t, in->take, h->taken != NOBODY);
    SAME(h, "collector: hold", t, in->hold, h->x != NOBODY);
    SAME(h, "collector: taken", t, in->taken, h->reads);
    h->collects = out->start;
    h->o_ends = out->done;
    h->asks = out->start && h->queue.count ? h->queue.flight[0] : NOBODY;
    if (h->ends) land(h, t);
    if (base_is_mixed(h, h->x) && base_mixed(h, h->x)->started) {
        h->x_free = base_mixed(h, h->x)->x_until;
        h->x = NOBODY;
    }
    if (out->start && h->queue.count) start_collection(h);
    base_mixed_operands(h, t);
}

/* Ends a collection. Afterwards, scalars and operands of other lanes move to the lanes. */
void base_end_collection(struct base_shadow *h, uint64_t t) {
    if (!h->o_ends || h->o == NOBODY) return;
    const struct flown *f = base_flight(h, h->o);
    h->flying[h->o].collected = t + network_of(h, f, f->i && f->i->sources) + broadcast_of(h, f);
    h->o_free = h->flying[h->o].collected + 1;
    h->o = NOBODY;
}

/* --- tpo_address, of lane 0 --- */

void base_address(struct base_shadow *h, uint64_t t) {
    const struct cluster *c = h->c;
    const struct tpo_address_in *in = &c->address.in;
    const struct subwarp_dispatcher_out *out = &c->blocks.dispatcher.out;
    const struct operand_collector_out *o = &c->blocks.collector.out;
    const bool access = h->done != t;
    uint32_t context = in->context;
    SAME(h, "address: base", t, in->base, in->context / c->rounds * in->n_tpo);
    SAME(h, "address: n_tpo", t, in->n_tpo, c->n_tpo);
    if (access) {
        const int x = h->x != NOBODY ? h->x : h->collected.count ? h->collected.flight[0] : NOBODY;
        if (x == NOBODY) {
            SAME(h, "address: instruction in X", t, true, false);
            return;
        }
        const struct flown *f = base_flight(h, x);
        const unsigned v = out->context % c->rounds, first = c->rounds - f->rounds,
                       n = v < first ? 0 : v - first;
        const unsigned bytes = f->i->access_bytes / f->i->access_count;
        const int k = executes(h, f, 0, n);
        const bool is = k != NOBODY && f->execution->passed >> k & 1;
        unsigned round = n;
        for (unsigned r = 0; is && r < c->rounds; ++r)
            if (positions_of_round(h, r) >> k & 1) round = r;
        SAME(h, "address: access", t, in->access, is);
        SAME(h, "address: bytes", t, in->bytes, bytes);
        SAME(h, "address: object", t, in->object, f->i->rd);
        if (is) SAME(h, "address: address", t, in->address, f->execution->address[k] + out->beat * bytes);
        if (is) context = f->warp * c->rounds + round;
    } else {
        SAME(h, "address: access", t, in->access, false);
        if (o->objects) {
            SAME(h, "address: object", t, in->object, (unsigned)__builtin_ctzll(o->objects));
            context = o->warp * c->rounds;
        }
    }
    SAME(h, "address: context", t, in->context, context);
}

/*
 * A shadow of a cluster in SIMT mode: a pipeline of its own, as timing.md has it, which moves by what the
 * blocks say (whom the scheduler picks, which PC the arbiter takes, when the dispatcher, the collector and
 * the write-back arbiter go on), and by what comes from elsewhere: when an instruction is fetched, which
 * threads pass their condition and where they jump, when memory answers, what is uniform. All else is
 * reckoned: the inputs of each block, and the states of all threads.
 *
 * In a cycle blocks come in the order of step_clocked(): address (if an access starts), dispatcher,
 * collector, scheduler, arbiter, write-back, barriers, address (else), co-processor, descriptors.
 */
#include "tests/reckoning/base_machine.h"

#include "model/arm/coprocessor.h"
#include "model/cluster/cluster.h"
#include "tests/reckoning/place.h"
#include "tests/reckoning/uniform_told.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NEVER     UINT64_MAX
#define NOBODY    (-1)
#define QUEUE_MAX (MACHINE_MAX_QUEUE + MACHINE_MAX_COLLECTORS + 4)

/* An instruction from S to C. */
struct flying {
    bool used, landed, stalls;
    unsigned warp;
    uint64_t s, participating, collected, result;
    uint32_t pc;
    bool uniform;             /* found in D; */
    uint64_t loads;           /* registers that it has still to load; */
    struct reuse_told reuses; /* asked for in O and not found: its result is for others */
};

struct queue {
    int flight[QUEUE_MAX]; /* the oldest first */
    unsigned count;
};

struct threads {
    uint64_t ready, execution, barrier;
    uint32_t pc[TDT_MAX_WARP_SIZE], barrier_pc[TDT_MAX_WARP_SIZE];
    uint8_t level[TDT_MAX_WARP_SIZE];
};

struct base_shadow {
    struct cluster *c;
    struct reckoning_place place;
    bool simt;     /* the last cycle was in SIMT mode */
    uint64_t done; /* the last cycle whose front end has been reckoned */
    struct threads warp[TDT_MAX_WARPS];
    struct flying flying[2 * TDT_MAX_WARPS];
    int a, f, d, x; /* what they hold */
    struct queue queue, collected;
    int o;            /* O has it; it is the last of `collected`, too */
    uint64_t o_free;  /* first cycle in which O can start another */
    bool o_ends;      /* in this cycle: the last operand is there; */
    int taken;        /* X takes this one; */
    bool ends, lands; /* the last round of one starts */
    unsigned landing; /* which */
    unsigned words;   /* in the TPM that the beat at hand has still to access */
    bool begun;       /* the beat at hand has */
    unsigned reads;   /* of the TPM, by loads in this cycle */
    bool a_leaves, f_leaves, collects, fetched, decodes_memory;
    int handed_over; /* by A in this cycle */
    bool releases;
    warp_set commits;
    unsigned arrive, leave;
    uint32_t arrive_pc;
    unsigned live;
    bool opened;                     /* a barrier, in the last cycle */
    uint64_t started[TDT_MAX_WARPS]; /* contexts that the cores have started */
    struct uniform_told told;        /* of this cycle */
    struct reuse_told lookup, insert;
    int decoded, asks; /* flights in D, in the first cycle of O */
    int released;      /* a warp whose last thread has ended in the last cycle */
};

struct base_reckoning {
    unsigned count;
    struct base_shadow shadow[];
};

#define SAME(h, input, t, said, reckoned) reckon(&(h)->place, input, t, said, reckoned)

/* --- what is known of the machine --- */

static struct flight *flight_of(const struct base_shadow *h, int number) {
    return &h->c->path.flight[number];
}

static unsigned flights(const struct base_shadow *h) {
    const unsigned each = h->c->config->simt.mitigation == MITIGATION_DPE ? 2 : 1;
    return each * h->c->warps;
}

static uint64_t live_of(const struct threads *w) {
    return w->ready | w->execution | w->barrier;
}

static bool accesses(const struct flight *f) {
    return f->i && (f->i->is_load || f->i->is_store);
}

static enum coprocessor_operation operation_of(const struct arm_instruction *i) {
    return i->is_coprocessor ? coprocessor_decode(i).operation : COPROCESSOR_UNDEFINED;
}

static unsigned priority_of(const struct base_shadow *h, unsigned level) {
    const unsigned levels = h->c->config->simt.priority_levels;
    return level < levels ? level : levels - 1;
}

/* The position that a lane executes in a round (machine.md §1; divergence.md §4). */
static unsigned position_of(const struct base_shadow *h, unsigned lane, unsigned round) {
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
    for (unsigned lane = 0; lane < h->c->lanes; ++lane) all |= UINT64_C(1) << position_of(h, lane, round);
    return all;
}

static uint64_t positions_of_lane(const struct base_shadow *h, unsigned lane) {
    uint64_t all = 0;
    for (unsigned round = 0; round < h->c->rounds; ++round) all |= UINT64_C(1) << position_of(h, lane, round);
    return all;
}

/* The thread of a lane in the n-th round of a flight; NOBODY: the lane has none then. */
static int executes(const struct base_shadow *h, const struct flight *f, unsigned lane, unsigned n) {
    const enum mitigation m = h->c->config->simt.mitigation;
    if (f->uniform.form == UNIFORM_SCALAR) return lane == 0 ? __builtin_ctzll(f->execution.passed) : NOBODY;
    if (m == MITIGATION_SLP) {
        uint64_t own = f->participating & positions_of_lane(h, lane);
        for (; n && own; --n) own &= own - 1;
        return own ? __builtin_ctzll(own) : NOBODY;
    }
    if (m != MITIGATION_SKIP) return (int)position_of(h, lane, n);
    for (unsigned round = 0; round < h->c->rounds; ++round)
        if (f->participating & positions_of_round(h, round) && n-- == 0)
            return (int)position_of(h, lane, round);
    return NOBODY;
}

/* Rounds that a flight takes in X. */
static unsigned rounds_of(const struct base_shadow *h, const struct flight *f) {
    const struct machine_config *m = h->c->config;
    unsigned count = 0;
    if (f->uniform.form == UNIFORM_SCALAR || f->uniform.form == UNIFORM_REUSED) return 1;
    if (m->simt.mitigation == MITIGATION_SLP && m->simt.slp == SLP_ANY && f->i && !accesses(f))
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

static unsigned occupancy_of(const struct base_shadow *h, const struct flight *f) {
    return f->uniform.form == UNIFORM_REUSED ? 1 : h->c->config->core.occupancy_cycles[f->i->class];
}

/* The network of simt.slp any brings operands, or results, to the lanes of other threads. */
static unsigned network_of(const struct base_shadow *h, const struct flight *f, bool used) {
    const struct machine_config *m = h->c->config;
    const bool any = m->simt.mitigation == MITIGATION_SLP && m->simt.slp == SLP_ANY;
    return any && used && !accesses(f) ? m->simt.network_cycles : 0;
}

static unsigned lines_of_vtpo(const struct base_shadow *h) {
    const unsigned bytes = h->c->config->simt.warp_size / h->c->lanes * 4,
                   line = h->c->config->l1d.line_bytes;
    return (bytes + line - 1) / line;
}

/* --- a work-group begins --- */

static void begin(struct base_shadow *h, uint64_t t) {
    const struct machine_launch *l = h->c->launch;
    unsigned left = l->local_size[0] * l->local_size[1] * l->local_size[2];
    memset(h->warp, 0, sizeof h->warp);
    memset(h->flying, 0, sizeof h->flying);
    h->live = left;
    h->a = h->f = h->d = h->x = h->o = NOBODY;
    h->queue.count = h->collected.count = 0;
    h->o_free = t;
    h->words = 0;
    h->begun = h->opened = false;
    h->simt = true;
    for (unsigned w = 0; left; ++w) {
        const unsigned size = h->c->config->simt.warp_size, count = left < size ? left : size;
        h->warp[w].ready = count == 64 ? ~UINT64_C(0) : (UINT64_C(1) << count) - 1;
        for (unsigned k = 0; k < size; ++k) h->warp[w].pc[k] = l->thunk;
        left -= count;
    }
}

/* --- X --- */

/* Words of an access that are objects in the lane's TPM. */
static unsigned words_in_tpm(const struct base_shadow *h, const struct flight *f, unsigned k,
                             uint32_t address, unsigned bytes) {
    const struct arm_threads *t = &h->c->threads[f->warp];
    unsigned words = 0;
    if (!(f->execution.in_stack >> k & 1)) return 0;
    for (uint32_t a = address & ~3u; a < address + bytes; a += 4)
        words += (t->stack_size - 1 - (a & (t->stack_size - 1))) / 4 < t->stack_objects;
    return words;
}

/* A beat that starts: the most words that a lane accesses in its TPM; *memory: does one access memory? */
static unsigned words_of_beat(const struct base_shadow *h, const struct flight *f, unsigned round,
                              unsigned beat, bool *memory) {
    const unsigned bytes = f->i->access_bytes / f->i->access_count;
    unsigned most = 0;
    *memory = false;
    for (unsigned lane = 0; lane < h->c->lanes; ++lane) {
        const int k = executes(h, f, lane, round);
        if (k == NOBODY || !(f->execution.passed >> k & 1)) continue;
        const uint32_t address = f->execution.address[k] + beat * bytes;
        const unsigned words = words_in_tpm(h, f, (unsigned)k, address, bytes);
        most = words > most ? words : most;
        *memory |= 4 * words < (address & 3) + bytes;
    }
    return most;
}

static unsigned ports_for(const struct base_shadow *h, const struct flight *f) {
    const struct machine_config *m = h->c->config;
    if (f->i->is_load) return m->tpm.read_ports;
    const unsigned written = h->c->path.writeback.out.ports;
    return m->tpm.write_ports - (written < m->tpm.write_ports ? written : m->tpm.write_ports);
}

/* The beat at hand of a load or store. Returns whether the lanes hold it; whether they do for a cache is
 * taken from what is said. */
static bool holds_beat(struct base_shadow *h, const struct flight *f, bool said) {
    const struct subwarp_dispatcher_out *out = &h->c->path.dispatcher.out;
    const unsigned rounds = h->c->rounds, v = out->context % rounds, first = rounds - f->rounds;
    bool memory;
    if (!h->begun) {
        const unsigned words = words_of_beat(h, f, v < first ? 0 : v - first, out->beat, &memory),
                       ports = ports_for(h, f);
        if (memory && said && (!words || !h->c->path.x_words)) return true; /* refused, or without a port */
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
    const struct flight *f = flight_of(h, (int)n);
    const bool full = f->execution.passed == live_of(&h->warp[f->warp]) && f->uniform.form != UNIFORM_COPY;
    if (h->c->uniform.on && to)
        uniform_told_write(&h->told, f->i, f->warp, to, full, h->flying[n].uniform, &f->execution);
}

/* A beat of a load or store has been made: in the last round a load has a register, and with the last beat
 * all; a store writes its base with the last. */
static void write_beat(struct base_shadow *h, const struct subwarp_dispatcher_out *out) {
    const struct flight *f = flight_of(h, h->x);
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

/* The dispatcher has taken the oldest instruction that is collected. */
static void take(struct base_shadow *h) {
    h->x = h->collected.flight[0];
    --h->collected.count;
    memmove(h->collected.flight, h->collected.flight + 1, h->collected.count * sizeof h->collected.flight[0]);
    h->taken = h->x;
    const struct flight *f = flight_of(h, h->x);
    if (!f->i) return;
    const uint64_t base = f->i->is_load && f->i->write_back ? UINT64_C(1) << f->i->rn : 0;
    h->flying[h->x].loads = f->i->is_load ? uniform_told_loads(f->i) | base : 0;
    if (f->execution.passed && !accesses(f)) write_results(h, (unsigned)h->x, uniform_told_results(f->i));
}

static void land(struct base_shadow *h, uint64_t t) {
    const struct flight *f = flight_of(h, h->x);
    struct flying *x = &h->flying[h->x];
    const bool memory = accesses(f) && f->execution.passed;
    const unsigned network = network_of(h, f, f->execution.passed && f->i->destinations);
    const unsigned latency =
        f->uniform.form == UNIFORM_REUSED ? 1 : h->c->config->core.latency_cycles[f->i->class] + network;
    x->landed = true;
    x->result = memory ? NEVER : t + latency - 1;
    h->lands = true;
    h->landing = (unsigned)h->x;
    h->x = NOBODY;
}

static void dispatcher(struct base_shadow *h, uint64_t t) {
    const struct subwarp_dispatcher_in *in = &h->c->path.dispatcher.in;
    const struct subwarp_dispatcher_out *out = &h->c->path.dispatcher.out;
    const int next = h->collected.count ? h->collected.flight[0] : NOBODY;
    const bool valid = next != NOBODY && h->flying[next].collected < t;
    const struct flight *f = valid ? flight_of(h, next) : NULL;
    h->taken = NOBODY;
    h->ends = h->lands = false;
    h->told = (struct uniform_told){.to = 0};
    h->reads = 0;
    SAME(h, "dispatcher: valid", t, in->valid, valid);
    if (valid) SAME(h, "dispatcher: warp", t, in->warp, f->warp);
    const bool takes = valid && h->x == NOBODY && out->first;
    unsigned rounds = h->c->rounds, beats = 1;
    if (takes) {
        take(h);
        if (!f->i) return;
        rounds = rounds_of(h, f);
        if (accesses(f) && f->execution.passed) beats = f->i->access_count;
    }
    SAME(h, "dispatcher: rounds", t, in->rounds, rounds);
    SAME(h, "dispatcher: beats", t, in->beats, beats);
    if (!valid || f->i) SAME(h, "dispatcher: occupancy", t, in->occupancy, valid ? occupancy_of(h, f) : 1);
    if (h->x == NOBODY) {
        SAME(h, "dispatcher: hold", t, in->hold, false);
        return;
    }
    const struct flight *x = flight_of(h, h->x);
    const bool memory = accesses(x) && x->execution.passed;
    SAME(h, "dispatcher: hold", t, in->hold, out->valid && memory && holds_beat(h, x, in->hold));
    h->ends = out->valid && !in->hold && out->last;
    if (out->valid && !in->hold && memory) write_beat(h, out);
}

/* --- O --- */

static void collector(struct base_shadow *h, uint64_t t) {
    const struct operand_collector_in *in = &h->c->path.collector.in;
    const struct operand_collector_out *out = &h->c->path.collector.out;
    const bool valid = h->queue.count && t >= h->o_free;
    const struct flight *f = valid ? flight_of(h, h->queue.flight[0]) : NULL;
    const bool elsewhere = h->c->config->uniform.storage == UNIFORM_SRF;
    const uint64_t sources = f && f->i ? f->i->sources : 0;
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
    if (!out->start || !h->queue.count) return;
    h->o = h->queue.flight[0];
    --h->queue.count;
    memmove(h->queue.flight, h->queue.flight + 1, h->queue.count * sizeof h->queue.flight[0]);
    h->collected.flight[h->collected.count++] = h->o;
    h->flying[h->o].collected = h->o_free = NEVER;
}

/* The operands are there; scalars, and those of other lanes, are then brought to the lanes. */
static void end_collection(struct base_shadow *h, uint64_t t) {
    if (!h->o_ends || h->o == NOBODY) return;
    const struct flight *f = flight_of(h, h->o);
    h->flying[h->o].collected = t + network_of(h, f, f->i && f->i->sources) + f->uniform.broadcast;
    h->o_free = h->flying[h->o].collected + 1;
    h->o = NOBODY;
}

/* --- S, A, F, D --- */

/* May a warp have a second instruction in flight (divergence.md §4, dpe)? */
static bool has_second(const struct base_shadow *h, unsigned w) {
    const struct threads *x = &h->warp[w];
    unsigned ready = 0, executes = 0;
    if (h->c->config->simt.mitigation != MITIGATION_DPE) return false;
    if (h->flying[w].used && h->flying[w + h->c->warps].used) return false;
    for (unsigned k = 0; k < h->c->config->simt.warp_size; ++k) {
        const unsigned level = priority_of(h, x->level[k]);
        if (x->ready >> k & 1 && level > ready) ready = level;
        if (x->execution >> k & 1 && level > executes) executes = level;
    }
    return ready >= executes;
}

static bool is_ready(const struct base_shadow *h, unsigned w) {
    const struct threads *x = &h->warp[w];
    const bool in_front = h->a != NOBODY && h->flying[h->a].warp == w;
    return x->ready && !in_front && (!x->execution || has_second(h, w));
}

/* It waits for memory, from D to C of a load or store, or all its threads are at a barrier or Idle. */
static bool is_stalled(const struct base_shadow *h, unsigned w) {
    const struct threads *x = &h->warp[w];
    bool waits = false;
    for (unsigned n = w; n < flights(h); n += h->c->warps) waits |= h->flying[n].used && h->flying[n].stalls;
    return waits || !(x->ready | x->execution);
}

static void scheduler(struct base_shadow *h, uint64_t t) {
    const struct warp_scheduler_in *in = &h->c->path.scheduler.in;
    const struct machine_config *m = h->c->config;
    const bool simt = h->c->mode == CLUSTER_SIMT;
    reckoned_bits ready = 0, stalled = 0;
    for (unsigned w = 0; w < h->c->warps; ++w) {
        ready |= (reckoned_bits)(simt && is_ready(h, w)) << w;
        stalled |= (reckoned_bits)(!simt || is_stalled(h, w)) << w;
    }
    if (simt) {
        end_collection(h, t);
        const unsigned waiting = (h->d != NOBODY) + h->queue.count;
        h->f_leaves = h->f != NOBODY && flight_of(h, h->f)->fetched <= t && waiting < m->simt.queue_entries;
        h->a_leaves = h->a != NOBODY && t >= h->flying[h->a].s + m->simt.arbitrate_cycles &&
                      (h->f == NOBODY || h->f_leaves);
    }
    SAME(h, "scheduler: ready", t, in->ready, ready);
    SAME(h, "scheduler: stalled", t, in->stalled, stalled);
    SAME(h, "scheduler: take", t, in->take, simt && (h->a == NOBODY || h->a_leaves));
}

static void select_warp(struct base_shadow *h, unsigned w, uint64_t t) {
    const unsigned n = h->flying[w].used ? w + h->c->warps : w;
    h->flying[n] = (struct flying){.used = true, .warp = w, .s = t, .collected = NEVER, .result = NEVER};
    h->a = (int)n;
}

/* What the arbiter takes, as its policy says. */
static void check_choice(struct base_shadow *h, const struct threads *w, uint64_t t) {
    const struct warp_pc_arbiter_out *out = &h->c->path.arbiter.out;
    const enum pc_policy policy = h->c->config->simt.pc_policy;
    uint64_t its = 0;
    unsigned first = (unsigned)__builtin_ctzll(w->ready);
    for (unsigned k = first; k < h->c->config->simt.warp_size; ++k) {
        if (!(w->ready >> k & 1)) continue;
        const bool better =
            (policy == PC_MIN_PC && w->pc[k] < w->pc[first]) ||
            (policy == PC_ICS_FIRST && priority_of(h, w->level[k]) > priority_of(h, w->level[first]));
        if (better) first = k;
    }
    for (unsigned k = 0; k < h->c->config->simt.warp_size; ++k)
        if (w->ready >> k & 1 && w->pc[k] == w->pc[first]) its |= UINT64_C(1) << k;
    SAME(h, "arbiter: PC", t, out->pc, w->pc[first]);
    SAME(h, "arbiter: participating", t, out->participating, its);
}

static void arbiter(struct base_shadow *h, uint64_t t) {
    struct path *p = &h->c->path;
    const struct warp_pc_arbiter_in *in = &p->arbiter.in;
    struct threads *w = h->a_leaves ? &h->warp[h->flying[h->a].warp] : NULL;
    SAME(h, "arbiter: ready", t, in->ready, w ? w->ready : 0);
    for (uint64_t rest = w ? w->ready : 0; rest; rest &= rest - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(rest);
        uint32_t levels = 0;
        for (unsigned n = 0; n < h->c->config->simt.priority_levels; ++n)
            levels |= (uint32_t)(in->priority[n] >> k & 1) << n;
        reckon_of(&h->place, "arbiter: PC of thread", k, t, in->pc[k], w->pc[k]);
        reckon_of(&h->place, "arbiter: priority of thread", k, t, levels, 1u << priority_of(h, w->level[k]));
    }
    if (w) check_choice(h, w, t);
    h->fetched = h->f != NOBODY && flight_of(h, h->f)->fetched <= t;
    h->decodes_memory = h->d != NOBODY && accesses(flight_of(h, h->d));
    h->handed_over = h->a_leaves ? h->a : NOBODY;
    h->decoded = h->d;
    if (h->d != NOBODY) {
        h->flying[h->d].stalls = accesses(flight_of(h, h->d));
        h->queue.flight[h->queue.count++] = h->d;
        h->d = NOBODY;
    }
    if (h->f_leaves) {
        h->d = h->f;
        h->f = NOBODY;
    }
    if (h->a_leaves) {
        struct flying *x = &h->flying[h->a];
        x->pc = p->arbiter.out.pc;
        x->participating = p->arbiter.out.participating;
        w->ready &= ~x->participating;
        w->execution |= x->participating;
        h->f = h->a;
        h->a = NOBODY;
    }
    if (p->scheduler.out.valid) select_warp(h, p->scheduler.out.warp, t);
    h->done = t;
}

/* --- tokens, and what is reused --- */

static void tokens(struct base_shadow *h, uint64_t t) {
    const struct uniform *u = &h->c->uniform;
    const bool srf = h->c->config->uniform.storage == UNIFORM_SRF;
    if (h->decoded != NOBODY) {
        struct flying *x = &h->flying[h->decoded];
        const struct arm_instruction *i = machine_code_at(h->c->launch->code, x->pc);
        const uint64_t live = live_of(&h->warp[x->warp]);
        if (i)
            uniform_told_read(&h->told, i, x->warp, x->participating == live, live, &h->c->threads[x->warp]);
        x->uniform = srf ? u->rename.out.uniform : u->tokens.out.uniform;
    }
    h->told.starts = t == h->c->simt_first;
    for (unsigned w = 0; h->told.starts && w < h->c->warps; ++w)
        if (!srf || live_of(&h->warp[w])) warp_set_add(&h->told.start_warps, w);
    h->told.release = srf && h->released != NOBODY;
    if (h->told.release) h->told.release_warp = (unsigned)h->released;
    h->released = NOBODY;
    uniform_told_compare(&h->place, u, &h->told, t);
    if (srf && h->told.to && u->rename.out.refused && h->taken != NOBODY)
        h->flying[h->taken].reuses.is = false;
}

static void reuse(struct base_shadow *h, uint64_t t) {
    const struct uniform *u = &h->c->uniform;
    struct reuse_told lookup = {.is = false};
    if (h->asks != NOBODY) {
        struct flying *x = &h->flying[h->asks];
        const struct flight *f = flight_of(h, h->asks);
        const bool copy = f->uniform.form == UNIFORM_COPY;
        if (f->i && !copy)
            lookup = uniform_told_operands(u, f->i, x->pc, x->uniform, live_of(&h->warp[x->warp]),
                                           &h->c->threads[x->warp]);
        x->reuses = lookup;
        if (u->reuse.out.hit) x->reuses.is = false;
    }
    uniform_told_compare_reuse(&h->place, u, &lookup, &h->insert, t);
    h->insert.is = false;
}

/* --- W, C --- */

static void change_level(uint8_t *level, struct coprocessor_decoded op) {
    if (op.operation == COPROCESSOR_RAISE) ++*level;
    if (op.operation == COPROCESSOR_LOWER) *level = (uint8_t)(*level - op.index);
    if (op.operation == COPROCESSOR_OUTERMOST) *level = 0;
}

static void commit_thread(struct base_shadow *h, const struct flight *f, struct threads *w, unsigned k) {
    const uint64_t bit = UINT64_C(1) << k;
    const bool passed = f->execution.passed & bit, copy = f->uniform.form == UNIFORM_COPY;
    const enum coprocessor_operation o = passed && !copy ? operation_of(f->i) : COPROCESSOR_UNDEFINED;
    w->execution &= ~bit;
    if (!copy) w->pc[k] = passed && f->i->writes_pc ? h->c->threads[f->warp].next_pc[k] : f->pc + 4;
    if (o == COPROCESSOR_BARRIER) {
        w->barrier |= bit;
        w->barrier_pc[k] = f->pc;
        h->arrive_pc = f->pc;
        ++h->arrive;
    } else if (o == COPROCESSOR_EXIT) {
        w->level[k] = 0;
        --h->live;
        ++h->leave;
    } else {
        w->ready |= bit;
        if (o != COPROCESSOR_UNDEFINED) change_level(&w->level[k], coprocessor_decode(f->i));
    }
}

static void commit(struct base_shadow *h, unsigned n, uint64_t t) {
    const struct flight *f = flight_of(h, (int)n);
    reckon_of(&h->place, "commit: threads of flight", n, t, f->participating, h->flying[n].participating);
    reckon_of(&h->place, "commit: PC of flight", n, t, f->pc, h->flying[n].pc);
    struct reuse_told *r = &h->flying[n].reuses;
    if (r->is && (!h->insert.is || h->flying[n].s < h->insert.age)) {
        h->insert = *r;
        h->insert.age = h->flying[n].s;
        h->insert.result =
            reuse_result_of(f->i, &h->c->threads[f->warp], (unsigned)__builtin_ctzll(f->participating));
    }
    for (uint64_t rest = h->flying[n].participating; rest; rest &= rest - 1)
        commit_thread(h, f, &h->warp[h->flying[n].warp], (unsigned)__builtin_ctzll(rest));
    if (!live_of(&h->warp[h->flying[n].warp])) h->released = (int)h->flying[n].warp;
    h->flying[n] = (struct flying){.used = false};
}

static void write_back(struct base_shadow *h, uint64_t t) {
    const struct writeback_arbiter *a = &h->c->path.writeback;
    const struct flight *f = h->lands ? flight_of(h, (int)h->landing) : NULL;
    reckoned_bits there = 0;
    SAME(h, "write-back: land", t, a->in.land, h->lands);
    if (f) {
        const unsigned registers =
            f->execution.passed ? (unsigned)__builtin_popcountll(f->i->destinations) : 0;
        SAME(h, "write-back: warp", t, a->in.warp, h->landing);
        SAME(h, "write-back: lines", t, a->in.lines,
             h->c->uniform.on ? f->uniform.write_lines : registers * lines_of_vtpo(h));
        SAME(h, "write-back: scalars", t, a->in.scalars, h->c->uniform.on ? f->uniform.scalar_writes : 0);
    }
    for (unsigned n = 0; n < flights(h); ++n) {
        struct flying *x = &h->flying[n];
        if (!x->landed) continue;
        if (x->result == NEVER) x->result = flight_of(h, (int)n)->result;
        there |= (reckoned_bits)(x->result <= t) << n;
    }
    SAME(h, "write-back: result", t, a->in.result, there);
    h->arrive = h->leave = 0;
    h->commits = 0;
    for (unsigned n = 0; n < flights(h); ++n) {
        if (!(a->out.commit & a->in.result) || !warp_set_has(a->out.commit & a->in.result, n)) continue;
        warp_set_add(&h->commits, h->flying[n].warp);
        commit(h, n, t);
    }
}

/* --- barriers --- */

static void barriers(struct base_shadow *h, uint64_t t) {
    const struct barrier_table *b = &h->c->barriers;
    const bool starts = t == h->c->simt_first;
    unsigned waiting = 0, live = 0;
    uint32_t pc = 0;
    bool mixed = false;
    SAME(h, "barriers: start", t, b->in.start, starts);
    if (starts) SAME(h, "barriers: start_live", t, b->in.start_live, h->live);
    SAME(h, "barriers: arrive_count", t, b->in.arrive_count, h->arrive);
    if (h->arrive) SAME(h, "barriers: arrive_pc", t, b->in.arrive_pc, h->arrive_pc);
    SAME(h, "barriers: exit_count", t, b->in.exit_count, h->leave);
    for (unsigned w = 0; w < h->c->warps; ++w) {
        live += (unsigned)__builtin_popcountll(live_of(&h->warp[w]));
        for (uint64_t rest = h->opened ? 0 : h->warp[w].barrier; rest; rest &= rest - 1) {
            const uint32_t its = h->warp[w].barrier_pc[__builtin_ctzll(rest)];
            mixed |= waiting++ && its != pc;
            pc = its;
        }
    }
    const bool all = waiting && waiting == live;
    SAME(h, "barriers: opens", t, b->out.opens, all && !mixed);
    SAME(h, "barriers: deadlock", t, b->out.deadlock, all && mixed);
    SAME(h, "barriers: release", t, b->out.release, h->opened);
    h->releases = h->opened;
    for (unsigned w = 0; h->opened && w < h->c->warps; ++w) {
        h->warp[w].ready |= h->warp[w].barrier;
        h->warp[w].barrier = 0;
    }
    h->opened = all && !mixed;
}

/* --- tpo_address, of lane 0 --- */

static void address(struct base_shadow *h, uint64_t t) {
    const struct cluster *c = h->c;
    const struct tpo_address_in *in = &c->address.in;
    const struct subwarp_dispatcher_out *out = &c->path.dispatcher.out;
    const struct operand_collector_out *o = &c->path.collector.out;
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
        const struct flight *f = flight_of(h, x);
        const unsigned v = out->context % c->rounds, first = c->rounds - f->rounds,
                       n = v < first ? 0 : v - first;
        const unsigned bytes = f->i->access_bytes / f->i->access_count;
        const int k = executes(h, f, 0, n);
        const bool is = k != NOBODY && f->execution.passed >> k & 1;
        unsigned round = n;
        for (unsigned r = 0; is && r < c->rounds; ++r)
            if (positions_of_round(h, r) >> k & 1) round = r;
        SAME(h, "address: access", t, in->access, is);
        SAME(h, "address: bytes", t, in->bytes, bytes);
        SAME(h, "address: object", t, in->object, f->i->rd);
        if (is) SAME(h, "address: address", t, in->address, f->execution.address[k] + out->beat * bytes);
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

/* --- the whole, the descriptors --- */

static enum thread_operation operation_to(const struct flight *f) {
    switch (f->uniform.form == UNIFORM_COPY ? COPROCESSOR_UNDEFINED : operation_of(f->i)) {
    case COPROCESSOR_RAISE: return THREAD_RAISE;
    case COPROCESSOR_LOWER: return THREAD_LOWER;
    case COPROCESSOR_OUTERMOST: return THREAD_OUTERMOST;
    case COPROCESSOR_BARRIER: return THREAD_BARRIER;
    case COPROCESSOR_EXIT: return THREAD_EXIT;
    default: return THREAD_NONE;
    }
}

static void check_execution(struct base_shadow *h, uint64_t t, uint64_t passed, bool jumps,
                            uint32_t operation, uint32_t by) {
    const struct flight *f = flight_of(h, h->taken);
    const bool copy = f->uniform.form == UNIFORM_COPY;
    const bool lowers = !copy && operation_of(f->i) == COPROCESSOR_LOWER;
    SAME(h, "execute_passed", t, passed, copy ? f->participating : f->execution.passed);
    SAME(h, "execute_jumps", t, jumps, copy || f->i->writes_pc);
    SAME(h, "execute_operation", t, operation, operation_to(f));
    SAME(h, "execute_by", t, by, lowers ? coprocessor_decode(f->i).index : 0);
}

static void coprocessor(struct base_shadow *h, uint64_t t) {
    const struct simt_coprocessor_in *in = &h->c->coprocessor.in;
    const bool simt = h->c->mode == CLUSTER_SIMT;
    const int newest = simt && h->collected.count ? h->collected.flight[h->collected.count - 1] : NOBODY;
    SAME(h, "co-processor: simt", t, in->simt, simt);
    if (!simt) return;
    SAME(h, "co-processor: start", t, in->start, 0);
    SAME(h, "co-processor: fetched", t, in->fetched, h->fetched);
    SAME(h, "co-processor: decode_memory", t, in->decode_memory, h->decodes_memory);
    SAME(h, "co-processor: collect", t, in->collect, h->collects);
    SAME(h, "co-processor: collected", t, in->collected,
         newest != NOBODY && h->flying[newest].collected == t);
    SAME(h, "co-processor: rounds", t, in->rounds, h->c->path.dispatcher.in.rounds);
    SAME(h, "co-processor: beats", t, in->beats, h->c->path.dispatcher.in.beats);
    SAME(h, "co-processor: occupancy", t, in->occupancy, h->c->path.dispatcher.in.occupancy);
    SAME(h, "co-processor: hold", t, in->hold, h->c->path.dispatcher.in.hold);
    SAME(h, "co-processor: commit", t, in->commit, h->commits);
    if (h->taken != NOBODY)
        check_execution(h, t, in->execute_passed, in->execute_jumps, in->execute_operation, in->execute_by);
}

/* Contexts start: each lane's next one, at the thunk; nobody has it. */
static void check_starts(struct base_shadow *h, uint64_t t) {
    const struct thread_descriptor_table_in *in = &h->c->descriptors.in;
    for (uint32_t rest = in->start; rest; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(rest), context = in->start_context[lane];
        const unsigned warp = context / h->c->rounds, round = context % h->c->rounds;
        const struct lane_map map = {h->c->config->simt.lane_map == LANE_MAP_BLOCK ? LANE_MAP_BLOCK
                                                                                   : LANE_MAP_CYCLIC,
                                     h->c->lanes, h->c->rounds};
        reckon_of(&h->place, "descriptors: PC of a context that starts in lane", lane, t, in->start_pc[lane],
                  h->c->launch->thunk);
        reckon_of(&h->place, "descriptors: context that starts in lane", lane, t,
                  h->started[warp] >> lane_map_position(map, lane, round) & 1, false);
        h->started[warp] |= UINT64_C(1) << lane_map_position(map, lane, round);
    }
}

static void check_row(struct base_shadow *h, unsigned w, bool whole, uint64_t t) {
    const struct warp_descriptors *d = &h->c->descriptors.warp[w];
    const struct threads *x = &h->warp[w];
    reckon_of(&h->place, "Ready threads of warp", w, t, d->ready, x->ready);
    reckon_of(&h->place, "threads in Execution of warp", w, t, d->execution, x->execution);
    reckon_of(&h->place, "threads at a barrier of warp", w, t, d->barrier, x->barrier);
    for (uint64_t rest = whole ? live_of(x) : 0; rest; rest &= rest - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(rest);
        reckon_of(&h->place, "PC of a thread of warp", w, t, d->pc[k], x->pc[k]);
        reckon_of(&h->place, "level of a thread of warp", w, t, d->level[k], x->level[k]);
    }
}

static void descriptors(struct base_shadow *h, uint64_t t) {
    const struct thread_descriptor_table_in *in = &h->c->descriptors.in;
    const struct warp_scheduler_out *picked = &h->c->path.scheduler.out;
    if (h->c->mode != CLUSTER_SIMT) {
        check_starts(h, t);
        return;
    }
    SAME(h, "descriptors: start", t, in->start, 0);
    SAME(h, "descriptors: select", t, in->select, picked->valid);
    if (picked->valid) SAME(h, "descriptors: select_warp", t, in->select_warp, picked->warp);
    SAME(h, "descriptors: schedule", t, in->schedule, h->handed_over != NOBODY);
    if (h->handed_over != NOBODY) {
        SAME(h, "descriptors: schedule_threads", t, in->schedule_threads,
             h->flying[h->handed_over].participating);
        SAME(h, "descriptors: schedule_pc", t, in->schedule_pc, h->flying[h->handed_over].pc);
    }
    SAME(h, "descriptors: execute", t, in->execute, h->taken != NOBODY);
    if (h->taken != NOBODY) {
        SAME(h, "descriptors: execute_warp", t, in->execute_warp, flight_of(h, h->taken)->warp);
        check_execution(h, t, in->execute_passed, in->execute_jumps, in->execute_operation, in->execute_by);
    }
    SAME(h, "descriptors: commit", t, in->commit, h->commits);
    SAME(h, "descriptors: release", t, in->release, h->releases);
    for (unsigned w = 0; w < h->c->warps; ++w) check_row(h, w, warp_set_has(h->commits, w), t);
}

/* --- the hooks --- */

static void cycle(void *context, enum cluster_block block, uint64_t t) {
    struct base_shadow *h = context;
    const bool simt = h->c->mode == CLUSTER_SIMT;
    if (simt && !h->simt) begin(h, t);
    h->simt = simt;
    switch (block) {
    case CLUSTER_BLOCK_DISPATCHER: dispatcher(h, t); break;
    case CLUSTER_BLOCK_COLLECTOR: collector(h, t); break;
    case CLUSTER_BLOCK_SCHEDULER: scheduler(h, t); break;
    case CLUSTER_BLOCK_ARBITER: arbiter(h, t); break;
    case CLUSTER_BLOCK_TOKENS:
    case CLUSTER_BLOCK_RENAME: tokens(h, t); break;
    case CLUSTER_BLOCK_REUSE: reuse(h, t); break;
    case CLUSTER_BLOCK_WRITEBACK: write_back(h, t); break;
    case CLUSTER_BLOCK_BARRIERS: barriers(h, t); break;
    case CLUSTER_BLOCK_ADDRESS: address(h, t); break;
    case CLUSTER_BLOCK_COPROCESSOR: coprocessor(h, t); break;
    case CLUSTER_BLOCK_DESCRIPTORS: descriptors(h, t); break;
    default: break;
    }
}

/* The cores have the cluster again: another work-group may start. What the last one has left for the blocks
 * of uniform values comes to them in the next one's first cycle. */
static void stop(void *context) {
    struct base_shadow *h = context;
    h->simt = false;
    memset(h->started, 0, sizeof h->started);
}

static void reset(void *context) {
    struct base_shadow *h = context;
    stop(h);
    h->released = NOBODY;
    h->insert.is = false;
}

static void attach(struct base_shadow *h, struct cluster *c) {
    const struct machine_config *m = c->config;
    const bool whole = m->simt.arbitrate_cycles == 1 && m->simt.mitigation == MITIGATION_NONE;
    static const enum cluster_block blocks[] = {
        CLUSTER_BLOCK_SCHEDULER, CLUSTER_BLOCK_ARBITER,   CLUSTER_BLOCK_DISPATCHER, CLUSTER_BLOCK_BARRIERS,
        CLUSTER_BLOCK_COLLECTOR, CLUSTER_BLOCK_WRITEBACK, CLUSTER_BLOCK_ADDRESS,    CLUSTER_BLOCK_DESCRIPTORS,
        CLUSTER_BLOCK_TOKENS,    CLUSTER_BLOCK_RENAME,    CLUSTER_BLOCK_REUSE};
    h->c = c;
    h->place.error = &c->error;
    snprintf(h->place.name, sizeof h->place.name, "cluster %u", c->index);
    h->place.hook =
        (struct cluster_twins){.context = h, .reset = reset, .cycle = cycle, .stop = stop, .end = UINT64_MAX};
    for (unsigned b = 0; b < sizeof blocks / sizeof *blocks; ++b) h->place.hook.attached[blocks[b]] = true;
    h->place.hook.attached[CLUSTER_BLOCK_COPROCESSOR] = whole;
    c->twins = &h->place.hook;
}

void *base_reckoning_create(struct machine *m) {
    const unsigned count = machine_configuration(m)->cluster.count;
    struct base_reckoning *r = calloc(1, sizeof *r + count * sizeof r->shadow[0]);
    require_memory(r);
    r->count = count;
    for (unsigned n = 0; n < count; ++n) attach(&r->shadow[n], machine_cluster(m, n));
    return r;
}

void base_reckoning_destroy(void *context) {
    struct base_reckoning *r = context;
    for (unsigned n = 0; n < r->count; ++n) r->shadow[n].c->twins = NULL;
    free(r);
}

uint64_t base_reckoning_comparisons(const void *context) {
    const struct base_reckoning *r = context;
    uint64_t count = 0;
    for (unsigned n = 0; n < r->count; ++n) count += r->shadow[n].place.comparisons;
    return count;
}

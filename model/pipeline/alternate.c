#include "model/pipeline/alternate.h"

#include "model/arm/coprocessor.h"
#include "model/control/tpo_address.h"
#include "model/pipeline/pipeline.h"

#include "sim/error.h"

#include <stdlib.h>

static struct alternate *of(const struct path *p, const struct flight *f) {
    return &p->alternate[f - p->flight];
}

struct alternate *path_create_alternates(void) {
    struct alternate *a = calloc(TDT_MAX_WARPS, sizeof *a);
    require_memory(a);
    return a;
}

static bool accesses(const struct alternate_group *g) {
    return g->i->is_load || g->i->is_store;
}

/* The instruction that a lane executes in a round; NULL: its thread takes no part. Its position in *k. */
static const struct alternate_group *group_in(const struct path *p, const struct flight *f, unsigned lane,
                                              unsigned round, unsigned *k) {
    const struct alternate *a = of(p, f);
    *k = cluster_position(p->cluster, lane, round);
    return f->participating >> *k & 1 ? &a->group[a->of[*k]] : NULL;
}

/* --- A, F --- */

uint64_t alternate_together(const struct path *p, unsigned warp) {
    const struct thread_descriptor_table *d = &p->cluster->descriptors;
    const struct warp_descriptors *w = &d->warp[warp];
    const unsigned level = tdt_highest_level(d, warp, w->ready);
    return level ? w->priority[level] & w->ready : w->ready;
}

/* The threads by their PCs. */
static void make_groups(struct cluster *c, struct alternate *a, const struct flight *f) {
    const uint32_t *pc = c->descriptors.warp[f->warp].pc;
    const struct machine_code *code = c->launch->code;
    for (uint64_t rest = f->participating; rest; rest &= rest - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(rest);
        unsigned n = 0;
        while (n < a->groups && a->group[n].pc != pc[k]) ++n;
        if (n == a->groups)
            a->group[a->groups++] = (struct alternate_group){.pc = pc[k], .i = machine_code_at(code, pc[k])};
        a->group[n].mask |= rest & -rest;
        a->of[k] = (uint8_t)n;
    }
}

static void fetch_round(struct path *p, const struct flight *f, unsigned round, uint64_t t) {
    struct alternate *a = of(p, f);
    unsigned k;
    a->f_round = round;
    a->fetched[round] = t;
    for (unsigned lane = 0; lane < p->cluster->lanes; ++lane) {
        const struct alternate_group *g = group_in(p, f, lane, round, &k);
        if (g && g->i) later(&a->fetched[round], core_fetch(&p->cluster->core[lane], g->pc, t));
    }
}

void alternate_begin(struct path *p, unsigned flight, uint64_t t) {
    struct flight *f = &p->flight[flight];
    struct alternate *a = of(p, f);
    warp_set_add(&p->mixed, flight);
    *a = (struct alternate){.groups = 0};
    make_groups(p->cluster, a, f);
    f->i = a->group[a->of[__builtin_ctzll(f->participating)]].i;
    f->rounds = p->cluster->rounds;
    f->network = f->read_lines = f->reads = f->held = 0;
    f->uniform.form = UNIFORM_VECTOR;
    f->uniform.inserts = false;
    f->uniform.broadcast = 0;
    fetch_round(p, f, 0, t);
    f->f = t;
    f->fetched = a->fetched[0];
    f->left = FLIGHT_NEVER;
    p->fetching = (int)flight;
}

bool alternate_step_fetch(struct path *p, uint64_t t) {
    if (p->fetching == PATH_NONE) return true;
    const struct flight *f = &p->flight[p->fetching];
    const struct alternate *a = of(p, f);
    if (a->fetched[a->f_round] > t) return false;
    if (a->f_round + 1 < f->rounds) {
        fetch_round(p, f, a->f_round + 1, t + 1);
        return false;
    }
    p->fetching = PATH_NONE;
    return true;
}

/* Of a round that has been fetched, or is being. */
static uint64_t decoded_in(const struct alternate *a, unsigned round) {
    return round <= a->f_round ? a->fetched[round] + 1 : FLIGHT_NEVER;
}

bool alternate_stalls(const struct path *p, unsigned flight) {
    const struct alternate *a = &p->alternate[flight];
    for (unsigned n = 0; n < a->groups; ++n)
        if (a->group[n].i && accesses(&a->group[n])) return true;
    return false;
}

/* --- O --- */

/* The most words that a lane reads for a round, or has to write. */
static unsigned most_words(const struct path *p, const struct flight *f, unsigned round, bool writes) {
    unsigned most = 0, k;
    for (unsigned lane = 0; lane < p->cluster->lanes; ++lane) {
        const struct alternate_group *g = group_in(p, f, lane, round, &k);
        if (!g || !g->i || (writes && !(g->passed >> k & 1))) continue;
        const unsigned words = (unsigned)__builtin_popcountll(writes ? g->i->destinations : g->i->sources);
        if (words > most) most = words;
    }
    return most;
}

/* A cycle of O in which the ports that are left read the words of a round, as many as there are. */
static void read_words(struct path *p, struct alternate *a, uint64_t t) {
    const struct machine_config *m = p->cluster->config;
    const unsigned taken = p->read_ports.cycle == t ? p->read_ports.taken : 0;
    const unsigned wanted = a->o_left < m->tpm.read_ports ? a->o_left : m->tpm.read_ports;
    if (taken + wanted > m->tpm.read_ports) {
        ++p->cluster->tpm_wait[CLUSTER_TPM_WAIT_LOADS];
        return;
    }
    if (++a->o_phase < m->tpm.latency_cycles && wanted) {
        ++p->cluster->tpm_wait[CLUSTER_TPM_WAIT_LATENCY];
        return;
    }
    a->o_phase = 0;
    a->o_left -= wanted;
    if (a->o_left) {
        ++p->cluster->tpm_wait[CLUSTER_TPM_WAIT_OPERANDS];
        return;
    }
    a->o_begun = false;
    a->collected[a->o_round++] = t;
}

void alternate_step_operands(struct path *p, uint64_t t) {
    if (p->collecting_mixed == PATH_NONE) return;
    struct flight *f = &p->flight[p->collecting_mixed];
    struct alternate *a = of(p, f);
    if (!a->o_begun) {
        if (decoded_in(a, a->o_round) >= t) return;
        a->o_begun = true;
        a->o_left = most_words(p, f, a->o_round, false);
    }
    read_words(p, a, t);
    if (a->o_round == 1 && a->collected[0] == t) f->collected = t;
    if (a->o_round < f->rounds) return;
    p->o_free = t + 1;
    p->collecting_mixed = PATH_NONE;
}

/* --- X --- */

static uint32_t beat_bytes(const struct arm_instruction *i) {
    return i->access_bytes / i->access_count;
}

/* What a lane accesses in this beat; NULL: nothing. */
struct lane_access {
    const struct arm_instruction *i;
    uint32_t address, in_memory; /* bytes from the address */
    unsigned words;              /* in the TPM */
    bool in_stack;
};

static bool access_of(const struct path *p, const struct flight *f, unsigned lane, struct lane_access *x) {
    const struct alternate *a = of(p, f);
    const struct arm_threads *t = &p->cluster->threads[f->warp];
    unsigned k;
    const struct alternate_group *g = group_in(p, f, lane, a->x_round, &k);
    if (!g || !accesses(g) || !(g->passed >> k & 1) || a->x_beat >= g->i->access_count) return false;
    const uint32_t bytes = beat_bytes(g->i);
    *x = (struct lane_access){g->i, f->execution.address[k] + a->x_beat * bytes, bytes, 0,
                              f->execution.in_stack >> k & 1};
    if (x->in_stack)
        x->words = tpo_stack_words(t->stack_size, t->stack_objects, x->address, bytes, &x->in_memory);
    return true;
}

/* A beat of a round starts only if every lane's L2 takes its requests: the cycle to try again, or 0. */
static uint64_t refused_until(const struct path *p, const struct flight *f, uint64_t t) {
    uint64_t again = 0;
    struct lane_access x;
    for (unsigned lane = 0; lane < p->cluster->lanes; ++lane) {
        struct core *core = &p->cluster->core[lane];
        if (!access_of(p, f, lane, &x) || !x.in_memory) continue;
        later(&again, private_l2_refuses(&core->l2, core_physical(core, x.address), x.in_memory,
                                         x.i->is_store, t + 1));
    }
    return again > t + 1 ? again - 1 : 0;
}

/* The accesses of a beat to memory are made; how many words are accessed in TPMs. */
static void access_memory(struct path *p, struct flight *f, uint64_t t) {
    struct alternate *a = of(p, f);
    struct lane_access x;
    a->x_loads = a->x_stores = 0;
    for (unsigned lane = 0; lane < p->cluster->lanes; ++lane) {
        if (!access_of(p, f, lane, &x)) continue;
        unsigned *words = x.i->is_store ? &a->x_stores : &a->x_loads;
        if (x.words > *words) *words = x.words;
        p->cluster->stack_held += x.words != 0;
        p->cluster->stack_spilled += x.in_memory && x.in_stack;
        if (!x.in_memory) continue;
        const struct held_access access = {.address = x.address,
                                           .bytes = x.in_memory,
                                           .lane = (uint8_t)lane,
                                           .flight = (uint8_t)(f - p->flight),
                                           .round = (uint8_t)a->x_round,
                                           .store = x.i->is_store};
        uint64_t done;
        if (path_access_memory(p, &access, t, &done))
            later(&a->result[a->x_round], done);
        else
            ++a->held[a->x_round];
    }
}

/* The words of the beat in TPMs, as many as there are ports in cycle t. False: some are left. */
static bool access_words(struct path *p, struct alternate *a, uint64_t t) {
    const struct machine_config *m = p->cluster->config;
    const unsigned stores = m->tpm.write_ports - p->write_ports.taken;
    const unsigned loaded = a->x_loads < m->tpm.read_ports ? a->x_loads : m->tpm.read_ports,
                   stored = a->x_stores < stores ? a->x_stores : stores;
    if (loaded) {
        p->read_ports.cycle = t;
        p->read_ports.taken = loaded;
        later(&a->result[a->x_round], t + m->tpm.latency_cycles - 1);
    }
    if (stored) later(&a->result[a->x_round], t);
    p->write_ports.taken += stored;
    a->x_loads -= loaded;
    a->x_stores -= stored;
    return !(a->x_loads | a->x_stores);
}

/* A round starts in cycle t: what needs no memory. */
static void start_round(struct path *p, const struct flight *f, uint64_t t) {
    const struct cluster *c = p->cluster;
    struct alternate *a = of(p, f);
    unsigned longest = 1, k;
    a->x_beats = a->x_beat = a->x_occupancy = 0;
    a->result[a->x_round] = t;
    for (unsigned lane = 0; lane < c->lanes; ++lane) {
        const struct alternate_group *g = group_in(p, f, lane, a->x_round, &k);
        if (!g) continue;
        const unsigned occupancy = c->config->core.occupancy_cycles[g->i->class];
        if (accesses(g) && g->passed >> k & 1) {
            if (g->i->access_count > a->x_beats) a->x_beats = g->i->access_count;
            if (occupancy > a->x_occupancy) a->x_occupancy = occupancy;
            continue;
        }
        if (occupancy > longest) longest = occupancy;
        later(&a->result[a->x_round], t + c->config->core.latency_cycles[g->i->class] - 1);
    }
    a->x_until = t + longest;
}

/* All rounds have been started, the last in cycle t. */
static void end_rounds(struct path *p, struct flight *f, uint64_t t) {
    struct alternate *a = of(p, f);
    p->x_free = a->x_until;
    p->x_flight = PATH_NONE;
    cluster_charge(p->cluster, MACHINE_CAUSE_OCCUPIED, f->pc, a->x_until - t - 1);
    a->started = true;
    path_end_rounds(p, t);
}

/* A cycle of X; its cause. */
static enum machine_cause run_beat(struct path *p, struct flight *f, uint64_t t) {
    struct alternate *a = of(p, f);
    const bool first = !a->x_begun && !a->x_beat;
    if (first) {
        if (t < a->x_until) return MACHINE_CAUSE_OCCUPIED;
        if (a->x_round >= a->o_round || a->collected[a->x_round] >= t) return MACHINE_CAUSE_OPERANDS;
        start_round(p, f, t);
    }
    if (a->x_beats && !a->x_begun) {
        if (t < p->x_next) return MACHINE_CAUSE_OCCUPIED;
        if (refused_until(p, f, t)) {
            if (first) a->x_until = t; /* the round is tried again */
            return MACHINE_CAUSE_MSHR;
        }
        access_memory(p, f, t);
        a->x_begun = true;
    }
    if (a->x_begun && !access_words(p, a, t)) return MACHINE_CAUSE_TPM;
    if (a->x_begun) {
        p->x_next = t + a->x_occupancy;
        later(&a->x_until, p->x_next);
        a->x_begun = false;
        if (++a->x_beat < a->x_beats) return first ? MACHINE_CAUSE_EXECUTE : MACHINE_CAUSE_OCCUPIED;
    }
    a->words[a->x_round] = (uint8_t)most_words(p, f, a->x_round, true);
    later(&a->last, a->result[a->x_round]);
    a->x_beat = 0;
    if (++a->x_round == f->rounds) end_rounds(p, f, t);
    return first ? MACHINE_CAUSE_EXECUTE : MACHINE_CAUSE_OCCUPIED;
}

bool alternate_step_lanes(struct path *p, uint64_t t) {
    if (p->x_flight == PATH_NONE) {
        if (p->started == p->collecting) return false;
        const unsigned next = path_flight_number(p, p->started);
        if (!alternate_is(p, next)) return false;
        if (p->flight[next].collected >= t || t < p->x_free) return true;
        if (!path_take_collected(p, t)) return true;
        path_enter_lanes(p, next);
        p->x_next = t;
    }
    if (!alternate_is(p, (unsigned)p->x_flight)) return false;
    struct flight *f = &p->flight[p->x_flight];
    cluster_charge(p->cluster, run_beat(p, f, t), f->pc, 1);
    return true;
}

void alternate_made(struct path *p, unsigned flight, unsigned round, uint64_t done) {
    struct alternate *a = &p->alternate[flight];
    later(&a->result[round], done);
    later(&a->last, done);
    --a->held[round];
}

bool alternate_execute(struct path *p, unsigned flight, uint64_t t) {
    struct flight *f = &p->flight[flight];
    struct alternate *a = &p->alternate[flight];
    f->execution.passed = f->execution.stored = f->execution.in_stack = 0;
    for (unsigned n = 0; n < a->groups; ++n) {
        struct alternate_group *g = &a->group[n];
        struct flight own = {.i = g->i, .pc = g->pc, .warp = f->warp, .participating = g->mask};
        if (!path_execute_threads(p->cluster, &own, t)) return false;
        g->passed = own.execution.passed;
        f->execution.passed |= own.execution.passed;
        f->execution.in_stack |= own.execution.in_stack & own.execution.passed;
        if (!accesses(g)) continue;
        for (uint64_t rest = g->passed; rest; rest &= rest - 1) {
            const unsigned k = (unsigned)__builtin_ctzll(rest);
            f->execution.address[k] = own.execution.address[k];
        }
        p->cluster->memory_instructions += (unsigned)__builtin_popcountll(g->passed);
    }
    p->cluster->alternate_instructions += (unsigned)__builtin_popcountll(f->participating);
    return true;
}

/* --- W, C --- */

/* Of the mixed flights that have not been looked at the one selected first. */
static unsigned oldest_of(const struct path *p, warp_set flights) {
    unsigned oldest = warp_set_first(flights);
    for (; flights; flights &= flights - 1)
        if (p->flight[warp_set_first(flights)].s < p->flight[oldest].s) oldest = warp_set_first(flights);
    return oldest;
}

/* Rounds, one after the other, write what is there before cycle t through these ports. Those left. */
static unsigned write_rounds(struct alternate *a, unsigned ports, uint64_t t) {
    while (a->w_round < a->x_round && !a->held[a->w_round]) {
        uint8_t *words = &a->words[a->w_round];
        const unsigned written = *words < ports ? *words : ports;
        if (*words && (a->result[a->w_round] >= t || !written)) break;
        if (written) later(&a->last, t);
        *words -= (uint8_t)written;
        ports -= written;
        if (*words) break;
        ++a->w_round;
    }
    return ports;
}

void alternate_write(struct path *p, uint64_t t) {
    const unsigned all = p->cluster->config->tpm.write_ports;
    unsigned ports = all - p->write_ports.taken;
    for (warp_set rest = p->mixed; rest;) {
        const unsigned n = oldest_of(p, rest);
        warp_set_remove(&rest, n);
        ports = write_rounds(&p->alternate[n], ports, t);
    }
    p->write_ports.taken = all - ports;
}

/* Do its threads wait at a barrier, or end? */
static bool leaves(const struct alternate_group *g) {
    if (!g->passed || !g->i->is_coprocessor) return false;
    const enum coprocessor_operation o = coprocessor_decode(g->i).operation;
    return o == COPROCESSOR_BARRIER || o == COPROCESSOR_EXIT;
}

/* The groups whose threads can, those that leave being last and one a cycle. False: some cannot yet. */
static bool commit_groups(struct path *p, struct flight *f, struct alternate *a) {
    const struct barrier_table_in *table = &p->cluster->barriers.in;
    for (; a->committed < a->groups; ++a->committed) {
        unsigned n = a->committed;
        while (n < a->groups && leaves(&a->group[n])) ++n;
        if (n == a->groups) n = a->committed;
        struct alternate_group g = a->group[n];
        if (leaves(&g) && (table->arrive_count || table->exit_count)) return false;
        a->group[n] = a->group[a->committed];
        a->group[a->committed] = g;
        struct flight own = {.i = g.i, .pc = g.pc, .warp = f->warp, .participating = g.mask};
        own.execution.passed = g.passed;
        a->stay |= path_commit_threads(p, &own);
    }
    return true;
}

void alternate_commit(struct path *p, uint64_t t) {
    for (warp_set rest = p->mixed; rest;) {
        const unsigned n = oldest_of(p, rest);
        struct flight *f = &p->flight[n];
        struct alternate *a = &p->alternate[n];
        warp_set_remove(&rest, n);
        write_rounds(a, 0, t);
        if (!a->started || a->w_round < f->rounds || a->last > t || !commit_groups(p, f, a)) continue;
        warp_set_remove(&p->mixed, n);
        if (alternate_stalls(p, n)) histogram_add(&p->cluster->memory_latency, t + 1 - f->x);
        path_end_commit(p, n, a->stay, alternate_stalls(p, n), t);
    }
}

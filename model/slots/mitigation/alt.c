/*
 * Alternate execution (divergence.md §4; dual-mode §5.3): if the ready threads at the highest level of the
 * selected warp have several PCs, all of them take part, each with its own instruction. A thread behind the
 * conditional statement has a lower level than both sides, and waits. Without levels (policies other than
 * ICS-First) all ready threads take part. Such a flight is mixed. Each stage processes its rounds one by one:
 *
 *   F   each lane fetches through its own ITLB and L1I: a cycle, or until the slowest is there
 *   D   in the cycle after F, round by round; the flight has one entry of the dispatch queue, and one
 *       collector
 *   O   each thread's own words: as many reads of the TPM as the lane with most sources needs, at least a
 *       cycle
 *   X   after O, and after the longest occupancy of the round before; a beat of all lanes' accesses a cycle
 *   W   each lane's own words, through the ports that W of other flights leaves in the cycle
 *   C   after the last W or X. Threads that reach a barrier, or exit, at different PCs do so one PC a cycle,
 *       after other flights of the cycle
 */
#include "model/arm/coprocessor.h"
#include "model/control/tpo_address.h"
#include "model/slots/mitigation/alt.h"
#include "model/unit/services.h"

#include "sim/error.h"

#include <stdlib.h>

static struct mixed_flights *mixed_of(const struct unit *u) {
    return u->mixed;
}

static struct alt_flight *of(const struct unit *u, const struct unit_flight *f) {
    return &mixed_of(u)->state[f - u->flight];
}

static struct mixed_flights *alt_create(void) {
    struct mixed_flights *m = calloc(1, sizeof *m);
    require_memory(m);
    m->fetching = m->collecting = UNIT_NONE;
    return m;
}

static void alt_reset(struct unit *u) {
    struct mixed_flights *m = mixed_of(u);
    u->mixed_flights = 0;
    m->fetching = m->collecting = UNIT_NONE;
}

static bool accesses(const struct alt_group *g) {
    return g->i->is_load || g->i->is_store;
}

/* Returns the group whose instruction a lane executes in a round; NULL if its thread does not participate. *k
 * becomes its position. */
static const struct alt_group *group_in(const struct unit *u, const struct unit_flight *f, unsigned lane,
                                        unsigned round, unsigned *k) {
    const struct alt_flight *a = of(u, f);
    *k = cluster_position(u->cluster, lane, round);
    return f->participating >> *k & 1 ? &a->group[a->of[*k]] : NULL;
}

/* --- A, F --- */

/* Returns the ready threads of a warp that may be in a flight together. */
static uint64_t alt_together(const struct unit *u, unsigned warp) {
    const struct thread_descriptor_table *d = &u->cluster->descriptors;
    const struct warp_descriptors *w = &d->warp[warp];
    const unsigned level = tdt_highest_level(d, warp, w->ready);
    return level ? w->priority[level] & w->ready : w->ready;
}

/* Groups the threads by their PCs. */
static void make_groups(struct cluster *c, struct alt_flight *a, const struct unit_flight *f) {
    const uint32_t *pc = c->descriptors.warp[f->warp].pc;
    const struct machine_code *code = c->launch->code;
    for (uint64_t rest = f->participating; rest; rest &= rest - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(rest);
        unsigned n = 0;
        while (n < a->groups && a->group[n].pc != pc[k]) ++n;
        if (n == a->groups)
            a->group[a->groups++] = (struct alt_group){.pc = pc[k], .i = machine_code_at(code, pc[k])};
        a->group[n].mask |= rest & -rest;
        a->of[k] = (uint8_t)n;
    }
}

static void fetch_round(struct unit *u, const struct unit_flight *f, unsigned round, uint64_t t) {
    struct alt_flight *a = of(u, f);
    unsigned k;
    a->f_round = round;
    a->fetched[round] = t;
    for (unsigned lane = 0; lane < u->cluster->lanes; ++lane) {
        const struct alt_group *g = group_in(u, f, lane, round, &k);
        if (g && g->i) later(&a->fetched[round], core_fetch(&u->cluster->core[lane], g->pc, t));
    }
}

/* Returns whether the threads of a flight that A hands over have several PCs. */
static bool has_several_pcs(const struct unit *u, const struct unit_flight *f) {
    const uint32_t *pc = u->cluster->descriptors.warp[f->warp].pc;
    for (uint64_t rest = f->participating; rest; rest &= rest - 1)
        if (pc[__builtin_ctzll(rest)] != f->pc) return true;
    return false;
}

static bool alt_begin(struct unit *u, struct unit_flight *f, uint64_t t) {
    if (!has_several_pcs(u, f)) return false;
    struct alt_flight *a = of(u, f);
    const unsigned number = (unsigned)(f - u->flight);
    warp_set_add(&u->mixed_flights, number);
    *a = (struct alt_flight){.groups = 0};
    make_groups(u->cluster, a, f);
    f->i = a->group[a->of[__builtin_ctzll(f->participating)]].i;
    f->rounds = (uint8_t)u->cluster->rounds;
    f->network = 0;
    f->read_lines = f->reads = f->held = 0;
    f->collects = 1;
    fetch_round(u, f, 0, t);
    f->f = t;
    f->fetched = a->fetched[0];
    f->left = UNIT_NEVER;
    mixed_of(u)->fetching = (int)number;
    return true;
}

static bool alt_step_fetch(struct unit *u, uint64_t t) {
    if (mixed_of(u)->fetching == UNIT_NONE) return true;
    const struct unit_flight *f = &u->flight[mixed_of(u)->fetching];
    const struct alt_flight *a = of(u, f);
    if (a->fetched[a->f_round] > t) return false;
    if (a->f_round + 1 < f->rounds) {
        fetch_round(u, f, a->f_round + 1, t + 1);
        return false;
    }
    mixed_of(u)->fetching = UNIT_NONE;
    return true;
}

/* Returns the cycle in D of a round; UNIT_NEVER if its fetch has not begun. */
static uint64_t decoded_in(const struct alt_flight *a, unsigned round) {
    return round <= a->f_round ? a->fetched[round] + 1 : UNIT_NEVER;
}

static bool alt_stalls(const struct unit *u, const struct unit_flight *f) {
    const struct alt_flight *a = of(u, f);
    for (unsigned n = 0; n < a->groups; ++n)
        if (a->group[n].i && accesses(&a->group[n])) return true;
    return false;
}

/* --- O --- */

/* Returns the largest number of words that a lane reads, or has to write, for a round. */
static unsigned most_words(const struct unit *u, const struct unit_flight *f, unsigned round, bool writes) {
    unsigned most = 0, k;
    for (unsigned lane = 0; lane < u->cluster->lanes; ++lane) {
        const struct alt_group *g = group_in(u, f, lane, round, &k);
        if (!g || !g->i || (writes && !(g->passed >> k & 1))) continue;
        const unsigned words = arm_rows_of(writes ? g->i->destinations : g->i->sources);
        if (words > most) most = words;
    }
    return most;
}

/* Does a cycle of O: reads words of a round through the ports that are left. */
static void read_words(struct unit *u, struct alt_flight *a, uint64_t t) {
    const struct machine_config *m = u->cluster->config;
    const unsigned taken = u->read_port.cycle == t ? u->read_port.taken : 0;
    const unsigned wanted = a->o_left < m->tpm.read_ports ? a->o_left : m->tpm.read_ports;
    if (taken + wanted > m->tpm.read_ports) {
        ++u->cluster->tpm_wait[CLUSTER_TPM_WAIT_LOADS];
        return;
    }
    if (++a->o_phase < m->tpm.latency_cycles && wanted) {
        ++u->cluster->tpm_wait[CLUSTER_TPM_WAIT_LATENCY];
        return;
    }
    a->o_phase = 0;
    a->o_left -= wanted;
    if (a->o_left) {
        ++u->cluster->tpm_wait[CLUSTER_TPM_WAIT_OPERANDS];
        return;
    }
    a->o_begun = false;
    a->collected[a->o_round++] = t;
}

/* Begins O of a mixed flight, whose rounds have their own operands. */
static void alt_collect(struct unit *u, struct unit_flight *f) {
    mixed_of(u)->collecting = (int)(f - u->flight);
    u->o_free = f->collected = UNIT_NEVER;
}

static void alt_step_operands(struct unit *u, uint64_t t) {
    if (mixed_of(u)->collecting == UNIT_NONE) return;
    struct unit_flight *f = &u->flight[mixed_of(u)->collecting];
    struct alt_flight *a = of(u, f);
    if (!a->o_begun) {
        if (decoded_in(a, a->o_round) >= t) return;
        a->o_begun = true;
        a->o_left = most_words(u, f, a->o_round, false);
    }
    read_words(u, a, t);
    if (a->o_round == 1 && a->collected[0] == t) f->collected = t;
    if (a->o_round < f->rounds) return;
    u->o_free = t + 1;
    mixed_of(u)->collecting = UNIT_NONE;
}

/* --- X --- */

static uint32_t beat_bytes(const struct arm_instruction *i) {
    return i->access_bytes / i->access_count;
}

/* The access of a lane in the current beat. */
struct lane_access {
    const struct arm_instruction *i;
    uint32_t address, in_memory; /* address; bytes in memory from it on */
    unsigned words;              /* words in the TPM */
    bool in_stack;
};

static bool access_of(const struct unit *u, const struct unit_flight *f, unsigned lane,
                      struct lane_access *x) {
    const struct alt_flight *a = of(u, f);
    const struct arm_threads *t = &u->cluster->threads[f->warp];
    unsigned k;
    const struct alt_group *g = group_in(u, f, lane, a->x_round, &k);
    if (!g || !accesses(g) || !(g->passed >> k & 1) || a->x_beat >= g->i->access_count) return false;
    const uint32_t bytes = beat_bytes(g->i);
    *x = (struct lane_access){g->i, u->execution[f - u->flight].address[k] + a->x_beat * bytes, bytes, 0,
                              f->in_stack >> k & 1};
    if (x->in_stack)
        x->words = tpo_stack_words(t->stack_size, t->stack_objects, x->address, bytes, &x->in_memory);
    return true;
}

/* Returns 0 if every lane's L2 takes its request, so that the beat can start, or the cycle to try again. */
static uint64_t refused_until(const struct unit *u, const struct unit_flight *f, uint64_t t) {
    uint64_t again = 0;
    struct lane_access x;
    for (unsigned lane = 0; lane < u->cluster->lanes; ++lane) {
        struct core *core = &u->cluster->core[lane];
        if (!access_of(u, f, lane, &x) || !x.in_memory) continue;
        later(&again, private_l2_refuses(&core->l2, core_physical(core, x.address), x.in_memory,
                                         x.i->is_store, t + 1));
    }
    return again > t + 1 ? again - 1 : 0;
}

/* Makes the accesses of a beat to memory, and computes the words that it accesses in TPMs. */
static void access_memory(struct unit *u, struct unit_flight *f, uint64_t t) {
    struct alt_flight *a = of(u, f);
    struct lane_access x;
    a->x_loads = a->x_stores = 0;
    for (unsigned lane = 0; lane < u->cluster->lanes; ++lane) {
        if (!access_of(u, f, lane, &x)) continue;
        unsigned *words = x.i->is_store ? &a->x_stores : &a->x_loads;
        if (x.words > *words) *words = x.words;
        u->cluster->stack_held += x.words != 0;
        u->cluster->stack_spilled += x.in_memory && x.in_stack;
        if (!x.in_memory) continue;
        const struct held_access access = {.address = x.address,
                                           .bytes = x.in_memory,
                                           .lane = (uint8_t)lane,
                                           .flight = (uint8_t)(f - u->flight),
                                           .round = (uint8_t)a->x_round,
                                           .store = x.i->is_store};
        uint64_t done;
        if (u->slots->home->reach(u, &access, t, &done))
            later(&a->result[a->x_round], done);
        else
            ++a->held[a->x_round];
    }
}

/* Accesses words of the beat in TPMs, as many as there are ports in cycle t. Returns false if some are
 * left. */
static bool access_words(struct unit *u, struct alt_flight *a, uint64_t t) {
    const struct machine_config *m = u->cluster->config;
    const unsigned stores = m->tpm.write_ports - u->write_port.taken;
    const unsigned loaded = a->x_loads < m->tpm.read_ports ? a->x_loads : m->tpm.read_ports,
                   stored = a->x_stores < stores ? a->x_stores : stores;
    if (loaded) {
        u->read_port.cycle = t;
        u->read_port.taken = loaded;
        later(&a->result[a->x_round], t + m->tpm.latency_cycles - 1);
    }
    if (stored) later(&a->result[a->x_round], t);
    u->write_port.taken += stored;
    a->x_loads -= loaded;
    a->x_stores -= stored;
    return !(a->x_loads | a->x_stores);
}

/* Starts a round in cycle t and computes the times of its instructions that need no memory. */
static void start_round(struct unit *u, const struct unit_flight *f, uint64_t t) {
    const struct cluster *c = u->cluster;
    struct alt_flight *a = of(u, f);
    unsigned longest = 1, k;
    a->x_beats = a->x_beat = a->x_occupancy = 0;
    a->result[a->x_round] = t;
    for (unsigned lane = 0; lane < c->lanes; ++lane) {
        const struct alt_group *g = group_in(u, f, lane, a->x_round, &k);
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

/* Ends X of a flight, whose last round has started in cycle t. */
static void end_rounds(struct unit *u, struct unit_flight *f, uint64_t t) {
    struct alt_flight *a = of(u, f);
    u->x_free = a->x_until;
    u->x_flight = UNIT_NONE;
    simt_charge(&u->cluster->simt, MACHINE_CAUSE_OCCUPIED, f->pc, a->x_until - t - 1);
    a->started = true;
    u->x_last = f->last = t;
}

/* Does a cycle of X. Returns the cause of the cycle. */
static enum machine_cause run_beat(struct unit *u, struct unit_flight *f, uint64_t t) {
    struct alt_flight *a = of(u, f);
    const bool first = !a->x_begun && !a->x_beat;
    if (first) {
        if (t < a->x_until) return MACHINE_CAUSE_OCCUPIED;
        if (a->x_round >= a->o_round || a->collected[a->x_round] >= t) return MACHINE_CAUSE_OPERANDS;
        start_round(u, f, t);
    }
    if (a->x_beats && !a->x_begun) {
        if (t < u->x_next) return MACHINE_CAUSE_OCCUPIED;
        if (refused_until(u, f, t)) {
            if (first) a->x_until = t; /* the round is tried again */
            return MACHINE_CAUSE_MSHR;
        }
        access_memory(u, f, t);
        a->x_begun = true;
    }
    if (a->x_begun && !access_words(u, a, t)) return MACHINE_CAUSE_TPM;
    if (a->x_begun) {
        u->x_next = t + a->x_occupancy;
        later(&a->x_until, u->x_next);
        a->x_begun = false;
        if (++a->x_beat < a->x_beats) return first ? MACHINE_CAUSE_EXECUTE : MACHINE_CAUSE_OCCUPIED;
    }
    a->words[a->x_round] = (uint8_t)most_words(u, f, a->x_round, true);
    later(&a->last, a->result[a->x_round]);
    a->x_beat = 0;
    if (++a->x_round == f->rounds) end_rounds(u, f, t);
    return first ? MACHINE_CAUSE_EXECUTE : MACHINE_CAUSE_OCCUPIED;
}

static bool alt_step_lanes(struct unit *u, uint64_t t) {
    if (u->x_flight == UNIT_NONE) {
        if (u->started == u->collecting) return false;
        const struct unit_flight *next = nth(u, u->started);
        if (!unit_is_mixed(u, next)) return false;
        if (next->collected >= t || t < u->x_free) return true;
        if (!unit_take_collected(u, t)) return true;
        u->x_flight = (int)(next - u->flight);
        u->x_last = u->x_free = UNIT_NEVER;
        u->x_next = t;
    }
    struct unit_flight *f = &u->flight[u->x_flight];
    if (!unit_is_mixed(u, f)) return false;
    simt_charge(&u->cluster->simt, run_beat(u, f, t), f->pc, 1);
    return true;
}

static void alt_made(struct unit *u, const struct unit_flight *f, unsigned round, uint64_t done) {
    struct alt_flight *a = of(u, f);
    later(&a->result[round], done);
    later(&a->last, done);
    --a->held[round];
}

/* Executes the instructions of a flight, group by group. */
static bool alt_execute(struct unit *u, struct unit_flight *f, uint64_t t) {
    struct alt_flight *a = of(u, f);
    struct arm_execution x, *all = &u->execution[f - u->flight];
    f->passed = f->in_stack = 0;
    for (unsigned n = 0; n < a->groups; ++n) {
        struct alt_group *g = &a->group[n];
        struct unit_flight own = {.i = g->i, .pc = g->pc, .warp = f->warp, .participating = g->mask};
        if (!unit_execute_threads(u, &own, &x, t)) return false;
        g->passed = x.passed;
        f->passed |= x.passed;
        f->in_stack |= x.in_stack & x.passed;
        if (!accesses(g)) continue;
        for (uint64_t rest = g->passed; rest; rest &= rest - 1) {
            const unsigned k = (unsigned)__builtin_ctzll(rest);
            all->address[k] = x.address[k];
        }
        u->cluster->memory_instructions += (unsigned)__builtin_popcountll(g->passed);
    }
    u->cluster->alternate_instructions += (unsigned)__builtin_popcountll(f->participating);
    return true;
}

/* --- W, C --- */

/* Returns the flight of the set that was selected first. */
static unsigned oldest_of(const struct unit *u, warp_set flights) {
    unsigned oldest = warp_set_first(flights);
    for (; flights; flights &= flights - 1)
        if (u->flight[warp_set_first(flights)].s < u->flight[oldest].s) oldest = warp_set_first(flights);
    return oldest;
}

/* Writes words that are ready before cycle t, round by round, through `ports` ports. Returns the number of
 * ports left. */
static unsigned write_rounds(struct alt_flight *a, unsigned ports, uint64_t t) {
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

static void alt_write(struct unit *u, uint64_t t) {
    const unsigned all = u->cluster->config->tpm.write_ports;
    unsigned ports = all - u->write_port.taken;
    for (warp_set rest = u->mixed_flights; rest;) {
        const unsigned n = oldest_of(u, rest);
        warp_set_remove(&rest, n);
        ports = write_rounds(&mixed_of(u)->state[n], ports, t);
    }
    u->write_port.taken = all - ports;
}

/* Returns whether the group's threads wait at a barrier, or exit. */
static bool leaves(const struct alt_group *g) {
    if (!g->passed || !g->i->is_coprocessor) return false;
    const enum coprocessor_operation o = coprocessor_decode(g->i).operation;
    return o == COPROCESSOR_BARRIER || o == COPROCESSOR_EXIT;
}

/* Commits the groups that can commit. Groups at a barrier or an exit are last, and one a cycle. Returns false
 * if some cannot commit yet. */
static bool commit_groups(struct unit *u, const struct unit_flight *f, struct alt_flight *a, uint64_t t) {
    const struct barrier_table_in *table = &u->cluster->barriers.in;
    for (; a->committed < a->groups; ++a->committed) {
        unsigned n = a->committed;
        while (n < a->groups && leaves(&a->group[n])) ++n;
        if (n == a->groups) n = a->committed;
        struct alt_group g = a->group[n];
        if (leaves(&g) && (table->arrive_count || table->exit_count)) return false;
        a->group[n] = a->group[a->committed];
        a->group[a->committed] = g;
        struct unit_flight own = {
            .i = g.i, .pc = g.pc, .warp = f->warp, .participating = g.mask, .passed = g.passed};
        a->stay |= u->slots->divergence->commit(u, &own, t);
    }
    return true;
}

static void alt_commit(struct unit *u, uint64_t t) {
    for (warp_set rest = u->mixed_flights; rest;) {
        const unsigned n = oldest_of(u, rest);
        struct unit_flight *f = &u->flight[n];
        struct alt_flight *a = &mixed_of(u)->state[n];
        warp_set_remove(&rest, n);
        write_rounds(a, 0, t);
        if (!a->started || a->w_round < f->rounds || a->last > t || !commit_groups(u, f, a, t)) continue;
        warp_set_remove(&u->mixed_flights, n);
        const bool memory = alt_stalls(u, f);
        if (memory) histogram_add(&u->cluster->memory_latency, t + 1 - f->x);
        if (unit_recorder(u)) unit_record_commit(u, f, t);
        unit_end_commit(u, f, a->stay, memory ? MACHINE_CAUSE_MEMORY : MACHINE_CAUSE_LATENCY, t);
    }
}

static const struct mixed_slot alt_mixed = {.create = alt_create,
                                            .reset = alt_reset,
                                            .together = alt_together,
                                            .begin = alt_begin,
                                            .fetch = alt_step_fetch,
                                            .stalls = alt_stalls,
                                            .collect = alt_collect,
                                            .operands = alt_step_operands,
                                            .lanes = alt_step_lanes,
                                            .execute = alt_execute,
                                            .made = alt_made,
                                            .write = alt_write,
                                            .commit = alt_commit};

static void alt_rounds(const struct unit *u, struct unit_flight *f) {
    f->rounds = (uint8_t)u->cluster->rounds;
    f->network = 0;
}

const struct mitigation_slot mitigation_alt = {.rounds = alt_rounds, .mixed = &alt_mixed};

/* sms_threads: threads of an SM, moved by flights: next PCs, waiting threads, threads that run together. */
#include "model/arm/coprocessor.h"
#include "model/config/divergence_kind.h"
#include "model/config/own_fields.h"
#include "model/sm/sm_parts.h"
#include "tests/reckoning/levels.h"
#include "tests/reckoning/sms_engines.h"
#include "tests/reckoning/sms_scalar.h"
#include "tests/reckoning/sms_stacks.h"

#include <stdlib.h>
#include <string.h>

void shadow_reset(struct sms_shadow *h) {
    const enum divergence_kind d = h->s->config->simt.divergence;
    h->cycle = SM_NEVER;
    h->called = 0;
    h->age = h->s->issued;
    h->stacks = d == DIVERGENCE_sbr || d == DIVERGENCE_oracle;
    h->large = d == DIVERGENCE_lwm;
    h->pairs = h->s->barrel && h->s->config->simt.mitigation == MITIGATION_DPE;
    memset(h->warp, 0, sizeof h->warp);
    memset(h->group, 0, sizeof h->group);
    memset(h->scheduler, 0, sizeof h->scheduler);
    memset(h->taken, 0, sizeof h->taken);
    for (unsigned n = 0; n < SM_MAX_SCHEDULERS; ++n) {
        h->scheduler[n].a = h->scheduler[n].f = -1;
        h->scheduler[n].called = h->scheduler[n].moved = SM_NEVER;
    }
    memset(h->sender, 0, sizeof h->sender);
    memset(h->scalar, 0, sizeof h->scalar);
    h->misses = 0;
    memset(h->scalar_next, 0, sizeof h->scalar_next);
    h->asks.is = h->insert.is = false;
    h->renaming = h->released = h->granted = -1;
    memset(h->harp, 0, sizeof h->harp);
    memset(h->starting, 0, sizeof h->starting);
    if (h->flight) memset(h->flight, 0, h->flights * sizeof *h->flight);
}

static unsigned count_of(uint64_t threads) {
    return (unsigned)__builtin_popcountll(threads);
}

/* --- running threads --- */

/* Returns whether the policy prefers thread k to an earlier one. */
static bool goes_before(const struct sms_shadow *h, const struct shadow_warp *w, unsigned k, unsigned first) {
    const struct machine_config *c = h->s->config;
    if (c->simt.pc_policy == PC_ICS_FIRST)
        return levels_priority(c, w->level[k]) > levels_priority(c, w->level[first]);
    return c->simt.pc_policy == PC_MIN_PC && w->pc[k] < w->pc[first];
}

/* Returns the threads of a warp that run next if those of `without` do not, for engines that keep warps
 * unchanged; 0 if none can run. */
static uint64_t runs(const struct sms_shadow *h, unsigned warp, uint64_t without, uint32_t *pc) {
    const struct shadow_warp *w = &h->warp[warp];
    uint64_t its = 0;
    *pc = UINT32_MAX;
    if (h->stacks) {
        if (!w->depth) return 0;
        *pc = w->stack[w->depth - 1].pc;
        return (uint64_t)w->stack[w->depth - 1].mask & ~w->waiting;
    }
    const uint64_t ready = w->live & ~w->waiting & ~without;
    if (!ready) return 0;
    unsigned first = (unsigned)__builtin_ctzll(ready);
    for (uint64_t rest = ready; rest; rest &= rest - 1)
        if (goes_before(h, w, (unsigned)__builtin_ctzll(rest), first))
            first = (unsigned)__builtin_ctzll(rest);
    *pc = w->pc[first];
    for (uint64_t rest = ready; rest; rest &= rest - 1)
        if (w->pc[__builtin_ctzll(rest)] == *pc) its |= rest & -rest;
    return its;
}

/* Returns the highest level of threads. */
static unsigned highest(const struct sms_shadow *h, const struct shadow_warp *w, uint64_t threads) {
    unsigned level = 0;
    for (uint64_t rest = threads; rest; rest &= rest - 1) {
        const unsigned its = levels_priority(h->s->config, w->level[__builtin_ctzll(rest)]);
        if (its > level) level = its;
    }
    return level;
}

uint64_t shadow_runs(const struct sms_shadow *h, unsigned warp, uint32_t *pc) {
    return runs(h, warp, 0, pc);
}

uint64_t shadow_runs_besides(const struct sms_shadow *h, unsigned warp, uint32_t *pc) {
    const struct shadow_scheduler *q = &h->scheduler[warp % h->s->schedulers];
    const struct shadow_warp *w = &h->warp[warp];
    uint64_t flights = w->flying;
    for (unsigned n = 0; n < UNIT_RING; ++n)
        if (q->choice[n].warp == warp) flights |= q->choice[n].threads;
    if (highest(h, w, w->live & ~w->waiting & ~flights) < highest(h, w, flights)) return 0;
    return runs(h, warp, flights, pc);
}

/* --- work-groups --- */

static void start_group(struct sms_shadow *h, unsigned g) {
    struct sm *s = h->s;
    struct shadow_group *x = &h->group[g];
    const unsigned parts = h->large ? own_fields(s->config)->lwm.threads / s->warp_size : 1;
    unsigned threads = 0, part = 0, of_large = 0, first = 0;
    *x = (struct shadow_group){.used = true, .number = s->group[g].number};
    if (s->scalar) x->scalar_live = s->scalar->thread[g].live;
    for (warp_set rest = s->group[g].warps; rest; rest &= rest - 1) {
        const unsigned warp = warp_set_first(rest);
        struct shadow_warp *w = &h->warp[warp];
        *w = (struct shadow_warp){.live = s->warp[warp].live};
        for (unsigned k = 0; k < s->warp_size; ++k) w->pc[k] = s->launch->thunk;
        shadow_stack_start(w, w->live, s->launch->thunk);
        warp_set_add(&h->begun, warp);
        if (of_large++ % parts == 0) first = warp;
        w->place = h->warp[first].parts;
        h->warp[first].part[h->warp[first].parts++] = (uint8_t)warp;
        shadow_top(&h->warp[first])->mask |= (re_convergence_mask)w->live << w->place * s->warp_size;
        threads += count_of(w->live);
        part += count_of(w->live) != s->warp_size;
        reckon_of(h->told, "threads that begin, behind the first that does not,", warp, h->cycle,
                  w->live & (w->live + 1), 0);
        shadow_engine_started(h, warp);
        reckon_of(h->told, "work-group of a warp that begins", warp, h->cycle, s->warp[warp].group, g);
    }
    x->live = threads;
    const struct machine_launch *l = s->launch;
    const unsigned all = l->local_size[0] * l->local_size[1] * l->local_size[2];
    if (!(x->scalar_live && !threads))
        reckon(h->told, "threads of a work-group that begins", h->cycle, threads, all);
    reckon(h->told, "warps of it that are not full", h->cycle, part, threads % s->warp_size != 0);
    reckon(h->told, "start", h->cycle, s->barriers.in.start, true);
    reckon(h->told, "start_group", h->cycle, s->barriers.in.start_group, g);
    reckon(h->told, "start_live", h->cycle, s->barriers.in.start_live, threads);
    reckon(h->told, "start_scalar", h->cycle, s->barriers.in.start_scalar, x->scalar_live);
}

void shadow_begin_cycle(struct sms_shadow *h, uint64_t t) {
    struct sm *s = h->s;
    bool starts = false;
    shadow_engines_before(h);
    h->cycle = t;
    h->called = 0;
    h->begun = 0;
    h->uniform = (struct uniform_told){.to = 0};
    for (unsigned g = 0; g < s->groups; ++g) {
        const bool same = h->group[g].used && h->group[g].number == s->group[g].number;
        if (s->group[g].used && !same) {
            start_group(h, g);
            starts = true;
        }
    }
    if (!starts) reckon(h->told, "start", t, s->barriers.in.start, false);
}

/* --- flights --- */

static uint64_t registers(void) {
    return (bit_of(ARM_REGISTERS) - 1) & ~bit_of(15);
}

/* Returns the registers that a flight reads in a round. A multiple access reads the base with the first beat,
 * a store the registers of each beat with it. Scalars are read with the first round of a beat, or from their
 * own register file. */
static uint64_t reads_in(const struct sm *s, const struct sm_flight *f, unsigned round) {
    const struct arm_instruction *i = f->i;
    const unsigned beat = round / f->of_beat, beats = i->access_count;
    uint64_t all = i->sources;
    if (beats > 1) {
        uint64_t data = i->is_store ? i->sources & ~bit_of(i->rn) : 0;
        const unsigned each = count_of(data) / beats;
        uint64_t its = beat == 0 ? i->sources & bit_of(i->rn) : 0;
        for (unsigned n = 0; data; ++n, data &= data - 1)
            if (each && n / each == beat) its |= data & -data;
        all = its;
    }
    all &= ~f->saved;
    const bool file = s->config->uniform.storage == UNIFORM_SRF || s->lanes.scalar_unit;
    return file || round % f->of_beat ? all & ~f->uniform.tokens : all;
}

/* Returns the registers that a flight still has to read. */
static uint64_t unread_of(const struct sms_shadow *h, const struct sm_flight *f) {
    uint64_t unread = 0;
    if (f->o_round >= f->reads) return 0;
    for (unsigned round = f->o_round + 1u; round < f->reads; ++round) unread |= reads_in(h->s, f, round);
    const bool before = !h->s->lanes.in_turn; /* I comes before O in a cycle */
    if (f->o_from > h->cycle ||
        (before && f->o_from == h->cycle && f->o_round == 0 && f->o_left == reads_in(h->s, f, 0)))
        return f->i->sources & ~f->saved & ((f->i->sources & ~f->uniform.tokens) | f->uniform.tokens);
    return unread | f->o_left;
}

/* Returns the registers that a flight still has to write. */
static uint64_t pending_of(const struct sms_shadow *h, const struct sm_flight *f) {
    uint64_t pending = 0;
    if (!f->passed) return 0;
    for (uint64_t rest = f->i->destinations & registers() & ~f->saved; rest; rest &= rest - 1)
        if (f->w_left[__builtin_ctzll(rest)]) pending |= rest & -rest;
    const uint64_t flags = f->i->writes & (ARM_STATE_NZCV | ARM_STATE_FPSCR_FLAGS | ARM_STATE_FPSCR_MODES);
    const unsigned last = f->rounds - 1u;
    if (!flags || f->from_memory) return pending | (f->flags & flags);
    const bool there =
        f->x_round == f->rounds && last < SM_MAX_ROUNDS && h->cycle >= f->x_at[last] + f->latency;
    return there ? pending : pending | flags;
}

bool shadow_is_over(const struct sm_flight *f) {
    return f->x_round == f->rounds && !f->destinations && !f->flags && f->all_sent && !f->answers;
}

static void make_room(struct sms_shadow *h) {
    const unsigned before = h->flights;
    if (h->s->flight_room <= before) return;
    h->flights = h->s->flight_room;
    h->flight = realloc(h->flight, h->flights * sizeof *h->flight);
    h->flying = realloc(h->flying, h->flights * sizeof *h->flying);
    require_memory(h->flight && h->flying);
    memset(h->flight + before, 0, (h->flights - before) * sizeof *h->flight);
}

static void list_flights(struct sms_shadow *h) {
    struct sm *s = h->s;
    static _Thread_local uint8_t unused[UINT16_MAX + 1];
    make_room(h);
    memset(unused, 0, s->flight_room);
    for (unsigned n = s->flight_free; n != SM_NO_FLIGHT; n = s->flight[n].next) unused[n] = 1;
    h->flying_count = 0;
    for (unsigned n = 0; n < s->flight_room; ++n)
        if (!unused[n]) h->flying[h->flying_count++] = (uint16_t)n;
}

enum sm_effect shadow_effect_of(const struct arm_instruction *i) {
    const enum coprocessor_operation o =
        i->is_coprocessor ? coprocessor_decode(i).operation : COPROCESSOR_UNDEFINED;
    return o == COPROCESSOR_BARRIER || o == COPROCESSOR_SYNC ? SM_BARRIER
           : o == COPROCESSOR_EXIT                           ? SM_EXIT
           : i->writes_pc                                    ? SM_BRANCH
                                                             : SM_NO_EFFECT;
}

/* Barrel: returns the choice for a flight that begins O, the last one to leave the dispatch queue. */
static struct shadow_choice *choice_of(struct sms_shadow *h, const struct sm_flight *f) {
    const unsigned scheduler = f->warp % h->s->schedulers;
    const struct unit *u = h->s->front[scheduler].unit;
    return &h->scheduler[scheduler].choice[u->order[(u->collecting - 1) % UNIT_RING]];
}

/* Records an issued instruction. Its threads must be live, not waiting, at its PC, and the ones that run. */
static void take_note(struct sms_shadow *h, unsigned number) {
    struct sm *s = h->s;
    const struct sm_flight *f = &s->flight[number];
    struct shadow_warp *w = &h->warp[f->warp];
    const bool copy = f->uniform.form == UNIFORM_COPY;
    uint32_t pc;
    h->flight[number] = (struct shadow_flight){.age = f->age, .known = true};
    if (h->asks.is) {
        h->flight[number].reuses = h->asks;
        h->flight[number].reuses.result =
            reuse_result_of(f->i, &s->warp[f->warp].threads, (unsigned)__builtin_ctzll(f->participating));
        h->asks.is = false;
    }
    if (!s->barrel) {
        const uint64_t runs = shadow_runs(h, f->warp, &pc);
        reckon_of(h->told, "threads that issue, of warp", f->warp, h->cycle, f->participating, runs);
        reckon_of(h->told, "PC at which they do, of warp", f->warp, h->cycle, f->pc, pc);
        struct shadow_scheduler *q = &h->scheduler[f->warp % s->schedulers];
        q->issued = true;
        q->warp = f->warp / s->schedulers;
        q->writes |= pending_of(h, f);
    } else if (!f->threads.regrouped) {
        struct shadow_choice *x = choice_of(h, f);
        reckon_of(h->told, "threads that issue, of warp", f->warp, h->cycle, f->participating, x->threads);
        reckon_of(h->told, "PC at which they do, of warp", f->warp, h->cycle, f->pc, x->pc);
        x->threads = 0;
    }
    for (uint64_t rest = f->participating; rest; rest &= rest - 1) {
        const struct sm_thread t = sm_thread_of(s, f, (unsigned)__builtin_ctzll(rest));
        struct shadow_warp *x = &h->warp[t.warp];
        const uint64_t bit = bit_of(t.position);
        const unsigned thread = t.warp * s->warp_size + t.position;
        reckon_of(h->told, "may a thread issue, that", thread, h->cycle, true,
                  x->live & bit && !(x->waiting & bit) && !(x->flying & bit));
        reckon_of(h->told, "PC of thread", thread, h->cycle, f->pc, x->pc[t.position]);
        if (s->barrel) x->flying |= bit;
        if (f->threads.regrouped) x->chosen &= ~bit;
        if (!s->barrel && !copy && shadow_effect_of(f->i) == SM_NO_EFFECT) x->pc[t.position] = f->pc + 4;
    }
    if (h->large) shadow_large_begins(h, f);
    if (s->barrel || copy) return;
    if (shadow_effect_of(f->i) != SM_NO_EFFECT) {
        ++w->unresolved;
    } else if (h->stacks && w->depth) {
        shadow_stack_advance(w);
    }
}

void shadow_observe(struct sms_shadow *h) {
    struct sm *s = h->s;
    list_flights(h);
    memset(h->pending, 0, sizeof h->pending);
    memset(h->unread, 0, sizeof h->unread);
    memset(h->in_flight, 0, sizeof h->in_flight);
    memset(h->loads, 0, sizeof h->loads);
    memset(h->stores, 0, sizeof h->stores);
    for (bool more = true; more;) { /* new flights in the order of issue */
        int next = -1;
        for (unsigned n = 0; n < h->flying_count; ++n) {
            const unsigned k = h->flying[n];
            const bool known = h->flight[k].known && h->flight[k].age == s->flight[k].age;
            if (!known && (next < 0 || s->flight[k].age < s->flight[next].age)) next = (int)k;
        }
        more = next >= 0;
        if (more) take_note(h, (unsigned)next);
    }
    for (unsigned n = 0; n < h->flying_count; ++n) {
        const struct sm_flight *f = &s->flight[h->flying[n]];
        h->pending[f->warp] |= pending_of(h, f);
        h->unread[f->warp] |= unread_of(h, f);
        ++h->in_flight[f->warp];
        h->loads[f->warp] += f->i->is_load && f->kind == SM_LDST;
        h->stores[f->warp] += f->i->is_store && f->kind == SM_LDST;
    }
}

/* --- their effects --- */

uint32_t shadow_next_of(const struct sms_shadow *h, const struct sm_flight *f, unsigned k) {
    const struct sm_thread t = sm_thread_of(h->s, f, k);
    const bool jumps = f->passed >> k & 1 && f->i->writes_pc;
    return jumps ? h->s->warp[t.warp].threads.next_pc[t.position] : f->pc + 4;
}

static bool is_call(const struct arm_instruction *i) {
    return i->writes_pc && i->class == ARM_CLASS_BRANCH && i->destinations & bit_of(14);
}

uint32_t shadow_meeting_of(const struct machine_code *c, uint32_t pc) {
    const uint32_t meeting = c->meeting ? c->meeting[(pc - c->text_base) / 4] : MACHINE_TOGETHER;
    return meeting == MACHINE_TOGETHER ? 0 : meeting;
}

/* Moves the threads on that neither wait at the barrier of the instruction nor end. */
static void go_on(struct sms_shadow *h, const struct sm_flight *f) {
    const enum sm_effect effect = shadow_effect_of(f->i);
    const bool stops = effect == SM_BARRIER || effect == SM_EXIT;
    struct shadow_warp *w = &h->warp[f->warp];
    const bool copy = f->uniform.form == UNIFORM_COPY;
    uint32_t next[ARM_MAX_POSITIONS];
    for (uint64_t rest = f->participating; rest; rest &= rest - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(rest);
        const struct sm_thread t = sm_thread_of(h->s, f, k);
        struct shadow_warp *x = &h->warp[t.warp];
        const bool passed = f->passed >> k & 1;
        if (!(stops && passed)) x->flying &= ~bit_of(t.position);
        if (stops && passed && effect == SM_BARRIER) x->arriving |= bit_of(t.position);
        if (stops && passed && effect == SM_EXIT) x->leaving |= bit_of(t.position);
        next[k] = copy ? f->pc : shadow_next_of(h, f, k);
        x->waits_at[t.position] = f->pc;
        x->pc[t.position] = next[k];
        if (f->i->is_coprocessor && passed && !copy)
            levels_change(&x->level[t.position], coprocessor_decode(f->i));
    }
    if (!h->stacks || stops || copy || !w->depth) return;
    shadow_stack_diverge(w, next, f->pc + 4, is_call(f->i) ? f->passed : 0,
                         shadow_meeting_of(h->s->launch->code, f->pc));
}

/* A barrier or an exit has its turn: in a warp's stack. */
static void have_turn(struct sms_shadow *h, const struct sm_flight *f) {
    struct shadow_warp *w = &h->warp[f->warp];
    const bool exits = shadow_effect_of(f->i) == SM_EXIT;
    if (h->large) shadow_large_turn(h, f, exits);
    if (!h->stacks || !w->depth) return;
    if (!exits || f->participating & ~f->passed) shadow_stack_advance(w);
    if (exits)
        shadow_stack_exit(w, f->passed);
    else
        w->waiting |= f->passed;
    shadow_stack_stand(w, w->waiting);
}

/* Returns the oldest flight whose barrier or exit waits for its turn; −1 if none. */
static int oldest_leaver(const struct sms_shadow *h) {
    int oldest = -1;
    for (unsigned n = 0; n < h->flying_count; ++n) {
        const unsigned k = h->flying[n];
        if (h->flight[k].leaves && !h->flight[k].over &&
            (oldest < 0 || h->s->flight[k].age < h->s->flight[oldest].age))
            oldest = (int)k;
    }
    return oldest;
}

/* Applies the effects at the end of the cycle. *stopped: threads of the flight whose barrier or exit has its
 * turn. */
static void take_effect(struct sms_shadow *h, unsigned *stopped) {
    const struct sm *s = h->s;
    for (unsigned n = 0; n < h->flying_count; ++n) {
        const unsigned k = h->flying[n];
        const struct sm_flight *f = &s->flight[k];
        struct shadow_flight *x = &h->flight[k];
        const enum sm_effect effect = f->uniform.form == UNIFORM_COPY ? SM_NO_EFFECT : shadow_effect_of(f->i);
        const bool stops = effect == SM_BARRIER || effect == SM_EXIT;
        const bool loads = f->kind == SM_LDST && f->passed && effect == SM_BRANCH;
        const bool now = s->barrel || loads ? shadow_is_over(f) : f->x_round == f->rounds;
        if (!now || x->leaves || x->over) continue;
        if (s->barrel || effect != SM_NO_EFFECT) go_on(h, f);
        const bool last = !h->large || shadow_large_executed(h, f);
        if (h->large && last && !stops)
            shadow_large_diverge(h, f, is_call(f->i), shadow_meeting_of(s->launch->code, f->pc));
        x->leaves = stops && last;
        x->over = !x->leaves;
        if (effect == SM_BRANCH && !s->barrel) --h->warp[f->warp].unresolved;
    }
    const int k = oldest_leaver(h);
    *stopped = 0;
    if (k < 0) return;
    h->flight[k].over = true;
    if (!s->barrel) --h->warp[s->flight[k].warp].unresolved;
    const re_convergence_mask passed =
        h->large ? shadow_large_of(h, &s->flight[k])->passed : s->flight[k].passed;
    *stopped = count_of((uint64_t)passed) + count_of((uint64_t)(passed >> 64));
    have_turn(h, &s->flight[k]);
}

/* --- barriers --- */

/* Threads that arrived at a barrier, and threads that exited, in one cycle. */
struct events {
    unsigned arrive, arrive_group, leave, leave_group;
    uint32_t pc;
    bool with;
    uint64_t scalar_arrives, scalar_exits;
};

static bool syncs_at(const struct sms_shadow *h, uint32_t pc) {
    const struct arm_instruction *i = machine_code_at(h->s->launch->code, pc);
    return i && i->is_coprocessor && coprocessor_decode(i).operation == COPROCESSOR_SYNC;
}

static void look_at_warp(struct sms_shadow *h, unsigned warp, uint64_t live, uint64_t waiting,
                         struct events *e) {
    const struct sm_warp *is = &h->s->warp[warp];
    struct shadow_warp *w = &h->warp[warp];
    const uint64_t gained = is->waiting & ~waiting, lost = live & ~is->live;
    reckon_of(h->told, "threads that come to a barrier without being there, of warp", warp, h->cycle,
              gained & ~w->arriving, 0);
    reckon_of(h->told, "threads that end without having executed an exit, of warp", warp, h->cycle,
              lost & ~w->leaving, 0);
    for (uint64_t rest = gained; rest; rest &= rest - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(rest);
        if (e->arrive++) reckon(h->told, "barriers reached in a cycle", h->cycle, w->waits_at[k], e->pc);
        e->pc = w->waits_at[k];
        e->arrive_group = is->group;
        e->with = syncs_at(h, e->pc);
        if (e->with) w->with |= rest & -rest;
    }
    w->arriving &= ~gained;
    w->flying &= ~(gained | lost);
    w->leaving &= ~lost;
    w->waiting = waiting | gained;
    w->live = live & ~lost;
    if (lost && !w->live) h->released = (int)warp;
    e->leave += count_of(lost);
    if (lost) e->leave_group = is->group;
}

static void look_at_scalar_threads(struct sms_shadow *h, struct events *e) {
    for (unsigned g = 0; h->s->scalar && g < h->s->scalar->threads; ++g) {
        const enum sm_effect effect = shadow_scalar_effect(h, g);
        if (effect == SM_BARRIER) e->scalar_arrives |= bit_of(g);
        if (effect == SM_EXIT) e->scalar_exits |= bit_of(g);
    }
}

/* Decides whether a work-group's barrier opens after the events of the cycle, or can never open. */
static void decide(struct sms_shadow *h, unsigned g, const struct events *e, bool *opens, bool *stuck,
                   bool *with) {
    const struct sm *s = h->s;
    struct shadow_group *x = &h->group[g];
    const bool released = x->release;
    uint32_t pc = 0;
    bool mixed = false;
    *with = false;
    x->live = x->waiting = 0;
    for (unsigned w = 0; w < s->warps; ++w) {
        const struct shadow_warp *y = &h->warp[w];
        if (!y->live || s->warp[w].group != g) continue;
        x->live += count_of(y->live);
        for (uint64_t rest = released ? 0 : y->waiting & y->live; rest; rest &= rest - 1) {
            const uint32_t its = y->waits_at[__builtin_ctzll(rest)];
            mixed |= x->waiting++ && its != pc;
            pc = its;
        }
    }
    if (e->scalar_exits >> g & 1) x->scalar_live = false;
    x->scalar_waits = (x->scalar_waits && !x->release_scalar) || e->scalar_arrives >> g & 1;
    const bool all = x->waiting && x->waiting == x->live;
    *with = x->waiting && syncs_at(h, pc);
    *stuck = all && mixed;
    *opens =
        (all && !mixed && !(*with && x->scalar_live && !x->scalar_waits)) || (!x->live && x->scalar_waits);
    *with = *opens && x->scalar_waits && (!x->live || *with);
}

static void release(struct sms_shadow *h, unsigned g) {
    for (unsigned w = 0; w < h->s->warps; ++w)
        if (h->s->warp[w].group == g) h->warp[w].waiting = h->warp[w].with = 0;
}

/* Notes the insertion of the oldest flight that leaves the pipeline. */
static void note_insertion(struct sms_shadow *h) {
    for (unsigned n = 0; n < h->flying_count; ++n) {
        const unsigned k = h->flying[n];
        struct reuse_told *r = &h->flight[k].reuses;
        if (!r->is || !shadow_is_over(&h->s->flight[k])) continue;
        if (!h->insert.is || h->s->flight[k].age < h->insert.age) {
            h->insert = *r;
            h->insert.age = h->s->flight[k].age;
        }
        r->is = false;
    }
}

void shadow_barriers(struct sms_shadow *h) {
    struct sm *s = h->s;
    const struct barrier_table_in *in = &s->barriers.in;
    const struct barrier_table_out *out = &s->barriers.out;
    const enum divergence_kind d = s->config->simt.divergence;
    const bool in_turn = h->stacks || h->large || d == DIVERGENCE_pc || d == DIVERGENCE_dwf;
    uint64_t live[SM_MAX_WARPS], waiting[SM_MAX_WARPS], opens = 0, stuck = 0, released = 0, scalar = 0,
                                                        next = 0;
    struct events e = {0};
    for (unsigned w = 0; w < s->warps; ++w) {
        live[w] = h->warp[w].live;
        waiting[w] = h->warp[w].waiting;
    }
    unsigned stopped;
    take_effect(h, &stopped);
    for (unsigned w = 0; w < s->warps; ++w) look_at_warp(h, w, live[w], waiting[w], &e);
    look_at_scalar_threads(h, &e);
    if (in_turn)
        reckon(h->told, "threads that arrive or exit in turn", h->cycle, e.arrive + e.leave, stopped);
    reckon(h->told, "arrive_count", h->cycle, in->arrive_count, e.arrive);
    reckon(h->told, "exit_count", h->cycle, in->exit_count, e.leave);
    if (e.arrive) {
        reckon(h->told, "arrive_group", h->cycle, in->arrive_group, e.arrive_group);
        reckon(h->told, "arrive_pc", h->cycle, in->arrive_pc, e.pc);
        reckon(h->told, "arrive_scalar", h->cycle, in->arrive_scalar, e.with);
    }
    if (e.leave) reckon(h->told, "exit_group", h->cycle, in->exit_group, e.leave_group);
    reckon(h->told, "scalar_arrives", h->cycle, in->scalar_arrives, e.scalar_arrives);
    reckon(h->told, "scalar_exits", h->cycle, in->scalar_exits, e.scalar_exits);
    for (unsigned g = 0; g < s->groups; ++g) {
        struct shadow_group *x = &h->group[g];
        bool open, never, with;
        decide(h, g, &e, &open, &never, &with);
        opens |= (uint64_t)open << g;
        stuck |= (uint64_t)never << g;
        next |= (uint64_t)with << g;
        released |= (uint64_t)x->release << g;
        scalar |= (uint64_t)x->release_scalar << g;
    }
    const bool acts = e.arrive || e.leave || e.scalar_arrives || e.scalar_exits || in->start || released;
    if (acts) reckon(h->told, "opens", h->cycle, out->opens, opens);
    if (acts) reckon(h->told, "deadlock", h->cycle, out->deadlock, stuck);
    reckon(h->told, "release", h->cycle, out->release, released);
    reckon(h->told, "release_scalar", h->cycle, out->release_scalar, scalar);
    for (unsigned g = 0; g < s->groups; ++g) {
        if (h->group[g].release) release(h, g);
        if (h->group[g].release_scalar) {
            h->group[g].scalar_waits = false;
            shadow_scalar_released(h, g);
        }
        h->group[g].release = opens >> g & 1;
        h->group[g].release_scalar = next >> g & 1;
    }
    note_insertion(h);
    shadow_engines_after(h, released);
    for (unsigned n = 0; n < s->units; ++n) h->taken[n] = 0;
    for (unsigned n = 0; n < h->flying_count; ++n) {
        const struct sm_flight *f = &s->flight[h->flying[n]];
        h->taken[f->unit] += f->x_round < f->rounds;
    }
}

/* --- in the middle of a cycle --- */

void shadow_check_threads(struct sms_shadow *h) {
    const struct sm *s = h->s;
    for (unsigned w = 0; w < s->warps; ++w) {
        const struct shadow_warp *x = &h->warp[w];
        if (h->large && x->parts) shadow_check_stack(h, w);
        reckon_of(h->told, "threads that live, of warp", w, h->cycle, s->warp[w].live, x->live);
        if (!x->live) continue;
        reckon_of(h->told, "threads that wait at a barrier, of warp", w, h->cycle, s->warp[w].waiting,
                  x->waiting);
        if (h->stacks) shadow_check_stack(h, w);
    }
}

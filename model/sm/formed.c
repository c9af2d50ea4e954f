/* Engines of an SM that form warps: the unit of each scheduler has an engine (struct divergence_slot), which
 * forms warps of threads of the scheduler's warps of the register file.
 *
 * An engine that chooses the cycle of a commit commits at most one barrier or exit of the SM at a time: the
 * engine learns in its turn that such a flight has been written. */
#include "model/sm/regrouped.h"
#include "model/sm/stacks.h"
#include "model/unit/regrouped.h"

#include "sim/error.h"

#include <string.h>

static struct unit *unit_of(const struct sm *s, unsigned scheduler) {
    return s->front[scheduler].unit;
}
static struct unit *unit_of_flight(const struct sm *s, const struct sm_flight *f) {
    return unit_of(s, f->warp % s->schedulers);
}
static struct sm *sm_of(const struct unit *u) {
    return (struct sm *)u->simt;
}

/* --- the threads of an engine's warp --- */

static void take(struct unit *u, struct unit_flight *f, const struct regrouped_warp *w) {
    const struct sm *s = sm_of(u);
    struct sm_threads *x = &s->front[u->path].selected[f - u->flight].threads;
    const unsigned lane = (unsigned)__builtin_ctzll(w->valid), first = unit_home(u, w->row[lane], lane);
    f->warp = (uint16_t)(first / s->warp_size);
    f->pc = w->pc;
    f->participating = w->valid;
    x->in_place = w->in_row && s->rows_whole;
    x->first = (uint8_t)(first % s->warp_size - lane);
    for (uint64_t rest = x->in_place ? 0 : w->valid; rest; rest &= rest - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(rest);
        x->at[k] = (uint16_t)unit_home(u, w->row[k], k);
    }
}

static uint64_t ready(const struct unit *u, unsigned warp) {
    return sm_of(u)->warp[warp].live & ~sm_of(u)->warp[warp].waiting;
}

static uint64_t waiting(const struct unit *u, unsigned warp) {
    return sm_of(u)->warp[warp].waiting;
}

static struct re_convergence_stack *stacks(const struct unit *u) {
    return &sm_of(u)->stack;
}

static const uint32_t *pcs(const struct unit *u, unsigned warp) {
    return sm_of(u)->warp[warp].threads.pc;
}

static void commit(struct unit *u, const struct regrouped_warp *w, const struct regrouped_outcome *o,
                   uint64_t leaving, uint64_t t) {
    struct sm *s = sm_of(u);
    const unsigned count = (unsigned)__builtin_popcountll(leaving);
    (void)t;
    for (uint64_t rest = leaving; rest; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctzll(rest), home = unit_home(u, w->row[lane], lane);
        const uint64_t thread = bit_of(home % s->warp_size);
        if (o->waits)
            sm_wait(s, home / s->warp_size, thread, w->pc);
        else
            sm_exit_threads(s, home / s->warp_size, thread);
        sm_update_warp(s, home / s->warp_size);
    }
    if (o->waits)
        sm_tell_arrival(s, w->group, count, sm_instruction(s, w->pc));
    else if (count)
        sm_tell_exit(s, w->group, count);
}

static void commit_large(struct unit *u, const struct regrouped_large *w, uint64_t t) {
    struct sm *s = sm_of(u);
    const uint32_t pc = re_convergence_stack_pc(&s->stack, w->number);
    const struct arm_instruction *i = sm_instruction(s, pc);
    const struct sm_stack_commit c = {.warp = w->number,
                                      .part = w->part,
                                      .parts = w->parts,
                                      .i = i,
                                      .pc = pc,
                                      .effect = sm_effect_of(i),
                                      .participating = w->participating,
                                      .passed = w->passed};
    (void)t;
    sm_stack_commit(s, &c);
    s->front[u->path].busy &= ~sm_scheduler_bit(s, w->number);
}

/* --- life --- */

static void create(struct sm *s) {
    static const struct regrouped_machine machine = {.take = take,
                                                     .ready = ready,
                                                     .pcs = pcs,
                                                     .commit = commit,
                                                     .waiting = waiting,
                                                     .stacks = stacks,
                                                     .commit_large = commit_large};
    struct unit_regrouped r = {.machine = &machine,
                               .rows = s->config->cluster.threads / s->schedulers / s->positions,
                               .width = s->positions,
                               .size = s->warp_size,
                               .schedulers = s->schedulers,
                               .groups = s->groups,
                               .whole = s->rows_whole};
    for (unsigned n = 0; n < s->warp_size; ++n) r.place[n] = (uint8_t)n;
    for (unsigned n = 0; n < s->schedulers; ++n) {
        struct unit *u = unit_of(s, n);
        unit_regroup(u, &r);
        u->rows.divergence = s->formed;
        s->formed->create(u);
    }
}

static void launch(struct sm *s) {
    s->granted = SM_NO_FLIGHT;
    for (unsigned n = 0; n < s->schedulers; ++n) s->formed->launch(unit_of(s, n));
}

static void start(struct sm *s, unsigned group) {
    const unsigned rows = s->warp_size / s->positions;
    for (warp_set rest = s->group[group].warps; rest; rest &= rest - 1) {
        const unsigned warp = warp_set_first(rest);
        for (unsigned k = 0; k < s->warp_size; ++k) s->warp[warp].threads.pc[k] = s->launch->thunk;
        if (s->formed->start)
            unit_start_rows(unit_of(s, warp % s->schedulers), warp / s->schedulers * rows, rows, group);
    }
    for (unsigned n = 0; s->formed->start_warps && n < s->schedulers; ++n)
        s->formed->start_warps(unit_of(s, n), s->group[group].warps & s->of_share[n]);
}

/* --- S, X, W --- */

/* Grants the next barrier arrival or exit, if its flight belongs to this scheduler. At most one grant is
 * outstanding in the SM. */
static void grant(struct sm *s, struct unit *u, uint64_t t) {
    const uint16_t next = sm_next_leaver(s);
    if (next == SM_NO_FLIGHT || s->granted != SM_NO_FLIGHT || unit_of_flight(s, &s->flight[next]) != u)
        return;
    s->granted = next;
    s->formed->written(u, s->flight[next].threads.warp, t);
}

static bool select_warp(struct sm *s, unsigned scheduler, uint64_t t, bool free, struct sm_selected *x) {
    struct unit *u = unit_of(s, scheduler);
    if (s->formed->commits) grant(s, u, t);
    if (s->formed->pick) {
        const int n = s->formed->pick(u, free, t);
        if (n == UNIT_NONE) return false;
        x->flight->formed = (unsigned)n;
    } else if (!sm_pick(s, scheduler, (uint64_t)u->ready, t, &x->flight->formed)) {
        return false;
    }
    if (s->formed->subwarp) s->front[scheduler].busy |= bit_of(x->flight->formed);
    s->formed->take(u, x->flight);
    x->threads.regrouped = true;
    x->threads.warp = x->flight->formed;
    return true;
}

static bool moves(const struct sm *s, unsigned scheduler, bool free) {
    const struct unit *u = unit_of(s, scheduler);
    return s->formed->moves ? s->formed->moves(u, free) : free && u->ready;
}

static void arbitrate(struct sm *s, struct sm_selected *x) {
    if (s->formed->open)
        x->flight->pc = s->formed->open(unit_of(s, x->flight->warp % s->schedulers), x->threads.warp);
}

static bool next_flight(struct sm *s, struct sm_selected *x) {
    struct unit_flight *f = x->flight;
    if (!s->formed->subwarp) return false;
    struct unit *u = unit_of(s, f->warp % s->schedulers);
    const bool more = s->formed->subwarp(u, x->threads.warp, &f->participating, x->threads.at);
    const unsigned lane = (unsigned)__builtin_ctzll(f->participating), first = x->threads.at[lane];
    f->warp = (uint16_t)(first / s->warp_size);
    x->threads.in_place = s->rows_whole;
    x->threads.first = (uint8_t)(first % s->warp_size - lane);
    for (uint64_t rest = f->participating; rest; rest &= rest - 1)
        x->threads.in_place &=
            x->threads.at[__builtin_ctzll(rest)] - (unsigned)__builtin_ctzll(rest) == first - lane;
    return more;
}

/* Notes the threads of a flight whose condition held. */
static void note_passed(struct sm *s, struct unit *u, const struct sm_flight *f) {
    if (f->threads.in_place) {
        s->formed->passed(u, f->threads.warp, f->warp, f->passed << f->threads.first);
        return;
    }
    for (uint64_t rest = f->passed; rest; rest &= rest - 1) {
        const struct sm_thread thread = sm_thread_of(s, f, (unsigned)__builtin_ctzll(rest));
        s->formed->passed(u, f->threads.warp, thread.warp, bit_of(thread.position));
    }
}

void sm_formed_executes(struct sm *s, struct sm_flight *f) {
    if (f->kind != SM_LDST || !sm_ldst_spaces(s, f).rest) return;
    s->formed->accesses(unit_of_flight(s, f), f->threads.warp);
    f->threads.warp = REGROUPED_AWAY;
}

static bool written(struct sm *s, struct sm_flight *f) {
    struct unit *u = unit_of_flight(s, f);
    if (s->formed->passed) note_passed(s, u, f);
    if (s->formed->ends) return s->formed->ends(u, f->threads.warp);
    if (!s->formed->commits || f->effect == SM_BARRIER || f->effect == SM_EXIT) return true;
    if (f->threads.warp != REGROUPED_AWAY) {
        s->formed->written(u, f->threads.warp, s->now);
        return false;
    }
    for (uint64_t rest = f->participating; rest; rest &= rest - 1) {
        const struct sm_thread thread = sm_thread_of(s, f, (unsigned)__builtin_ctzll(rest));
        unit_accessed(u, thread.warp * s->warp_size + thread.position);
    }
    return false;
}

/* --- the end of a cycle --- */

static void commit_flight(struct sm *s, struct sm_flight *f) {
    s->formed->commit_formed(unit_of_flight(s, f), f->threads.warp, s->now);
}

void sm_formed_commits(struct sm *s, uint64_t t) {
    for (unsigned n = 0; n < s->schedulers; ++n) {
        const unsigned number = s->formed->commits(unit_of(s, n), t);
        struct sm_flight *f = s->granted == SM_NO_FLIGHT ? NULL : &s->flight[s->granted];
        if (!f || unit_of_flight(s, f) != unit_of(s, n) || f->threads.warp != number) continue;
        sm_leave(s, f);
        s->granted = SM_NO_FLIGHT;
    }
}

static void release(struct sm *s, unsigned group) {
    for (unsigned n = 0; n < s->schedulers; ++n) s->formed->release(unit_of(s, n), group);
}

void sm_formed_end_cycle(struct sm *s, uint64_t t) {
    for (unsigned n = 0; n < s->schedulers; ++n) s->formed->end(unit_of(s, n), t);
}

/* --- counters, waves and twins --- */

static void places(const struct sm *s, unsigned scheduler, thread_place_visitor *visit, void *context) {
    const struct unit *u = unit_of(s, scheduler);
    if (s->formed->places) s->formed->places(u, visit, context);
    for (unsigned n = scheduler; s->formed->large && n < s->warps; n += s->schedulers) {
        const struct regrouped_large *w = s->formed->large(u, n);
        if (w) sm_stack_places(s, n, w->part, w->parts, visit, context);
    }
}

static void register_counters(struct sm *s, const char *scope, struct counter_registry *r) {
    for (unsigned n = 0; s->formed->register_counters && n < s->schedulers; ++n)
        s->formed->register_counters(unit_of(s, n), scope, r);
}

static void *clocked(struct sm *s, struct sm_clocked_block *b) {
    if (!s->formed->clocked) return NULL;
    return s->formed->clocked(unit_of(s, b->scheduler), b->block, sm_clocked_cycle, b);
}

const struct sm_divergence sm_divergence_formed = {
    .create = create,
    .launch = launch,
    .start = start,
    .select = select_warp,
    .moves = moves,
    .arbitrate = arbitrate,
    .next_flight = next_flight,
    .written = written,
    .commit = commit_flight,
    .release = release,
    .register_counters = register_counters,
    .where = sm_regrouped_where,
    .places = places,
    .clocked = clocked,
};

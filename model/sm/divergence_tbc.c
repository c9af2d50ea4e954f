/* tbc: thread-block compaction (divergence.md §4; thread_block_compaction.h). A re-convergence stack controls
 * a whole work-group, whose warps are formed from any of its threads. A warp has the number of a warp of the
 * register file. */
#include "model/divergence/thread_block_compaction.h"
#include "model/config/divergence_engine.h"
#include "model/sm/regrouped.h"

#include "sim/error.h"

#include <stdlib.h>

static struct thread_block_compaction *compaction_of(const struct sm *s, unsigned scheduler) {
    return (struct thread_block_compaction *)s->engine + scheduler;
}

static void create(struct sm *s) {
    const unsigned rows = (s->warps + s->schedulers - 1) / s->schedulers;
    s->engine = calloc(s->schedulers, sizeof(struct thread_block_compaction));
    require_memory(s->engine);
    for (unsigned n = 0; n < s->schedulers; ++n)
        thread_block_compaction_init(compaction_of(s, n), rows, s->warp_size, s->groups,
                                     s->config->simt.stack_calls);
}

static void destroy(struct sm *s) {
    for (unsigned n = 0; n < s->schedulers; ++n) thread_block_compaction_free(compaction_of(s, n));
    free(s->engine);
}

static void launch(struct sm *s) {
    for (unsigned n = 0; n < s->schedulers; ++n) thread_block_compaction_clear(compaction_of(s, n));
}

static void begin(struct sm *s, unsigned scheduler, const struct regrouped_warp *w) {
    thread_block_compaction_start(compaction_of(s, scheduler), w);
}

static void start(struct sm *s, unsigned group) {
    sm_start_regrouped(s, group, begin);
}

static bool select_warp(struct sm *s, unsigned scheduler, uint64_t t, bool free, struct sm_selected *x) {
    struct thread_block_compaction *c = compaction_of(s, scheduler);
    unsigned n;
    (void)free;
    if (!sm_pick(s, scheduler, c->ready, t, &n)) return false;
    sm_select_regrouped(s, scheduler, thread_block_compaction_issue(c, n), x);
    x->threads.warp = n;
    return true;
}

static bool moves(const struct sm *s, unsigned scheduler, bool free) {
    const struct thread_block_compaction *c = compaction_of(s, scheduler);
    return (free && c->ready) || thread_block_compaction_forms(c);
}

/* --- the end of a cycle --- */

static void commit(struct sm *s, struct sm_flight *f) {
    const unsigned scheduler = f->warp % s->schedulers;
    struct thread_block_compaction *c = compaction_of(s, scheduler);
    const struct sm_thread first = sm_thread_of(s, f, (unsigned)__builtin_ctzll(f->participating));
    struct regrouped_outcome o;
    sm_outcome(s, scheduler, &c->warp[f->threads.warp].warp, &o);
    sm_commit_regrouped(s, scheduler, &c->warp[f->threads.warp].warp, &o);
    if (!thread_block_compaction_commit(c, f->threads.warp, &o,
                                        compaction_kind_of(f->i, machine_parts(s->launch->code, f->pc))))
        simt_diagnose(&s->simt, first.warp, first.position, f->pc, COMPACTION_FULL,
                      s->config->simt.stack_calls);
}

static void release(struct sm *s, unsigned group) {
    for (unsigned n = 0; n < s->schedulers; ++n) thread_block_compaction_release(compaction_of(s, n), group);
}

static void end_cycle(struct sm *s, uint64_t t) {
    (void)t;
    for (unsigned n = 0; n < s->schedulers; ++n) thread_block_compaction_form(compaction_of(s, n));
}

/* --- for waves and diagnoses --- */

static const char *const tables[] = {"warps", "stack", NULL};

static void visit_warps(const struct sm *s, unsigned scheduler, thread_place_visitor *visit, void *context) {
    static const enum thread_place_state state[] = {[COMPACTION_READY] = PLACE_READY,
                                                [COMPACTION_ISSUED] = PLACE_FLIGHT,
                                                [COMPACTION_BARRIER] = PLACE_BARRIER,
                                                [COMPACTION_ARRIVED] = PLACE_MEETING};
    const struct thread_block_compaction *c = compaction_of(s, scheduler);
    for (unsigned n = 0; n < c->cfg.rows; ++n)
        if (c->warp[n].state != COMPACTION_FREE)
            sm_visit_regrouped(s, scheduler, &c->warp[n].warp, c->warp[n].warp.valid, state[c->warp[n].state],
                               tables[0], n, visit, context);
}

/* Visits those threads of a row whose innermost entry is `entry`, the n-th above the lowest. */
static void visit_row(const struct sm *s, unsigned scheduler, const struct compaction_block *b, int entry,
                      unsigned n, unsigned row, thread_place_visitor *visit, void *context) {
    const struct thread_block_compaction *c = compaction_of(s, scheduler);
    const struct compaction_entry *e = &c->entry[entry];
    const struct compaction_thread *thread = c->thread + row * c->cfg.width;
    struct regrouped_warp w = {.pc = e->pc};
    const uint64_t unformed = c->unformed[row];
    for (unsigned lane = 0; lane < c->cfg.width; ++lane) {
        w.row[lane] = (uint16_t)row;
        if (thread[lane].entry == entry) w.valid |= bit_of(lane);
    }
    if (entry == b->top && b->entered) w.valid &= unformed;
    const enum thread_place_state state = e->waits           ? PLACE_BARRIER
                                      : e->all != e->own ? PLACE_MEETING
                                                         : PLACE_INACTIVE;
    sm_visit_regrouped(s, scheduler, &w, w.valid, state, tables[1], n, visit, context);
}

static void places(const struct sm *s, unsigned scheduler, thread_place_visitor *visit, void *context) {
    const struct thread_block_compaction *c = compaction_of(s, scheduler);
    visit_warps(s, scheduler, visit, context);
    for (unsigned g = 0; g < c->cfg.groups; ++g) {
        const struct compaction_block *b = &c->block[g];
        unsigned n = b->depth;
        for (int e = b->top; e >= 0; e = c->entry[e].below) {
            --n;
            for (uint64_t rest = b->rows; rest; rest &= rest - 1)
                visit_row(s, scheduler, b, e, n, (unsigned)__builtin_ctzll(rest), visit, context);
        }
    }
}

static void register_counters(struct sm *s, const char *scope, struct counter_registry *r) {
    for (unsigned n = 0; n < s->schedulers; ++n)
        thread_block_compaction_register(compaction_of(s, n), scope, n, r);
}

const struct divergence_engine divergence_engine_tbc = {
    .doc = "a stack for a work-group, which forms new warps where threads diverge",
    .regroups = true,
    .picks = true,
};

const struct sm_divergence sm_divergence_tbc = {
    .create = create,
    .free = destroy,
    .launch = launch,
    .start = start,
    .select = select_warp,
    .moves = moves,
    .commit = commit,
    .release = release,
    .end_cycle = end_cycle,
    .register_counters = register_counters,
    .where = sm_regrouped_where,
    .tables = tables,
    .places = places,
};

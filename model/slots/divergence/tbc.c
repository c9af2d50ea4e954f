/* tbc: thread-block compaction (divergence.md §4.7, §4.10; thread_block_compaction.h). A re-convergence stack
 * controls a whole work-group, whose warps are formed from any of its threads, each at its position. A warp
 * has the number of a home warp. */
#include "model/config/divergence_engine.h"
#include "model/divergence/thread_block_compaction.h"
#include "model/unit/regrouped_parts.h"
#include "model/unit/slots.h"

#include "sim/error.h"

#include <stdlib.h>

static struct thread_block_compaction *compaction_of(const struct unit *u) {
    return u->engine;
}

static void create(struct unit *u) {
    const struct unit_regrouped *r = u->regrouped;
    u->engine = calloc(1, sizeof(struct thread_block_compaction));
    require_memory(u->engine);
    thread_block_compaction_init(compaction_of(u), r->rows, r->width, r->groups,
                                 u->simt->config->simt.stack_calls);
}

static void destroy(struct unit *u) {
    thread_block_compaction_free(compaction_of(u));
    free(u->engine);
}

static void launch(struct unit *u) {
    thread_block_compaction_clear(compaction_of(u));
}

static void start(struct unit *u, const struct regrouped_warp *w) {
    thread_block_compaction_start(compaction_of(u), w);
}

static void take(struct unit *u, struct unit_flight *f) {
    unit_take_regrouped(u, f, thread_block_compaction_issue(compaction_of(u), f->formed));
    u->ready = compaction_of(u)->ready;
}

static bool moves(const struct unit *u, bool free) {
    return (free && u->ready) || thread_block_compaction_forms(compaction_of(u));
}

/* --- the end of a cycle --- */

static void commit(struct unit *u, unsigned number, uint64_t t) {
    struct thread_block_compaction *c = compaction_of(u);
    const struct regrouped_warp *w = &c->warp[number].warp;
    const struct machine_code *code = u->simt->launch->code;
    const unsigned lane = (unsigned)__builtin_ctzll(w->valid), size = u->regrouped->size,
                   home = unit_home(u, w->row[lane], lane);
    const uint32_t pc = w->pc;
    struct regrouped_outcome o;
    unit_commit_regrouped(u, w, &o, t);
    if (!thread_block_compaction_commit(
            c, number, &o, compaction_kind_of(machine_code_at(code, pc), machine_parts(code, pc))))
        simt_diagnose(u->simt, home / size, home % size, pc, COMPACTION_FULL,
                      u->simt->config->simt.stack_calls);
}

static void release(struct unit *u, unsigned group) {
    thread_block_compaction_release(compaction_of(u), group);
}

/* Forms a warp. */
static void end(struct unit *u, uint64_t t) {
    (void)t;
    thread_block_compaction_form(compaction_of(u));
    u->ready = compaction_of(u)->ready;
}

/* --- for waves and diagnoses --- */

static const char *const tables[] = {"warps", "stack", NULL};

static void visit_warps(const struct unit *u, thread_place_visitor *visit, void *context) {
    static const enum thread_place_state state[] = {[COMPACTION_READY] = PLACE_READY,
                                                    [COMPACTION_ISSUED] = PLACE_FLIGHT,
                                                    [COMPACTION_BARRIER] = PLACE_BARRIER,
                                                    [COMPACTION_ARRIVED] = PLACE_MEETING};
    const struct thread_block_compaction *c = compaction_of(u);
    for (unsigned n = 0; n < c->cfg.rows; ++n) {
        if (c->warp[n].state == COMPACTION_FREE) continue;
        const struct regrouped_place at = {state[c->warp[n].state], tables[0], n};
        unit_visit_regrouped(u, &c->warp[n].warp, c->warp[n].warp.valid, at, visit, context);
    }
}

/* Visits those threads of a row whose innermost entry is `entry`, the n-th above the lowest. */
static void visit_row(const struct unit *u, const struct compaction_block *b, int entry, unsigned n,
                      unsigned row, thread_place_visitor *visit, void *context) {
    const struct thread_block_compaction *c = compaction_of(u);
    const struct compaction_entry *e = &c->entry[entry];
    const struct compaction_thread *thread = c->thread + row * c->cfg.width;
    struct regrouped_warp w = {.pc = e->pc};
    for (unsigned lane = 0; lane < c->cfg.width; ++lane) {
        w.row[lane] = (uint16_t)row;
        if (thread[lane].entry == entry) w.valid |= UINT64_C(1) << lane;
    }
    if (entry == b->top && b->entered) w.valid &= c->unformed[row];
    const enum thread_place_state state = e->waits           ? PLACE_BARRIER
                                          : e->all != e->own ? PLACE_MEETING
                                                             : PLACE_INACTIVE;
    unit_visit_regrouped(u, &w, w.valid, (struct regrouped_place){state, tables[1], n}, visit, context);
}

static void places(const struct unit *u, thread_place_visitor *visit, void *context) {
    const struct thread_block_compaction *c = compaction_of(u);
    visit_warps(u, visit, context);
    for (unsigned g = 0; g < c->cfg.groups; ++g) {
        const struct compaction_block *b = &c->block[g];
        unsigned n = b->depth;
        for (int e = b->top; e >= 0; e = c->entry[e].below) {
            --n;
            for (uint64_t rest = b->rows; rest; rest &= rest - 1)
                visit_row(u, b, e, n, (unsigned)__builtin_ctzll(rest), visit, context);
        }
    }
}

static void register_counters(struct unit *u, const char *scope, struct counter_registry *r) {
    thread_block_compaction_register(compaction_of(u), scope, u->path, r);
}

const struct divergence_engine divergence_engine_tbc = {
    .doc = "a stack for a work-group, which forms new warps where threads diverge",
    .regroups = true,
    .picks = true,
};

const struct divergence_slot divergence_tbc = {.create = create,
                                               .free = destroy,
                                               .launch = launch,
                                               .start = start,
                                               .next = unit_schedule_regrouped,
                                               .moves = moves,
                                               .take = take,
                                               .commit_formed = commit,
                                               .release = release,
                                               .end = end,
                                               .register_counters = register_counters,
                                               .tables = tables,
                                               .places = places};

/* dwf: each scheduler forms its threads into new warps after each instruction (divergence.md §4;
 * dynamic_warp_formation.h). */
#include "model/divergence/dynamic_warp_formation.h"
#include "model/config/divergence_engine.h"
#include "model/config/own_fields.h"
#include "model/divergence/warp_formation_table_cycle.h"
#include "model/sm/regrouped.h"

#include "sim/error.h"

#include <stdlib.h>

static struct dynamic_warp_formation *formation_of(const struct sm *s, unsigned scheduler) {
    return (struct dynamic_warp_formation *)s->engine + scheduler;
}

static unsigned threads_of(const struct sm *s) {
    return s->config->cluster.threads / s->schedulers;
}

static void create(struct sm *s) {
    s->engine = calloc(s->schedulers, sizeof(struct dynamic_warp_formation));
    require_memory(s->engine);
    for (unsigned n = 0; n < s->schedulers; ++n)
        dynamic_warp_formation_init(formation_of(s, n), threads_of(s),
                                    own_fields(s->config)->dwf.lut_entries);
}

static void destroy(struct sm *s) {
    for (unsigned n = 0; n < s->schedulers; ++n) dynamic_warp_formation_free(formation_of(s, n));
    free(s->engine);
}

static void launch(struct sm *s) {
    for (unsigned n = 0; n < s->schedulers; ++n) dynamic_warp_formation_clear(formation_of(s, n));
}

static void begin(struct sm *s, unsigned scheduler, const struct regrouped_warp *w) {
    dynamic_warp_formation_start(formation_of(s, scheduler), w);
}

static void start(struct sm *s, unsigned group) {
    sm_start_regrouped(s, group, begin);
}

static bool select_warp(struct sm *s, unsigned scheduler, uint64_t t, bool free, struct sm_selected *x) {
    struct dynamic_warp_formation *f = formation_of(s, scheduler);
    const int n = dynamic_warp_formation_select(f);
    (void)t, (void)free;
    if (n < 0) return false;
    sm_select_regrouped(s, scheduler, dynamic_warp_formation_warp(f, (unsigned)n), x);
    x->threads.warp = (unsigned)n;
    return true;
}

static bool moves(const struct sm *s, unsigned scheduler, bool free) {
    return free && dynamic_warp_formation_ready(formation_of(s, scheduler));
}

static void commit(struct sm *s, struct sm_flight *f) {
    const unsigned scheduler = f->warp % s->schedulers;
    struct dynamic_warp_formation *d = formation_of(s, scheduler);
    const struct regrouped_warp *w = dynamic_warp_formation_warp(d, f->threads.warp);
    struct regrouped_outcome o;
    sm_outcome(s, scheduler, w, &o);
    sm_commit_regrouped(s, scheduler, w, &o);
    dynamic_warp_formation_commit(d, f->threads.warp, &o);
}

static void release(struct sm *s, unsigned group) {
    for (unsigned n = 0; n < s->schedulers; ++n) dynamic_warp_formation_release(formation_of(s, n), group);
}

static void places(const struct sm *s, unsigned scheduler, thread_place_visitor *visit, void *context) {
    const struct dynamic_warp_formation *f = formation_of(s, scheduler);
    static const enum thread_place_state state[] = {[WARP_FORMATION_READY] = PLACE_READY,
                                                [WARP_FORMATION_ISSUED] = PLACE_FLIGHT,
                                                [WARP_FORMATION_WAITING] = PLACE_BARRIER};
    for (unsigned n = 0; n < f->cfg.threads; ++n) {
        const struct warp_formation_warp *w = &f->pool[n];
        if (w->state == WARP_FORMATION_FREE) continue;
        sm_visit_regrouped(s, scheduler, &w->warp, w->warp.valid, state[w->state], "pool", n, visit, context);
    }
}

static void register_counters(struct sm *s, const char *scope, struct counter_registry *r) {
    for (unsigned n = 0; n < s->schedulers; ++n)
        dynamic_warp_formation_register(formation_of(s, n), scope, n, r);
}

static void *clocked(struct sm *s, struct sm_clocked_block *b) {
    if (b->block != CLUSTER_BLOCK_FORMATION) return NULL;
    struct warp_formation_table_cycle *c = malloc(sizeof *c);
    require_memory(c);
    warp_formation_table_cycle_init(c, &formation_of(s, b->scheduler)->table);
    c->evaluated = sm_clocked_cycle;
    c->context = b;
    return c;
}

static const char *const tables[] = {"pool", NULL};

const struct divergence_engine divergence_engine_dwf = {
    .doc = "dynamic warp formation",
    .regroups = true,
};

const struct sm_divergence sm_divergence_dwf = {
    .create = create,
    .free = destroy,
    .launch = launch,
    .start = start,
    .select = select_warp,
    .moves = moves,
    .commit = commit,
    .release = release,
    .register_counters = register_counters,
    .where = sm_regrouped_where,
    .tables = tables,
    .places = places,
    .clocked = clocked,
};

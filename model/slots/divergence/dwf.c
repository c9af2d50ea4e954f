/* dwf: threads form new warps after each instruction (divergence.md §4.4, §4.10;
 * dynamic_warp_formation.h). A thread keeps its position. */
#include "model/config/divergence_engine.h"
#include "model/config/own_fields.h"
#include "model/divergence/dynamic_warp_formation.h"
#include "model/divergence/warp_formation_table_cycle.h"
#include "model/unit/regrouped_parts.h"
#include "model/unit/slots.h"

#include "sim/error.h"

#include <stdlib.h>

static struct dynamic_warp_formation *formation_of(const struct unit *u) {
    return u->engine;
}

static void create(struct unit *u) {
    u->engine = calloc(1, sizeof(struct dynamic_warp_formation));
    require_memory(u->engine);
    dynamic_warp_formation_init(formation_of(u), u->regrouped->rows * u->regrouped->width,
                                own_fields(u->simt->config)->dwf.lut_entries);
}

static void destroy(struct unit *u) {
    dynamic_warp_formation_free(formation_of(u));
    free(u->engine);
}

static void launch(struct unit *u) {
    dynamic_warp_formation_clear(formation_of(u));
}

/* Notes whether a warp is ready. */
static void update(struct unit *u) {
    u->ready = dynamic_warp_formation_ready(formation_of(u));
}

static void start(struct unit *u, const struct regrouped_warp *w) {
    dynamic_warp_formation_start(formation_of(u), w);
    update(u);
}

static int pick(struct unit *u, bool free, uint64_t t) {
    (void)free, (void)t;
    return dynamic_warp_formation_select(formation_of(u));
}

static void take(struct unit *u, struct unit_flight *f) {
    unit_take_regrouped(u, f, dynamic_warp_formation_warp(formation_of(u), f->formed));
    update(u);
}

static void commit(struct unit *u, unsigned number, uint64_t t) {
    struct regrouped_outcome o;
    unit_commit_regrouped(u, dynamic_warp_formation_warp(formation_of(u), number), &o, t);
    dynamic_warp_formation_commit(formation_of(u), number, &o);
    update(u);
}

static void release(struct unit *u, unsigned group) {
    dynamic_warp_formation_release(formation_of(u), group);
    update(u);
}

static const char *const tables[] = {"pool", NULL};

static void places(const struct unit *u, thread_place_visitor *visit, void *context) {
    const struct dynamic_warp_formation *f = formation_of(u);
    static const enum thread_place_state state[] = {[WARP_FORMATION_READY] = PLACE_READY,
                                                    [WARP_FORMATION_ISSUED] = PLACE_FLIGHT,
                                                    [WARP_FORMATION_WAITING] = PLACE_BARRIER};
    for (unsigned n = 0; n < f->cfg.threads; ++n) {
        const struct warp_formation_warp *w = &f->pool[n];
        if (w->state == WARP_FORMATION_FREE) continue;
        const struct regrouped_place at = {state[w->state], tables[0], n};
        unit_visit_regrouped(u, &w->warp, w->warp.valid, at, visit, context);
    }
}

static void register_counters(struct unit *u, const char *scope, struct counter_registry *r) {
    dynamic_warp_formation_register(formation_of(u), scope, u->path, r);
}

static void *clocked(struct unit *u, enum cluster_block b, void (*evaluated)(void *context), void *context) {
    if (b != CLUSTER_BLOCK_FORMATION) return NULL;
    struct warp_formation_table_cycle *c = malloc(sizeof *c);
    require_memory(c);
    warp_formation_table_cycle_init(c, &formation_of(u)->table);
    c->evaluated = evaluated;
    c->context = context;
    return c;
}

const struct divergence_engine divergence_engine_dwf = {
    .doc = "dynamic warp formation",
    .regroups = true,
};

const struct divergence_slot divergence_dwf = {.create = create,
                                               .free = destroy,
                                               .launch = launch,
                                               .start = start,
                                               .next = unit_schedule_regrouped,
                                               .pick = pick,
                                               .take = take,
                                               .commit_formed = commit,
                                               .release = release,
                                               .register_counters = register_counters,
                                               .clocked = clocked,
                                               .tables = tables,
                                               .places = places};

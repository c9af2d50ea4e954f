/* Threads form new warps of simt.warp_size positions after each instruction (divergence.md §4.4, §4.10;
 * dynamic_warp_formation.h). A thread keeps its position. */
#include "model/config/own_fields.h"
#include "model/divergence/dynamic_warp_formation.h"
#include "model/divergence/warp_formation_table_cycle.h"
#include "model/unit/regrouped.h"
#include "model/unit/services.h"
#include "model/unit/slots.h"

#include "sim/error.h"

#include <stdlib.h>

static struct dynamic_warp_formation *formation_of(const struct unit *u) {
    return u->engine;
}

static void create(struct unit *u) {
    const struct cluster *c = u->cluster;
    unit_regroup(u, c->descriptors.warp_size);
    u->engine = calloc(1, sizeof(struct dynamic_warp_formation));
    require_memory(u->engine);
    dynamic_warp_formation_init(formation_of(u), c->warps * c->descriptors.warp_size,
                                own_fields(c->config)->dwf.lut_entries);
}

static void destroy(struct unit *u) {
    dynamic_warp_formation_free(formation_of(u));
    free(u->engine);
    unit_regroup_free(u);
}

/* Notes whether a warp is ready. */
static void update(struct unit *u) {
    u->ready = dynamic_warp_formation_ready(formation_of(u));
}

static void start(struct unit *u, const struct regrouped_warp *w) {
    dynamic_warp_formation_start(formation_of(u), w);
}

static void launch(struct unit *u) {
    dynamic_warp_formation_clear(formation_of(u));
}

static void begin(struct unit *u) {
    unit_start_regrouped(u, start);
    update(u);
}

static int pick(struct unit *u, uint64_t t) {
    (void)t;
    return dynamic_warp_formation_select(formation_of(u));
}

static void take(struct unit *u, struct unit_flight *f) {
    unit_take_regrouped(u, f, dynamic_warp_formation_warp(formation_of(u), f->formed));
    update(u);
}

static uint64_t commit(struct unit *u, struct unit_flight *f, uint64_t t) {
    struct regrouped_outcome o;
    unit_land_regrouped(u, f);
    unit_commit_regrouped(u, dynamic_warp_formation_warp(formation_of(u), f->formed), &o, t);
    dynamic_warp_formation_commit(formation_of(u), f->formed, &o);
    update(u);
    return 0;
}

static void release(struct unit *u) {
    dynamic_warp_formation_release(formation_of(u), 0);
    update(u);
}

static void register_counters(struct unit *u, const char *scope, struct counter_registry *r) {
    dynamic_warp_formation_register(formation_of(u), scope, 0, r);
}

static void *clocked(struct unit *u, struct unit_clocked *b) {
    if (b->block != CLUSTER_BLOCK_FORMATION) return NULL;
    struct warp_formation_table_cycle *c = malloc(sizeof *c);
    require_memory(c);
    warp_formation_table_cycle_init(c, &formation_of(u)->table);
    c->evaluated = unit_clocked_cycle;
    c->context = b;
    return c;
}

const struct divergence_slot divergence_dwf = {.create = create,
                                               .free = destroy,
                                               .launch = launch,
                                               .begin = begin,
                                               .next = unit_schedule_regrouped,
                                               .commit = commit,
                                               .register_counters = register_counters,
                                               .clocked = clocked,
                                               .pick = pick,
                                               .take = take,
                                               .release = release};

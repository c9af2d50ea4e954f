/* harp: HARP, cycle by cycle (divergence.md §5, §4.10; harp_scheduler.h). It selects warps in S and names the
 * warp to be committed. Its warps are as wide as the lanes, whatever simt.warp_size is.
 *
 * A flight describes only the way of an instruction through the pipeline. When it has been written, HARP
 * commits its threads in their turn, possibly together with threads of other flights. */
#include "model/config/contexts_kind.h"
#include "model/config/divergence_engine.h"
#include "model/config/lanes_config.h"
#include "model/config/own_fields.h"
#include "model/divergence/harp_scheduler_cycle.h"
#include "model/unit/regrouped_parts.h"
#include "model/unit/slots.h"

#include "sim/error.h"

#include <stdlib.h>

struct harp {
    struct harp_scheduler scheduler;
    /* Choice of this cycle, once `chosen`: the warps, NULL if there is none; the number of the issued one. */
    bool chosen;
    const struct regrouped_warp *committed, *issued;
    uint32_t number;
    struct regrouped_outcome outcome; /* outcome of the committed warp */
};

static struct harp *harp_of(const struct unit *u) {
    return u->engine;
}

static struct harp_scheduler *scheduler_of(const struct unit *u) {
    return &harp_of(u)->scheduler;
}

static void create(struct unit *u) {
    const struct own_fields *own = own_fields(u->simt->config);
    const struct harp_config c = {.threads = u->regrouped->rows * u->regrouped->width,
                                  .second_level = own->harp.second_level,
                                  .first_level = own->harp.first_level,
                                  .ready_lookup = own->harp.ready_lookup,
                                  .waiting_lookup = own->harp.waiting_lookup,
                                  .sets = own->harp.barriers / own->harp.barrier_ways,
                                  .ways = own->harp.barrier_ways,
                                  .barrier_stages = own->harp.barrier_stages};
    u->engine = calloc(1, sizeof(struct harp));
    require_memory(u->engine);
    harp_scheduler_init(scheduler_of(u), &c);
}

static void destroy(struct unit *u) {
    harp_scheduler_free(scheduler_of(u));
    free(u->engine);
}

static void launch(struct unit *u) {
    harp_scheduler_clear(scheduler_of(u));
    harp_of(u)->chosen = false;
}

static void start(struct unit *u, const struct regrouped_warp *w) {
    harp_scheduler_start(scheduler_of(u), w);
}

/* --- S, X, W --- */

static int pick(struct unit *u, bool free, uint64_t t) {
    struct harp *h = harp_of(u);
    harp_scheduler_choose(&h->scheduler, t, free, &h->committed, &h->issued, &h->number);
    h->chosen = true;
    return h->issued ? 0 : UNIT_NONE;
}

static void take(struct unit *u, struct unit_flight *f) {
    f->formed = harp_of(u)->number;
    unit_take_regrouped(u, f, harp_of(u)->issued);
}

static bool moves(const struct unit *u, bool free) {
    return harp_scheduler_moves(scheduler_of(u), free);
}

static void accesses(struct unit *u, unsigned number) {
    harp_scheduler_to_memory(scheduler_of(u), number);
}

static void written(struct unit *u, unsigned number, uint64_t t) {
    harp_scheduler_due(scheduler_of(u), number, t);
}

static void accessed(struct unit *u, unsigned row, unsigned lane) {
    harp_scheduler_done(scheduler_of(u), row, lane);
}

/* --- the end of a cycle --- */

static unsigned commits(struct unit *u, uint64_t t) {
    struct harp *h = harp_of(u);
    const struct harp_scheduler *s = &h->scheduler;
    if (!h->chosen) pick(u, false, t); /* the cluster has not visited S in this cycle */
    if (h->committed) unit_commit_regrouped(u, h->committed, &h->outcome, t);
    return h->committed && s->chosen.source == HARP_FROM_FIRST_LEVEL
               ? s->first_level[s->fl_slot[s->chosen.committed]].warp.number
               : REGROUPED_AWAY;
}

static void release(struct unit *u, unsigned group) {
    harp_scheduler_release(scheduler_of(u), group);
}

static void end(struct unit *u, uint64_t t) {
    struct harp *h = harp_of(u);
    harp_scheduler_step(&h->scheduler, t, h->committed ? &h->outcome : NULL);
    h->chosen = false;
}

/* --- counters, waves and twins --- */

/* The visit of places. */
struct visit {
    const struct unit *unit;
    thread_place_visitor *visit;
    void *context;
};

static void visit_warp(const struct visit *v, const struct regrouped_warp *w, uint64_t lanes,
                       enum thread_place_state state, const char *table, unsigned entry) {
    const struct regrouped_place at = {state, table, entry};
    unit_visit_regrouped(v->unit, w, lanes, at, v->visit, v->context);
}

static void visit_lookup(const struct visit *v, const struct issued_warp *entry, unsigned count,
                         enum thread_place_state state, const char *table) {
    for (unsigned n = 0; n < count; ++n) visit_warp(v, &entry[n].warp, entry[n].warp.valid, state, table, n);
}

static void visit_level(const struct visit *v, const struct second_level *l, enum thread_place_state state,
                        const char *table) {
    for (unsigned n = 0; n < l->count; ++n) {
        const struct regrouped_warp *w = second_level_at(l, n);
        visit_warp(v, w, w->valid, state, table, n);
    }
}

static void places(const struct unit *u, thread_place_visitor *visit, void *context) {
    const struct harp_scheduler *h = scheduler_of(u);
    const struct visit v = {u, visit, context};
    visit_level(&v, &h->second_level, PLACE_READY, "second_level");
    visit_lookup(&v, h->waiting, h->waits, PLACE_MEMORY, "second_level_waiting");
    for (unsigned n = 0; n < h->in_first_level; ++n) {
        const struct regrouped_warp *w = &h->first_level[h->fl_slot[n]].warp.warp;
        visit_warp(&v, w, w->valid, h->fl_issued >> n & 1 ? PLACE_FLIGHT : PLACE_READY, "first_level", n);
    }
    visit_lookup(&v, h->ready_lookup.entry, h->ready_lookup.count, PLACE_INACTIVE, "ready_lookup");
    visit_lookup(&v, h->waiting_lookup.entry, h->waiting_lookup.count, PLACE_MEMORY, "waiting_lookup");
    for (unsigned n = 0; n < h->in_stages; ++n)
        for (unsigned g = 0; g < h->stage[n].count; ++g) {
            struct regrouped_warp w = h->stage[n].warp;
            w.pc = h->stage[n].groups[g].pc;
            visit_warp(&v, &w, (uint64_t)h->stage[n].groups[g].mask, PLACE_FLIGHT, "barrier_stages", n);
        }
    for (unsigned n = 0; n < h->cfg.sets * h->cfg.ways; ++n) {
        const struct re_convergence_barrier *b = &h->barriers.barrier[n];
        if (b->warp.pc) visit_warp(&v, &b->warp, b->reached, PLACE_MEETING, "barriers", n);
    }
    visit_level(&v, &h->parked, PLACE_BARRIER, "work_group_barrier");
}

static void register_counters(struct unit *u, const char *scope, struct counter_registry *r) {
    harp_scheduler_register(scheduler_of(u), scope, u->path, r);
}

static void *clocked(struct unit *u, enum cluster_block b, void (*evaluated)(void *context), void *context) {
    return harp_scheduler_clocked(scheduler_of(u), b, u->regrouped->width, evaluated, context);
}

static const char *const tables[] = {"first_level",    "second_level",       "second_level_waiting",
                                     "ready_lookup",   "waiting_lookup",     "barriers",
                                     "barrier_stages", "work_group_barrier", NULL};

static bool check(const struct machine_config *c, struct error *e) {
    const uint32_t of_scheduler = machine_threads(c) / machine_schedulers(c);
    if (own_fields(c)->harp.barriers % own_fields(c)->harp.barrier_ways)
        return error_set(e, EXIT_USER,
                         "harp.barriers %u is not a whole number of sets of harp.barrier_ways %u",
                         own_fields(c)->harp.barriers, own_fields(c)->harp.barrier_ways);
    if (of_scheduler % machine_lane_group_width(c))
        return error_set(
            e, EXIT_USER,
            "the %u threads of a scheduler (cluster.threads %u / cluster.schedulers %u) are no whole "
            "rows of %u lanes",
            of_scheduler, c->cluster.threads, c->cluster.schedulers, machine_lane_group_width(c));
    return true;
}

const struct divergence_engine divergence_engine_harp = {
    .doc = "HARP",
    .regroups = true,
    .as_wide_as_lanes = true,
    .check = check,
};

const struct divergence_slot divergence_harp = {.create = create,
                                                .free = destroy,
                                                .launch = launch,
                                                .start = start,
                                                .next = unit_schedule_regrouped,
                                                .pick = pick,
                                                .moves = moves,
                                                .take = take,
                                                .written = written,
                                                .accesses = accesses,
                                                .accessed = accessed,
                                                .commits = commits,
                                                .release = release,
                                                .end = end,
                                                .register_counters = register_counters,
                                                .clocked = clocked,
                                                .tables = tables,
                                                .places = places};

/* HARP (divergence.md §5, §4.10; harp_scheduler.h). Its warps are as wide as the lanes.
 *
 * A flight describes only the way of an instruction through the pipeline. When it has been written, HARP
 * commits its threads in their turn, possibly together with threads of other flights. */
#include "model/config/own_fields.h"
#include "model/divergence/harp_scheduler_cycle.h"
#include "model/unit/regrouped.h"
#include "model/unit/services.h"
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
    struct harp_flight {
        struct regrouped_warp warp;
        uint32_t number;
        bool in_memory; /* its warp has left the First-Level */
        bool reported;  /* HARP knows that it has been written */
    } flight[TDT_MAX_WARPS];
};

static struct harp *harp_of(const struct unit *u) {
    return u->engine;
}

static struct harp_flight *flight_of(const struct unit *u, const struct unit_flight *f) {
    return &harp_of(u)->flight[f - u->flight];
}

static void create(struct unit *u) {
    const struct cluster *c = u->cluster;
    const struct own_fields *own = own_fields(c->config);
    const struct harp_config config = {.threads = c->warps * c->descriptors.warp_size,
                                       .second_level = own->harp.second_level,
                                       .first_level = own->harp.first_level,
                                       .ready_lookup = own->harp.ready_lookup,
                                       .waiting_lookup = own->harp.waiting_lookup,
                                       .sets = own->harp.barriers / own->harp.barrier_ways,
                                       .ways = own->harp.barrier_ways,
                                       .barrier_stages = own->harp.barrier_stages};
    unit_regroup(u, c->lanes);
    u->engine = calloc(1, sizeof(struct harp));
    require_memory(u->engine);
    harp_scheduler_init(&harp_of(u)->scheduler, &config);
}

static void destroy(struct unit *u) {
    harp_scheduler_free(&harp_of(u)->scheduler);
    free(u->engine);
    unit_regroup_free(u);
}

static void launch(struct unit *u) {
    harp_scheduler_clear(&harp_of(u)->scheduler);
    harp_of(u)->chosen = false;
}

static void start(struct unit *u, const struct regrouped_warp *w) {
    harp_scheduler_start(&harp_of(u)->scheduler, w);
}

static void begin(struct unit *u) {
    unit_start_regrouped(u, start);
    u->ready = harp_scheduler_moves(&harp_of(u)->scheduler, true);
}

/* --- the begin of HARP's cycle --- */

/* Notes that a flight has been written in cycle t: its threads have their next PCs. */
static void report(struct unit *u, const struct unit_flight *f, uint64_t t) {
    struct harp_scheduler *h = &harp_of(u)->scheduler;
    struct harp_flight *x = flight_of(u, f);
    if (x->reported) return;
    x->reported = true;
    unit_land_regrouped(u, f);
    if (!x->in_memory) {
        harp_scheduler_due(h, x->number, t);
        return;
    }
    for (uint64_t rest = x->warp.valid; rest; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctzll(rest);
        harp_scheduler_done(h, x->warp.row[lane], lane);
    }
}

static void choose(struct unit *u, bool free, uint64_t t) {
    struct harp *h = harp_of(u);
    for (unsigned n = 0; n < u->landing_count; ++n) {
        const struct unit_flight *f = &u->flight[u->landing[n]];
        if (u->landing_due[n] <= t && unit_is_written(f)) report(u, f, t);
    }
    harp_scheduler_choose(&h->scheduler, t, free, &h->committed, &h->issued, &h->number);
    h->chosen = true;
}

static int pick(struct unit *u, uint64_t t) {
    choose(u, true, t);
    return harp_of(u)->issued ? 0 : UNIT_NONE;
}

static void take(struct unit *u, struct unit_flight *f) {
    const struct harp *h = harp_of(u);
    *flight_of(u, f) = (struct harp_flight){.warp = *h->issued, .number = h->number};
    unit_take_regrouped(u, f, h->issued);
}

static void accesses(struct unit *u, const struct unit_flight *f) {
    harp_scheduler_to_memory(&harp_of(u)->scheduler, flight_of(u, f)->number);
    flight_of(u, f)->in_memory = true;
}

/* --- its end --- */

/* The threads commit in HARP's turn. If S is not visited in this cycle, HARP chooses at its end. */
static uint64_t commit(struct unit *u, struct unit_flight *f, uint64_t t) {
    report(u, f, t);
    return 0;
}

static void release(struct unit *u) {
    harp_scheduler_release(&harp_of(u)->scheduler, 0);
}

static void commits(struct unit *u, uint64_t t) {
    struct harp *h = harp_of(u);
    if (!h->chosen) choose(u, false, t);
    if (h->committed) unit_commit_regrouped(u, h->committed, &h->outcome, t);
}

static uint64_t end(struct unit *u, uint64_t t) {
    struct harp *h = harp_of(u);
    harp_scheduler_step(&h->scheduler, t, h->committed ? &h->outcome : NULL);
    h->chosen = false;
    u->ready = harp_scheduler_moves(&h->scheduler, true);
    return unit_wake_front(u, harp_scheduler_moves(&h->scheduler, false) ? t + 1 : UNIT_NEVER, t);
}

/* --- counters and twins --- */

static void register_counters(struct unit *u, const char *scope, struct counter_registry *r) {
    harp_scheduler_register(&harp_of(u)->scheduler, scope, 0, r);
}

static void *clocked(struct unit *u, struct unit_clocked *b) {
    return harp_scheduler_clocked(&harp_of(u)->scheduler, b->block, u->cluster->lanes, unit_clocked_cycle, b);
}

const struct divergence_slot divergence_harp = {.create = create,
                                                .free = destroy,
                                                .launch = launch,
                                                .begin = begin,
                                                .next = unit_schedule_regrouped,
                                                .commit = commit,
                                                .register_counters = register_counters,
                                                .clocked = clocked,
                                                .pick = pick,
                                                .take = take,
                                                .accesses = accesses,
                                                .release = release,
                                                .commits = commits,
                                                .end = end};

/* harp: HARP, cycle by cycle (divergence.md §5; harp_scheduler.h). Each scheduler has a HARP, which selects
 * warps in S and names the warp to be committed. HARP's warps are as wide as the lanes, whatever
 * simt.warp_size is.
 *
 * A flight describes only the way of an instruction through the pipeline. After write-back, HARP commits the
 * threads of the flight in their turn, possibly together with threads of other flights. Until then, a barrier
 * or an exit waits in the SM as a flight. */
#include "model/divergence/harp_scheduler_cycle.h"
#include "model/config/divergence_engine.h"
#include "model/config/lanes_config.h"
#include "model/config/own_fields.h"
#include "model/sm/regrouped.h"

#include "sim/error.h"

#include <stdlib.h>

#define IN_MEMORY UINT32_MAX /* number of a flight whose warp has left the First-Level */

struct harp {
    struct harp_scheduler scheduler;
    const struct regrouped_warp *committed; /* warp committed in this cycle; NULL if none */
    struct regrouped_outcome outcome;
    uint16_t granted; /* number of the flight that may arrive at a barrier or exit; SM_NO_FLIGHT if none */
};

static struct harp *harp_of(const struct sm *s, unsigned scheduler) {
    return (struct harp *)s->engine + scheduler;
}

static void create(struct sm *s) {
    const struct machine_config *m = s->config;
    const struct harp_config c = {.threads = m->cluster.threads / m->cluster.schedulers,
                                  .second_level = own_fields(m)->harp.second_level,
                                  .first_level = own_fields(m)->harp.first_level,
                                  .ready_lookup = own_fields(m)->harp.ready_lookup,
                                  .waiting_lookup = own_fields(m)->harp.waiting_lookup,
                                  .sets = own_fields(m)->harp.barriers / own_fields(m)->harp.barrier_ways,
                                  .ways = own_fields(m)->harp.barrier_ways,
                                  .barrier_stages = own_fields(m)->harp.barrier_stages};
    s->engine = calloc(s->schedulers, sizeof(struct harp));
    require_memory(s->engine);
    for (unsigned n = 0; n < s->schedulers; ++n) harp_scheduler_init(&harp_of(s, n)->scheduler, &c);
}

static void destroy(struct sm *s) {
    for (unsigned n = 0; n < s->schedulers; ++n) harp_scheduler_free(&harp_of(s, n)->scheduler);
    free(s->engine);
}

static void launch(struct sm *s) {
    for (unsigned n = 0; n < s->schedulers; ++n) {
        harp_scheduler_clear(&harp_of(s, n)->scheduler);
        harp_of(s, n)->committed = NULL;
        harp_of(s, n)->granted = SM_NO_FLIGHT;
    }
}

static void begin(struct sm *s, unsigned scheduler, const struct regrouped_warp *w) {
    harp_scheduler_start(&harp_of(s, scheduler)->scheduler, w);
}

static void start(struct sm *s, unsigned group) {
    sm_start_regrouped(s, group, begin);
}

/* --- S, X, W --- */

/* Grants the next barrier arrival or exit, if its flight belongs to this scheduler. At most one grant is
 * outstanding in the SM. */
static void grant(struct sm *s, unsigned scheduler, uint64_t t) {
    struct harp *h = harp_of(s, scheduler);
    const uint16_t next = sm_next_leaver(s);
    if (next == SM_NO_FLIGHT || s->flight[next].warp % s->schedulers != scheduler) return;
    for (unsigned n = 0; n < s->schedulers; ++n)
        if (harp_of(s, n)->granted != SM_NO_FLIGHT) return;
    h->granted = next;
    harp_scheduler_due(&h->scheduler, s->flight[next].threads.warp, t);
}

static bool select_warp(struct sm *s, unsigned scheduler, uint64_t t, bool free, struct sm_selected *x) {
    struct harp *h = harp_of(s, scheduler);
    const struct regrouped_warp *issued;
    grant(s, scheduler, t);
    harp_scheduler_choose(&h->scheduler, t, free, &h->committed, &issued, &x->threads.warp);
    if (h->committed) sm_outcome(s, scheduler, h->committed, &h->outcome);
    if (!issued) return false;
    sm_select_regrouped(s, scheduler, issued, x);
    return true;
}

static bool moves(const struct sm *s, unsigned scheduler, bool free) {
    return harp_scheduler_moves(&harp_of(s, scheduler)->scheduler, free);
}

static void executes(struct sm *s, struct sm_flight *f) {
    if (f->kind != SM_LDST || !sm_ldst_spaces(s, f).rest) return;
    harp_scheduler_to_memory(&harp_of(s, f->warp % s->schedulers)->scheduler, f->threads.warp);
    f->threads.warp = IN_MEMORY;
}

static bool written(struct sm *s, struct sm_flight *f) {
    struct harp_scheduler *h = &harp_of(s, f->warp % s->schedulers)->scheduler;
    if (f->effect == SM_BARRIER || f->effect == SM_EXIT) return true; /* commits in its turn (grant()) */
    if (f->threads.warp != IN_MEMORY) {
        harp_scheduler_due(h, f->threads.warp, s->now);
        return false;
    }
    for (uint64_t rest = f->participating; rest; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctzll(rest);
        harp_scheduler_done(h, sm_row_of(s, sm_thread_of(s, f, lane)), lane);
    }
    return false;
}

/* --- the end of a cycle --- */

static void commits(struct sm *s, uint64_t t) {
    (void)t;
    for (unsigned n = 0; n < s->schedulers; ++n) {
        struct harp *h = harp_of(s, n);
        if (!h->committed) continue;
        sm_commit_regrouped(s, n, h->committed, &h->outcome);
        if (h->granted == SM_NO_FLIGHT || h->scheduler.chosen.source != HARP_FROM_FIRST_LEVEL ||
            h->scheduler.first_level[h->scheduler.fl_slot[h->scheduler.chosen.committed]].warp.number !=
                s->flight[h->granted].threads.warp)
            continue;
        sm_leave(s, &s->flight[h->granted]);
        h->granted = SM_NO_FLIGHT;
    }
}

static void release(struct sm *s, unsigned group) {
    for (unsigned n = 0; n < s->schedulers; ++n) harp_scheduler_release(&harp_of(s, n)->scheduler, group);
}

static void end_cycle(struct sm *s, uint64_t t) {
    for (unsigned n = 0; n < s->schedulers; ++n) {
        struct harp *h = harp_of(s, n);
        harp_scheduler_step(&h->scheduler, t, h->committed ? &h->outcome : NULL);
        h->committed = NULL;
    }
}

/* --- counters, waves and twins --- */

static void visit_lookup(const struct sm *s, unsigned scheduler, const struct issued_warp *entry,
                         unsigned count, enum thread_place_state state, const char *table,
                         thread_place_visitor *visit, void *context) {
    for (unsigned n = 0; n < count; ++n)
        sm_visit_regrouped(s, scheduler, &entry[n].warp, entry[n].warp.valid, state, table, n, visit,
                           context);
}

static void places(const struct sm *s, unsigned scheduler, thread_place_visitor *visit, void *context) {
    const struct harp_scheduler *h = &harp_of(s, scheduler)->scheduler;
    for (unsigned n = 0; n < h->second_level.count; ++n) {
        const struct regrouped_warp *w = second_level_at(&h->second_level, n);
        sm_visit_regrouped(s, scheduler, w, w->valid, PLACE_READY, "second_level", n, visit, context);
    }
    visit_lookup(s, scheduler, h->waiting, h->waits, PLACE_MEMORY, "second_level_waiting", visit, context);
    for (unsigned n = 0; n < h->in_first_level; ++n) {
        const struct harp_first_level *f = &h->first_level[h->fl_slot[n]];
        sm_visit_regrouped(s, scheduler, &f->warp.warp, f->warp.warp.valid,
                           h->fl_issued >> n & 1 ? PLACE_FLIGHT : PLACE_READY, "first_level", n, visit,
                           context);
    }
    visit_lookup(s, scheduler, h->ready_lookup.entry, h->ready_lookup.count, PLACE_INACTIVE,
                 "ready_lookup", visit, context);
    visit_lookup(s, scheduler, h->waiting_lookup.entry, h->waiting_lookup.count, PLACE_MEMORY,
                 "waiting_lookup", visit, context);
    for (unsigned n = 0; n < h->in_stages; ++n)
        for (unsigned g = 0; g < h->stage[n].count; ++g) {
            struct regrouped_warp w = h->stage[n].warp;
            w.pc = h->stage[n].groups[g].pc;
            sm_visit_regrouped(s, scheduler, &w, (uint64_t)h->stage[n].groups[g].mask, PLACE_FLIGHT,
                               "barrier_stages", n, visit, context);
        }
    for (unsigned n = 0; n < h->cfg.sets * h->cfg.ways; ++n) {
        const struct re_convergence_barrier *b = &h->barriers.barrier[n];
        if (b->warp.pc)
            sm_visit_regrouped(s, scheduler, &b->warp, b->reached, PLACE_MEETING, "barriers", n, visit,
                               context);
    }
    for (unsigned n = 0; n < h->parked.count; ++n) {
        const struct regrouped_warp *w = second_level_at(&h->parked, n);
        sm_visit_regrouped(s, scheduler, w, w->valid, PLACE_BARRIER, "work_group_barrier", n, visit,
                           context);
    }
}

static void register_counters(struct sm *s, const char *scope, struct counter_registry *r) {
    for (unsigned n = 0; n < s->schedulers; ++n)
        harp_scheduler_register(&harp_of(s, n)->scheduler, scope, n, r);
}

static void *clocked(struct sm *s, struct sm_clocked_block *b) {
    return harp_scheduler_clocked(&harp_of(s, b->scheduler)->scheduler, b->block, s->positions,
                                  sm_clocked_cycle, b);
}

static const char *const tables[] = {"first_level",    "second_level",       "second_level_waiting",
                                     "ready_lookup",   "waiting_lookup",     "barriers",
                                     "barrier_stages", "work_group_barrier", NULL};

static bool check(const struct machine_config *c, struct error *e) {
    const uint32_t of_scheduler = c->cluster.threads / c->cluster.schedulers;
    if (own_fields(c)->harp.barriers % own_fields(c)->harp.barrier_ways)
        return error_set(e, EXIT_USER,
                         "harp.barriers %u is not a whole number of sets of harp.barrier_ways %u",
                         own_fields(c)->harp.barriers, own_fields(c)->harp.barrier_ways);
    if (c->contexts == CONTEXTS_VRF && of_scheduler % machine_lane_group_width(c))
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

const struct sm_divergence sm_divergence_harp = {
    .create = create,
    .free = destroy,
    .launch = launch,
    .start = start,
    .select = select_warp,
    .always = true,
    .moves = moves,
    .executes = executes,
    .written = written,
    .commits = commits,
    .release = release,
    .end_cycle = end_cycle,
    .register_counters = register_counters,
    .where = sm_regrouped_where,
    .tables = tables,
    .places = places,
    .clocked = clocked,
};

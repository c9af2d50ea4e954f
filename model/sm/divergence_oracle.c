/* oracle: as sbr, but also counts how few issues would suffice if threads could be regrouped freely (harp
 * Fig. 4; oracle_activity.h). Cycles are those of sbr. */
#include "model/divergence/oracle_activity.h"
#include "model/config/divergence_engine.h"
#include "model/sm/divergence_sbr.h"

#include "sim/error.h"

#include <stdlib.h>

struct oracle {
    struct oracle_activity activity;         /* activity of the launch */
    const struct machine_code *code;         /* code that `activity` has room for; NULL if none */
    uint64_t issues, executions, lane_slots; /* sums over all launches */
};

static struct oracle *oracle_of(const struct sm *s) {
    return s->engine;
}

static void create(struct sm *s) {
    sm_sbr_create(s);
    s->engine = calloc(1, sizeof(struct oracle));
    require_memory(s->engine);
}

static void destroy(struct sm *s) {
    sm_sbr_free(s);
    oracle_activity_free(&oracle_of(s)->activity);
    free(s->engine);
}

static void launch(struct sm *s) {
    struct oracle *o = oracle_of(s);
    oracle_activity_free(&o->activity);
    oracle_activity_init(&o->activity, s->launch->code->text_bytes / 4, s->lanes.width, s->groups);
}

static void count(struct sm *s, const struct sm_flight *f) {
    const unsigned lanes = s->lanes.width;
    const uint64_t row = lanes == 64 ? ~UINT64_C(0) : bit_of(lanes) - 1;
    for (unsigned first = 0; first < s->warp_size; first += lanes)
        oracle_activity_count(&oracle_of(s)->activity, s->warp[f->warp].group,
                              (f->pc - s->launch->code->text_base) / 4, f->participating >> first & row);
}

static void ended(struct sm *s, unsigned group) {
    struct oracle *o = oracle_of(s);
    const struct oracle_total before = oracle_activity_total(&o->activity);
    oracle_activity_end(&o->activity, group);
    const struct oracle_total after = oracle_activity_total(&o->activity);
    o->issues += after.issues - before.issues;
    o->lane_slots += (after.issues - before.issues) * s->lanes.width;
    o->executions += after.executions - before.executions;
}

static void register_counters(struct sm *s, const char *scope, struct counter_registry *r) {
    struct oracle *o = oracle_of(s);
    char sub[48], formula[48];
    snprintf(sub, sizeof sub, "%s.oracle", scope);
    counter_register(r, sub, "issues", "issues",
                     "of a row of threads that would do if threads of a work-group were grouped at will",
                     &o->issues);
    counter_register(r, sub, "executions", "instructions", "of threads in these", &o->executions);
    counter_register(r, sub, "lane_slots", "instructions", "lanes in these issues", &o->lane_slots);
    snprintf(formula, sizeof formula, "100 * executions / (%u * issues)", s->lanes.width);
    counter_register_ratio(r, sub, "lane_activity", "%", "share of the lanes that would be active", formula);
}

const struct divergence_engine divergence_engine_oracle = {
    .doc = "sbr that counts the fewest issues possible",
    .picks = true,
};

const struct sm_divergence sm_divergence_oracle = {
    .create = create,
    .free = destroy,
    .launch = launch,
    .start = sm_sbr_start,
    .select = sm_sbr_select,
    .moves = sm_ready_moves,
    .arbitrate = sm_sbr_arbitrate,
    .commit = sm_sbr_commit,
    .count = count,
    .ended = ended,
    .register_counters = register_counters,
    .where = sm_sbr_where,
    .runs = sm_participating,
    .tables = sm_stack_tables,
    .places = sm_sbr_places,
    .clocked = sm_stack_clocked,
};

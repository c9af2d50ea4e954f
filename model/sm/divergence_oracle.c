/* oracle: as sbr, but also counts how few issues would suffice if threads could be regrouped freely (harp
 * Fig. 4; oracle_activity.h). Cycles are those of sbr. */
#include "model/divergence/oracle_activity.h"
#include "model/config/divergence_engine.h"
#include "model/sm/divergence_sbr.h"

#include "sim/error.h"

#include <stdlib.h>

static struct oracle_activity_sums *oracle_of(const struct sm *s) {
    return s->engine;
}

static void create(struct sm *s) {
    sm_sbr_create(s);
    s->engine = calloc(1, sizeof(struct oracle_activity_sums));
    require_memory(s->engine);
}

static void destroy(struct sm *s) {
    sm_sbr_free(s);
    oracle_activity_free(&oracle_of(s)->activity);
    free(s->engine);
}

static void launch(struct sm *s) {
    oracle_activity_launch(oracle_of(s), s->launch->code->text_bytes, s->lanes.width, s->groups);
}

static void count(struct sm *s, const struct sm_flight *f) {
    oracle_activity_note(oracle_of(s), s->warp[f->warp].group, f->pc - s->launch->code->text_base,
                         f->participating, s->warp_size / s->lanes.width);
}

static void ended(struct sm *s, unsigned group) {
    oracle_activity_end_group(oracle_of(s), group);
}

static void register_counters(struct sm *s, const char *scope, struct counter_registry *r) {
    oracle_activity_register(oracle_of(s), scope, s->lanes.width, r);
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

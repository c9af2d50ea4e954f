/* As sbr, but also counts how few issues would suffice if threads could be regrouped freely
 * (oracle_activity.h). Cycles are those of sbr. */
#include "model/slots/divergence/sbr.h"

#include "model/divergence/oracle_activity.h"
#include "model/unit/slots.h"

#include "sim/error.h"

#include <stdlib.h>

static struct oracle_activity_sums *sums_of(const struct unit *u) {
    return u->engine;
}

static void create(struct unit *u) {
    sbr_create(u);
    u->engine = calloc(1, sizeof(struct oracle_activity_sums));
    require_memory(u->engine);
}

static void destroy(struct unit *u) {
    sbr_free(u);
    oracle_activity_free(&sums_of(u)->activity);
    free(u->engine);
}

static void begin(struct unit *u) {
    const struct cluster *c = u->cluster;
    sbr_begin(u);
    oracle_activity_launch(sums_of(u), c->launch->code->text_bytes, c->lanes, 1);
}

static uint64_t commit(struct unit *u, struct unit_flight *f, uint64_t t) {
    const struct cluster *c = u->cluster;
    const unsigned instruction = (f->pc - c->launch->code->text_base) / 4;
    for (uint64_t rest = f->participating; rest; rest &= rest - 1)
        oracle_activity_count(&sums_of(u)->activity, 0, instruction,
                              UINT64_C(1) << lane_map_lane(c->map, (unsigned)__builtin_ctzll(rest)));
    const uint64_t stay = sbr_commit(u, f, t);
    if (!c->live) oracle_activity_end_group(sums_of(u), 0);
    return stay;
}

static void register_counters(struct unit *u, const char *scope, struct counter_registry *r) {
    oracle_activity_register(sums_of(u), scope, u->cluster->lanes, r);
}

const struct divergence_slot divergence_oracle = {.create = create,
                                                  .free = destroy,
                                                  .begin = begin,
                                                  .launch = sbr_launch,
                                                  .next = sbr_next,
                                                  .commit = commit,
                                                  .runs = sbr_runs,
                                                  .clocked = sbr_clocked,
                                                  .register_counters = register_counters};

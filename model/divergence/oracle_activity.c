#include "model/divergence/oracle_activity.h"

#include "sim/error.h"

#include <stdlib.h>

void oracle_activity_init(struct oracle_activity *o, unsigned instructions, unsigned lanes, unsigned groups) {
    invariant(instructions && lanes >= 1 && lanes <= 64 && groups,
              "oracle of %u instructions, %u lanes, %u work-groups", instructions, lanes, groups);
    *o = (struct oracle_activity){.cfg = {instructions, lanes, groups}};
    o->count = calloc((size_t)groups * instructions * lanes, sizeof *o->count);
    o->issues = calloc(instructions, sizeof *o->issues);
    o->executions = calloc(instructions, sizeof *o->executions);
    require_memory(o->count);
    require_memory(o->issues);
    require_memory(o->executions);
}

void oracle_activity_free(struct oracle_activity *o) {
    free(o->count);
    free(o->issues);
    free(o->executions);
    *o = (struct oracle_activity){.count = NULL};
}

static uint32_t *counts_of(const struct oracle_activity *o, unsigned group, unsigned instruction) {
    return o->count + ((size_t)group * o->cfg.instructions + instruction) * o->cfg.lanes;
}

void oracle_activity_count(struct oracle_activity *o, unsigned group, unsigned instruction, uint64_t lanes) {
    uint32_t *count = counts_of(o, group, instruction);
    for (; lanes; lanes &= lanes - 1) ++count[__builtin_ctzll(lanes)];
}

void oracle_activity_end(struct oracle_activity *o, unsigned group) {
    for (unsigned n = 0; n < o->cfg.instructions; ++n) {
        uint32_t *count = counts_of(o, group, n), most = 0;
        for (unsigned lane = 0; lane < o->cfg.lanes; ++lane) {
            if (count[lane] > most) most = count[lane];
            o->executions[n] += count[lane];
            count[lane] = 0;
        }
        o->issues[n] += most;
    }
}

struct oracle_total oracle_activity_total(const struct oracle_activity *o) {
    struct oracle_total total = {0};
    for (unsigned n = 0; n < o->cfg.instructions; ++n) {
        total.issues += o->issues[n];
        total.executions += o->executions[n];
    }
    return total;
}

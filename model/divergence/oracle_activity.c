#include "model/divergence/oracle_activity.h"

#include "sim/error.h"

#include <stdio.h>
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

/* --- all launches --- */

void oracle_activity_launch(struct oracle_activity_sums *o, uint32_t text_bytes, unsigned lanes,
                            unsigned groups) {
    oracle_activity_free(&o->activity);
    oracle_activity_init(&o->activity, text_bytes / 4, lanes, groups);
}

void oracle_activity_note(struct oracle_activity_sums *o, unsigned group, uint32_t text_offset,
                          uint64_t threads, unsigned rows) {
    const unsigned lanes = o->activity.cfg.lanes;
    const uint64_t row = lanes == 64 ? ~UINT64_C(0) : (UINT64_C(1) << lanes) - 1;
    for (unsigned n = 0; n < rows; ++n)
        oracle_activity_count(&o->activity, group, text_offset / 4, threads >> n * lanes & row);
}

void oracle_activity_end_group(struct oracle_activity_sums *o, unsigned group) {
    const struct oracle_total before = oracle_activity_total(&o->activity);
    oracle_activity_end(&o->activity, group);
    const struct oracle_total after = oracle_activity_total(&o->activity);
    o->issues += after.issues - before.issues;
    o->lane_slots += (after.issues - before.issues) * o->activity.cfg.lanes;
    o->executions += after.executions - before.executions;
}

void oracle_activity_register(struct oracle_activity_sums *o, const char *scope, unsigned lanes,
                              struct counter_registry *r) {
    char sub[48], formula[48];
    snprintf(sub, sizeof sub, "%s.oracle", scope);
    counter_register(r, sub, "issues", "issues",
                     "of a row of threads that would do if threads of a work-group were grouped at will",
                     &o->issues);
    counter_register(r, sub, "executions", "instructions", "of threads in these", &o->executions);
    counter_register(r, sub, "lane_slots", "instructions", "lanes in these issues", &o->lane_slots);
    snprintf(formula, sizeof formula, "100 * executions / (%u * issues)", lanes);
    counter_register_ratio(r, sub, "lane_activity", "%", "share of the lanes that would be active", formula);
}

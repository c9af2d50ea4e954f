/* Registers the counters of an SM. */
#include "model/sm/scalar_units.h"
#include "model/sm/sm_ldst.h"
#include "model/sm/sm_divergence.h"
#include "model/sm/sm_parts.h"

#include <stdio.h>

static void register_ratios(const struct sm *s, const char *scope, struct counter_registry *r) {
    char formula[64];
    snprintf(formula, sizeof formula, "100 * thread_instructions / (%u * warp_instructions)", s->positions);
    counter_register_ratio(r, scope, "simd_efficiency", "%",
                           "share of the warp's positions that execute its instructions", formula);
    snprintf(formula, sizeof formula, "100 * thread_instructions / (%u * active_rounds)", s->row_lanes);
    counter_register_ratio(r, scope, "lane_activity", "%",
                           "share of the lanes that are active in these rounds", formula);
    counter_register_ratio(r, scope, "l1i_miss_ratio", "%",
                           "share of the instruction fetches that missed the L1I",
                           "100 * l1i.misses / l1i.accesses");
    counter_register_ratio(r, scope, "l1d_miss_ratio", "%", "share of the transactions that missed the L1D",
                           "100 * l1d.misses / l1d.accesses");
    snprintf(formula, sizeof formula, "%u * thread_instructions / cycles.*", s->schedulers);
    counter_register_ratio(r, scope, "thread_instructions_per_cycle", "instructions/cycle",
                           "thread-instructions in each cycle of all launches", formula);
}

static void register_lane_group(struct sm_lanes *l, unsigned g, const char *scope,
                                struct counter_registry *r) {
    char sub[64];
    snprintf(sub, sizeof sub, "%s.lane_group%u", scope, g);
    counter_register(r, sub, "issued", "instructions", "warp instructions issued to the group",
                     &l->warps_instructions[g]);
    counter_register(r, sub, "executed", "instructions",
                     "these times the threads that they are executed for: those whose condition holds",
                     &l->threads_instructions[g]);
}

/* Registers the counters of kernel.scalarize. */
static void register_scalars(struct sm_lanes *l, const char *scope, struct counter_registry *r) {
    char mix[64], threads[64];
    snprintf(mix, sizeof mix, "%s.scalar_mix", scope);
    snprintf(threads, sizeof threads, "%s.scalar_threads", scope);
    counter_register(r, scope, "scalar_reads", "registers", "scalar registers read", &l->scalar_reads);
    counter_register(r, scope, "scalar_writes", "registers", "scalar registers written", &l->scalar_writes);
    for (unsigned n = 0; n < ARM_CLASS_COUNT; ++n)
        counter_register(r, mix, arm_class_name[n], "instructions", arm_class_description[n],
                         &l->scalar_mix[n]);
    for (unsigned n = 0; n < ARM_CLASS_COUNT; ++n)
        counter_register(r, threads, arm_class_name[n], "threads", "that these are executed for at once",
                         &l->scalar_threads[n]);
}

static void register_lanes(struct sm_lanes *l, bool scalarizes, const char *scope,
                           struct counter_registry *r) {
    char sub[48];
    snprintf(sub, sizeof sub, "%s.lanes", scope);
    counter_register(r, sub, "rounds", "rounds", "of operands that warp instructions take", &l->rounds);
    counter_register(r, sub, "skipped", "rounds", "that they do not take: no active thread is in them",
                     &l->skipped);
    counter_register(r, sub, "scalar", "instructions",
                     "warp instructions executed for one thread, which stands for all (kernel.scalarize, "
                     "uniform.intra)",
                     &l->scalar_instructions);
    if (scalarizes) register_scalars(l, sub, r);
    if (!l->apart) return;
    counter_register(r, sub, "conflicts_1", "cycles",
                     "an instruction issues, and another lane group waits to", &l->conflicts[0]);
    counter_register(r, sub, "conflicts_2", "cycles",
                     "an instruction issues, and two other lane groups wait to", &l->conflicts[1]);
    counter_register(r, sub, "conflicts_3", "cycles",
                     "an instruction issues, and three or more other lane groups wait to", &l->conflicts[2]);
    counter_register(r, sub, "with_warp", "cycles", "of lane groups with a warp (each adds its own)",
                     &l->with_warp);
    counter_register(r, sub, "with_ready_warp", "cycles",
                     "of lane groups with a warp that does not wait for a load (each adds its own)",
                     &l->with_ready_warp);
    counter_register(r, sub, "warps", "cycles", "of warps (each adds its own)", &l->warps);
    counter_register(r, sub, "local_conflicts", "cycles",
                     "that a group's round waits for a bank of local memory which serves another group",
                     &l->robbed);
    for (unsigned g = 0; g < l->groups; ++g) register_lane_group(l, g, scope, r);
}

void sm_register_counters(struct sm *s, struct counter_registry *r) {
    char scope[32], sub[48];
    snprintf(scope, sizeof scope, "cluster%u", s->index);
    simt_register_counters(&s->simt, scope, r);
    counter_register(r, scope, "active_rounds", "rounds",
                     "of a row of lanes each, that these take and in which a thread takes part",
                     &s->active_rounds);
    counter_register(r, scope, "lane_slots", "instructions", "lanes in these rounds", &s->lane_slots);
    counter_register(r, scope, "scheduler_cycles", "cycles",
                     "of all schedulers while their cluster has a work-group", &s->scheduler_cycles);
    snprintf(sub, sizeof sub, "%s.mix", scope);
    for (unsigned c = 0; c < ARM_CLASS_COUNT; ++c)
        counter_register(r, sub, arm_class_name[c], "instructions", arm_class_description[c],
                         &s->class_instructions[c]);
    counter_register(r, sub, "private", "instructions",
                     "warp instructions that load or store private memory (spills among them)", &s->spills);
    snprintf(sub, sizeof sub, "%s.vrf", scope);
    counter_register(r, sub, "reads", "accesses", "rounds of a register read from a bank", &s->vrf_reads);
    counter_register(r, sub, "writes", "accesses", "rounds of a register written into a bank",
                     &s->vrf_writes);
    counter_register(r, sub, "conflict_cycles", "cycles",
                     "of an instruction that waits for banks, reading or writing (several can in a cycle)",
                     &s->vrf_conflict_cycles);
    register_lanes(&s->lanes, s->config->kernel.scalarize != SCALARIZE_OFF, scope, r);
    counter_register_histogram(r, scope, "active_threads", "threads",
                               "threads that take part in each warp instruction", &s->active_threads);
    if (!s->barrel)
        counter_register_histogram(r, scope, "issue_threads", "threads",
                                   "that take part in the warp instruction, the first of two, that a "
                                   "scheduler issues in a cycle, in each cycle; 0: it issues none",
                                   &s->issue_threads);
    counter_register_histogram(r, scope, "resident_warps", "warps", "warps with live threads, in each cycle",
                               &s->resident_warps);
    counter_register_histogram(r, scope, "memory_latency", "cycles",
                               "of a load, from its issue to its data; of a store, to its last transaction "
                               "accepted",
                               &s->memory_latency);
    sm_ldst_register_counters(s, scope, r);
    scalar_units_register_counters(s, r);
    if (s->divergence->register_counters) s->divergence->register_counters(s, scope, r);
    register_ratios(s, scope, r);
}

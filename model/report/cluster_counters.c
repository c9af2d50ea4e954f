/* Registers the counters of a cluster. */
#include "model/cluster/cluster.h"
#include "model/core/out_of_order.h"
#include "model/unit/unit.h"

#include <stdio.h>

/* Registers the counters of superscalar cores only. */
static void register_superscalar(struct superscalar *p, const char *lane, struct counter_registry *r) {
    char scope[80];
    counter_register(r, lane, "kernel_instructions", "instructions",
                     "instructions of kernels' twins (part of scalar_instructions)", &p->kernel_instructions);
    counter_register_histogram(r, lane, "issued", "instructions",
                               "instructions that issue (in_order) or are selected (out_of_order) in a cycle",
                               &p->issued);
    snprintf(scope, sizeof scope, "%s.branches", lane);
    const struct {
        const char *name, *what;
        const uint64_t *count;
    } branch[] = {
        {"executed", "branches executed in MIMD mode", &p->branches},
        {"taken", "of these, taken", &p->taken},
        {"wrong", "of these, predicted wrong", &p->wrong},
        {"wrong_target", "of these, taken and predicted taken, but to another target", &p->wrong_target},
        {"btb_hits", "branches executed that the BTB has", &p->btb_hits}};
    for (unsigned n = 0; n < sizeof branch / sizeof *branch; ++n)
        counter_register(r, scope, branch[n].name, "branches", branch[n].what, branch[n].count);
    counter_register_ratio(r, scope, "wrong_ratio", "%", "share of the branches that were predicted wrong",
                           "100 * wrong / executed");
    snprintf(scope, sizeof scope, "%s.fetch_queue", lane);
    counter_register_histogram(r, scope, "occupancy", "instructions",
                               "instructions fetched and not issued or dispatched, at the end of each cycle",
                               &p->queue_occupancy);
    snprintf(scope, sizeof scope, "%s.lsq", lane);
    counter_register_histogram(r, scope, "occupancy", "instructions",
                               "entries of the load-store queue in use at the end of each cycle",
                               &p->lsq_occupancy);
    struct window *w = p->window;
    if (!w) return;
    counter_register(r, scope, "forwarded", "loads", "loads that got their data from an older store",
                     &w->loads_forwarded);
    counter_register(r, scope, "held_cycles", "cycles", "loads have waited for the addresses of older stores",
                     &w->loads_held);
    counter_register(r, scope, "partial_cycles", "cycles",
                     "loads have waited for the write of an older store that has a part of their data",
                     &w->loads_partial);
    counter_register(r, scope, "refused", "loads",
                     "loads that found no free miss register (mem.mshrs) and were put off",
                     &w->loads_refused);
    snprintf(scope, sizeof scope, "%s.window", lane);
    counter_register_histogram(r, scope, "occupancy", "instructions",
                               "instructions in the window at the end of each cycle", &w->occupancy);
}

static void register_core(struct core *k, const char *cluster, struct counter_registry *r) {
    char scope[64];
    snprintf(scope, sizeof scope, "%s.lane%u", cluster, k->index);
    counter_register(r, scope, "scalar_instructions", "instructions",
                     "instructions the core executed in MIMD mode (start-up code, twins)", &k->instructions);
    counter_register(r, scope, "memory_instructions", "instructions",
                     "loads and stores of kernels' twins (part of scalar_instructions)",
                     &k->memory_instructions);
    if (k->superscalar) register_superscalar(k->superscalar, scope, r);
    snprintf(scope, sizeof scope, "%s.lane%u.l1i", cluster, k->index);
    counter_register(r, scope, "accesses", "accesses",
                     "instruction fetches (MIMD: one a line entered; superscalar: one a cycle)",
                     &k->l1i.accesses);
    counter_register(r, scope, "misses", "accesses", "instruction fetches that missed the L1I",
                     &k->l1i.misses);
    snprintf(scope, sizeof scope, "%s.lane%u.l1d", cluster, k->index);
    counter_register(r, scope, "accesses", "accesses", "loads and stores in MIMD launches, a line at a time",
                     &k->l1d.tags.accesses);
    counter_register(r, scope, "misses", "accesses", "loads and stores whose line the L1D did not have",
                     &k->l1d.tags.misses);
    counter_register(r, scope, "write_buffer_full_cycles", "cycles",
                     "stores have waited for an entry of the write buffer (l1d.write_buffer)",
                     &k->l1d.full_cycles);
    snprintf(scope, sizeof scope, "%s.lane%u.l2", cluster, k->index);
    counter_register(r, scope, "accesses", "accesses",
                     "requests of one line, from data accesses and L1I misses", &k->l2.tags.accesses);
    counter_register(r, scope, "misses", "accesses", "requests for lines that the L2 did not have",
                     &k->l2.tags.misses);
#define X(name, unit, what) counter_register(r, scope, #name, unit, what, &k->l2.name);
    PRIVATE_L2_COUNTERS(X)
#undef X
    counter_register_histogram(r, scope, "misses_in_flight", "misses",
                               "miss registers in use when a miss or upgrade begins, its own included",
                               &k->l2.in_flight);
    const struct {
        const char *name;
        struct tlb *tlb;
    } tlbs[] = {{"itlb", &k->itlb}, {"dtlb", &k->dtlb}};
    for (unsigned n = 0; n < 2; ++n) {
        snprintf(scope, sizeof scope, "%s.lane%u.%s", cluster, k->index, tlbs[n].name);
        counter_register(r, scope, "accesses", "accesses", "translations asked for", &tlbs[n].tlb->accesses);
        counter_register(r, scope, "misses", "accesses", "translations that waited for a walk",
                         &tlbs[n].tlb->misses);
        counter_register(r, scope, "walks", "walks",
                         "for these; misses of a page that is walked for share one", &tlbs[n].tlb->walked);
        counter_register(r, scope, "walk_cycles", "cycles", "walks have taken (mem.page_walk)",
                         &tlbs[n].tlb->walk_cycles);
    }
    snprintf(scope, sizeof scope, "%s.lane%u.page_walk", cluster, k->index);
    counter_register(r, scope, "wait_cycles", "cycles", "walks have waited for a free walker (mem.walkers)",
                     &k->walkers.wait_cycles);
}

static void register_bus(struct snoop_bus *b, const char *cluster, struct counter_registry *r) {
    char scope[64];
    snprintf(scope, sizeof scope, "%s.bus", cluster);
#define X(name, unit, what) counter_register(r, scope, #name, unit, what, &b->name);
    SNOOP_BUS_COUNTERS(X)
#undef X
}

static void register_tpm(struct cluster *c, const char *cluster, struct counter_registry *r) {
    char scope[64];
    snprintf(scope, sizeof scope, "%s.tpm", cluster);
    counter_register(r, scope, "stack_held", "accesses",
                     "accesses of threads to their stacks, a register at a time, with words in TPOs",
                     &c->stack_held);
    counter_register(r, scope, "stack_spilled", "accesses",
                     "accesses of threads to their stacks, a register at a time, with words in memory",
                     &c->stack_spilled);
    const struct {
        const char *name, *what;
    } wait[] = {
#define X(id, name, what) {name, what},
        CLUSTER_TPM_WAITS(X)
#undef X
    };
    for (unsigned i = 0; i < CLUSTER_TPM_WAIT_COUNT; ++i)
        counter_register(r, scope, wait[i].name, "cycles", wait[i].what, &c->tpm_wait[i]);
}

static void register_histograms(const struct cluster *c, const char *scope, struct counter_registry *r) {
    counter_register_histogram(r, scope, "active_threads", "threads",
                               "threads that execute each warp instruction: those whose PC is the warp PC",
                               &c->active_threads);
    counter_register_histogram(r, scope, "memory_latency", "cycles",
                               "from a warp's load or store starting its first round to its last data, or "
                               "to its last store accepted",
                               &c->memory_latency);
    counter_register_histogram(r, scope, "queue_occupancy", "instructions",
                               "warp instructions in the dispatch queue when one enters, itself included",
                               &c->queue_occupancy);
}

/* Registers the counters of lanes in which several rounds start in a cycle. */
static void register_multi_issue(const struct cluster *c, const char *scope, struct counter_registry *r) {
    if (c->config->simt.multi_issue == MULTI_ISSUE_OFF) return;
    counter_register(r, scope, "late_places", "instructions",
                     "warp instructions that started late, at last since the lanes had as many as they take",
                     &c->late_places);
    counter_register(r, scope, "late_units", "instructions",
                     "warp instructions that started late, at last since no unit of their class was free",
                     &c->late_units);
    counter_register_histogram(r, scope, "rounds_started", "rounds",
                               "rounds that start in the lanes in each cycle of SIMT mode",
                               &c->rounds_started);
}

static void register_ratios(const struct cluster *c, const char *scope, struct counter_registry *r) {
    static const struct {
        const char *name, *description, *formula;
    } percent[] = {
        {"l1i_miss_ratio", "share of the instruction fetches that missed the L1I",
         "100 * lane*.l1i.misses / lane*.l1i.accesses"},
        {"l1d_miss_ratio", "share of the MIMD loads and stores that missed the L1D",
         "100 * lane*.l1d.misses / lane*.l1d.accesses"},
        {"l2_miss_ratio", "share of the requests to the L2s for lines that they did not have",
         "100 * lane*.l2.misses / lane*.l2.accesses"},
        {"itlb_miss_ratio", "share of the translations that missed the ITLB",
         "100 * lane*.itlb.misses / lane*.itlb.accesses"},
        {"dtlb_miss_ratio", "share of the translations that missed the DTLB",
         "100 * lane*.dtlb.misses / lane*.dtlb.accesses"},
    };
    char formula[64];
    snprintf(formula, sizeof formula, "100 * thread_instructions / (%u * warp_instructions)",
             c->config->simt.warp_size);
    counter_register_ratio(r, scope, "simd_efficiency", "%",
                           "share of the warp's positions that execute its instructions", formula);
    counter_register_ratio(
        r, scope, "thread_instructions_per_cycle", "instructions/cycle",
        "thread-instructions of SIMT launches in each cycle of all launches (MIMD: of each "
        "core)",
        "thread_instructions / cycles.*");
    for (size_t i = 0; i < sizeof percent / sizeof *percent; ++i)
        counter_register_ratio(r, scope, percent[i].name, "%", percent[i].description, percent[i].formula);
}

void cluster_register_counters(struct cluster *c, struct counter_registry *r) {
    char scope[32];
    snprintf(scope, sizeof scope, "cluster%u", c->index);
    simt_register_counters(&c->simt, scope, r);
    if (c->config->simt.mitigation == MITIGATION_ALT)
        counter_register(
            r, scope, "alternate_instructions", "instructions",
            "thread-instructions of warps whose threads had several (part of thread_instructions)",
            &c->alternate_instructions);
    register_tpm(c, scope, r);
    for (unsigned i = 0; i < c->lanes; ++i) register_core(&c->core[i], scope, r);
    register_bus(&c->bus, scope, r);
    register_histograms(c, scope, r);
    register_multi_issue(c, scope, r);
    if (c->unit->rows.divergence->register_counters)
        c->unit->rows.divergence->register_counters(c->unit, scope, r);
    register_ratios(c, scope, r);
}

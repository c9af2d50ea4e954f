/* What a cluster counts, registered. */
#include "model/cluster/cluster.h"

#include <stdio.h>

static void register_core(struct core *k, const char *cluster, struct counter_registry *r) {
    char scope[64];
    snprintf(scope, sizeof scope, "%s.lane%u", cluster, k->index);
    counter_register(r, scope, "scalar_instructions", "instructions",
                     "instructions the core executed in MIMD mode (start-up code, twins)", &k->instructions);
    counter_register(r, scope, "memory_instructions", "instructions",
                     "loads and stores of kernels' twins (part of scalar_instructions)",
                     &k->memory_instructions);
    snprintf(scope, sizeof scope, "%s.lane%u.l1i", cluster, k->index);
    counter_register(r, scope, "accesses", "accesses", "instruction fetches (MIMD: one a line entered)",
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
    counter_register(r, scope, "upgrades", "accesses",
                     "stores into lines that others had, too, or could have had", &k->l2.upgrades);
    counter_register(r, scope, "joined", "accesses",
                     "requests that joined a miss whose line goes on to another L2", &k->l2.joined);
    counter_register(r, scope, "refused", "times",
                     "a miss has found no free miss register (mem.mshrs), or no place in its set",
                     &k->l2.refused);
    counter_register(r, scope, "port_wait_cycles", "cycles",
                     "requests have waited for others to the same bank (l2.banks, l2.ports)",
                     &k->l2.port_wait_cycles);
    counter_register(r, scope, "lost", "lines", "lines that others have taken away to write into them",
                     &k->l2.lost);
    counter_register(r, scope, "writebacks", "lines", "dirty lines evicted to main memory",
                     &k->l2.writebacks);
    counter_register(r, scope, "overwritten", "lines",
                     "lines given up since the host has written their buffer", &k->l2.overwritten);
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
    counter_register(r, scope, "requests", "requests", "misses and upgrades of the cluster's L2s",
                     &b->requests);
    counter_register(r, scope, "upgrades", "requests", "of these, for the right to write", &b->upgrades);
    counter_register(r, scope, "supplied", "requests",
                     "of these, answered with a line by another L2 of the cluster", &b->supplied);
    counter_register(r, scope, "wait_cycles", "cycles",
                     "requests, write-backs and other clusters have waited for the bus (snoop.occupancy)",
                     &b->wait_cycles);
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
    char scope[32], causes[40];
    snprintf(scope, sizeof scope, "cluster%u", c->index);
    snprintf(causes, sizeof causes, "%s.cycles", scope);
    counter_register(r, scope, "warp_instructions", "instructions", "warp instructions executed in SIMT mode",
                     &c->warp_instructions);
    counter_register(r, scope, "thread_instructions", "instructions",
                     "warp instructions times the threads whose PC was the warp PC", &c->thread_instructions);
    counter_register(r, scope, "condition_failed", "instructions",
                     "thread-instructions whose condition failed (part of thread_instructions)",
                     &c->condition_failed);
    counter_register(r, scope, "memory_instructions", "instructions",
                     "thread-instructions that loaded or stored (part of thread_instructions)",
                     &c->memory_instructions);
    if (c->path.alternate)
        counter_register(
            r, scope, "alternate_instructions", "instructions",
            "thread-instructions of warps whose threads had several (part of thread_instructions)",
            &c->alternate_instructions);
    counter_register(r, scope, "barriers", "barriers", "work-group barriers opened", &c->barriers.opened);
    counter_register(r, scope, "barriers_short", "barriers",
                     "barriers opened after a thread of the work-group had exited (a mistake in OpenCL)",
                     &c->barriers.opened_without);
    counter_register(r, scope, "barrier_arrivals", "work-items",
                     "that came to a barrier, again for each barrier; in SIMT mode", &c->barriers.arrived);
    counter_register(r, scope, "work_groups", "work-groups", "work-groups executed", &c->groups_done);
    counter_register(r, scope, "work_items", "work-items",
                     "thread contexts started; MIMD: work-items of the work-groups executed", &c->work_items);
    for (unsigned i = 0; i < MACHINE_BASE_CAUSE_COUNT; ++i)
        counter_register(r, causes, machine_cause_name[i], "cycles", machine_cause_description[i],
                         &c->cause[i]); /* of a MIMD launch: of each core */
    register_tpm(c, scope, r);
    uniform_register_counters(&c->uniform, scope, r);
    for (unsigned i = 0; i < c->lanes; ++i) register_core(&c->core[i], scope, r);
    register_bus(&c->bus, scope, r);
    register_histograms(c, scope, r);
    register_ratios(c, scope, r);
}

#include "model/cluster/cluster_fault.h"

#include "model/cluster/cluster.h"

static struct arm_threads *threads_of(void *owner, unsigned warp) {
    return &((struct cluster *)owner)->threads[warp];
}

static uint64_t live_of(const void *owner, unsigned warp) {
    return tdt_live(&((const struct cluster *)owner)->descriptors.warp[warp]);
}

static void detected(void *owner, unsigned warp, unsigned position, uint32_t pc, const char *does) {
    cluster_diagnose(owner, (int)warp, position, pc, "%s", does);
}

static struct fault_unit unit_of(struct cluster *c) {
    return (struct fault_unit){.config = c->config,
                               .uniform = &c->uniform,
                               .warps = c->warps,
                               .groups_done = c->groups_done,
                               .owner = c,
                               .threads = threads_of,
                               .live = live_of,
                               .detected = detected};
}

uint64_t cluster_fault_due(const struct cluster *c) {
    const uint64_t left = fault_due_in(c->fault, c->simt_cycles);
    return left == UINT64_MAX ? UINT64_MAX : c->simt_first + left;
}

void cluster_fault_step(struct cluster *c, uint64_t t) {
    const struct fault_unit u = unit_of(c);
    if (cluster_fault_due(c) <= t) fault_strike(c->fault, &u);
}

void cluster_fault_reads(struct cluster *c, struct fault_instruction x) {
    const struct fault_unit u = unit_of(c);
    fault_reads(c->fault, &u, &x);
}

void cluster_fault_writes(struct cluster *c, struct fault_instruction x) {
    const struct fault_unit u = unit_of(c);
    fault_writes(c->fault, &u, &x);
}

void cluster_fault_executed(struct cluster *c, struct fault_instruction x) {
    const struct fault_unit u = unit_of(c);
    fault_executed(c->fault, &u, &x);
}

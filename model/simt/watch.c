/* The observers of a unit: redundant operations, checks, endless repetition, profile, faults. */
#include "model/core/spin_watch.h"
#include "model/simt/simt.h"

/* --- redundant operations, checks, profile --- */

static struct uniform_warp uniform_warp_of(const struct simt *u, const struct simt_instruction *n) {
    const struct simt_warp w = simt_warp_of(u, n->warp);
    return (struct uniform_warp){n->warp, n->participating, w.live, w.threads};
}

void simt_watch_start(struct simt *u, const struct simt_instruction *n) {
    const struct uniform_warp w = uniform_warp_of(u, n);
    if (u->redundancy) redundancy_before(u->redundancy, &w, n->pc, n->i);
    if (u->spin) simt_spin_before(u, n);
    if (u->checks)
        checks_instruction(u->checks, simt_warp_of(u, n->warp).slot, n->warp, w.threads, n->i, n->pc,
                           n->participating);
}

void simt_watch_end(struct simt *u, const struct simt_instruction *n, const struct arm_execution *x) {
    const struct uniform_warp w = uniform_warp_of(u, n);
    if (u->spin) spin_watch_after(u->spin, w.threads, n->i, x);
    if (u->redundancy) redundancy_after(u->redundancy, &w, n->pc, n->i, x);
    if (u->profile && (n->i->is_load || n->i->is_store))
        machine_profile_access(simt_profile_row(u, n->pc), x->passed & ~x->in_stack, x->address,
                               n->i->access_bytes, u->config->l2.line_bytes);
}

void simt_show_execution(const struct simt *u, const struct simt_instruction *n, uint64_t passed,
                         const uint32_t *address, const struct arm_threads *threads,
                         const struct sm_flight *f, uint64_t t) {
    u->observer->executed(u->observer->context, &(struct observed){.i = n->i,
                                                                   .cycle = t,
                                                                   .participating = n->participating,
                                                                   .passed = passed,
                                                                   .address = address,
                                                                   .threads = threads,
                                                                   .group = simt_warp_of(u, n->warp).group,
                                                                   .pc = n->pc,
                                                                   .unit = u->index,
                                                                   .place = n->warp,
                                                                   .sm = f ? (const struct sm *)u : NULL,
                                                                   .flight = f});
}

bool simt_check_accesses(struct simt *u, const struct simt_instruction *n, const struct arm_execution *x) {
    const struct simt_warp w = simt_warp_of(u, n->warp);
    const uint32_t *size = u->launch->local_size, *const *id = (const uint32_t *const *)w.local_id;
    const struct checked_access a = {.i = n->i,
                                     .pc = n->pc,
                                     .first_item = id[0][0] + size[0] * (id[1][0] + size[1] * id[2][0]),
                                     .threads = (n->i->is_store ? x->stored : x->passed) & ~x->in_stack,
                                     .in_stack = x->passed & x->in_stack,
                                     .address = x->address,
                                     .registers = w.threads};
    struct memory_fault fault;
    if (checks_access(u->checks, w.slot, &a, &fault)) return true;
    simt_diagnose_outside_object(u, n->warp, n->pc, n->i, &fault);
    return false;
}

/* --- faults (model/uniform/fault.h) --- */

static struct arm_threads *threads_of(void *owner, unsigned warp) {
    return simt_warp_of(owner, warp).threads;
}

static uint64_t live_of(const void *owner, unsigned warp) {
    return simt_warp_of(owner, warp).live;
}

static void detected(void *owner, unsigned warp, unsigned position, uint32_t pc, const char *does) {
    simt_diagnose(owner, warp, position, pc, "%s", does);
}

static struct fault_unit fault_unit_of(struct simt *u) {
    return (struct fault_unit){.config = u->config,
                               .uniform = &u->uniform,
                               .warps = u->warps,
                               .groups_done = u->groups_done,
                               .owner = u,
                               .threads = threads_of,
                               .live = live_of,
                               .detected = detected};
}

uint64_t simt_fault_due(const struct simt *u, uint64_t t) {
    const uint64_t left = fault_due_in(u->fault, u->kind->fault_cycles(u, t));
    return left == UINT64_MAX ? UINT64_MAX : t + left;
}

uint64_t simt_fault_step(struct simt *u, uint64_t t) {
    const struct fault_unit own = fault_unit_of(u);
    if (simt_fault_due(u, t) <= t) fault_strike(u->fault, &own);
    return simt_fault_due(u, t);
}

void simt_fault(struct simt *u, fault_event *event, const struct simt_instruction *n, uint64_t passed,
                enum uniform_form form, const uint16_t *threads) {
    const struct fault_unit own = fault_unit_of(u);
    event(u->fault, &own,
          &(struct fault_instruction){n->i, n->warp, n->pc, n->participating, passed, form, threads});
}

#include "model/simt/simt.h"

#include "model/config/contexts_kind.h"
#include "model/config/core_kind.h"
#include "model/core/spin_watch.h"

#include <stdio.h>
#include <stdlib.h>

void simt_free(struct simt *u) {
    spin_watch_destroy(u->spin);
    uniform_free(&u->uniform);
    if (u->redundancy) redundancy_free(u->redundancy);
    free(u->redundancy);
    access_values_free(&u->access_values);
}

void simt_count_redundancy(struct simt *u, struct counter_registry *r) {
    char scope[32];
    snprintf(scope, sizeof scope, "cluster%u", u->index);
    u->redundancy = aligned_alloc(64, (sizeof *u->redundancy + 63) / 64 * 64);
    require_memory(u->redundancy);
    redundancy_init(u->redundancy, u->config, u->warps);
    redundancy_register_counters(u->redundancy, scope, r);
}

void simt_launch(struct simt *u, const struct machine_launch *l, struct error *e) {
    u->launch = l;
    u->error = e;
    u->short_barrier[0] = '\0';
    barrier_table_reset(&u->barriers);
    uniform_reset(&u->uniform);
    if (u->redundancy) redundancy_reset(u->redundancy);
}

/* Returns whether only superscalar cores have the cause. */
static bool is_superscalar(unsigned cause) {
    return cause == MACHINE_CAUSE_WINDOW || cause == MACHINE_CAUSE_LSQ || cause == MACHINE_CAUSE_SERIAL;
}

void simt_register_counters(struct simt *u, const char *scope, struct counter_registry *r) {
    const bool schedulers = contexts_kind(u->config)->scheduler_cycles,
               single = !core_kinds[u->config->core.kind]->superscalar;
    char causes[48];
    snprintf(causes, sizeof causes, "%s.cycles", scope);
    counter_register(r, scope, "warp_instructions", "instructions", "warp instructions executed in SIMT mode",
                     &u->warp_instructions);
    counter_register(r, scope, "thread_instructions", "instructions",
                     "warp instructions times the threads that take part", &u->thread_instructions);
    counter_register(r, scope, "condition_failed", "instructions",
                     "thread-instructions whose condition failed (part of thread_instructions)",
                     &u->condition_failed);
    counter_register(r, scope, "memory_instructions", "instructions",
                     "thread-instructions that loaded or stored (part of thread_instructions)",
                     &u->memory_instructions);
    counter_register(r, scope, "barriers", "barriers", "work-group barriers opened", &u->barriers.opened);
    counter_register(r, scope, "barriers_short", "barriers",
                     "barriers opened after a thread of the work-group had exited (a mistake in OpenCL)",
                     &u->barriers.opened_without);
    counter_register(r, scope, "barrier_arrivals", "work-items",
                     "that came to a barrier, again for each barrier; in SIMT mode", &u->barriers.arrived);
    counter_register(r, scope, "work_groups", "work-groups", "work-groups executed", &u->groups_done);
    counter_register(r, scope, "work_items", "work-items",
                     "threads started; MIMD: work-items of the work-groups executed", &u->work_items);
    for (unsigned n = 0; n < MACHINE_CAUSE_COUNT; ++n) /* summed over schedulers, or cores in MIMD launches */
        if (machine_cause_is_of(schedulers, n) && !(is_superscalar(n) && single))
            counter_register(r, causes, machine_cause_name[n], "cycles", machine_cause_description[n],
                             &u->cause[n]);
    uniform_register_counters(&u->uniform, scope, r);
}

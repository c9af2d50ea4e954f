#include "model/cluster/uncore.h"

#include "model/config/contexts_kind.h"

#include <string.h>

uint32_t uncore_threads(const struct machine_config *c) {
    return machine_threads(c) + c->cluster.lanes;
}

void uncore_init(struct uncore *u, const struct machine_config *c) {
    memset(u, 0, sizeof *u);
    main_memory_init(&u->memory, c);
    u->several = c->cluster.count > 1;
    if (u->several) directory_init(&u->directory, c, &u->memory);
    snoop_directory_init(&u->protocol, c->cluster.count, c->cluster.lanes);
    const uint32_t threads = c->cluster.count * uncore_threads(c);
    exclusive_monitor_init(&u->monitor, threads, c->l2.line_bytes,
                           (uint64_t)threads * c->mem.exclusive_hold_cycles);
    u->monitor.apart = machine_runs_apart(c);
    if (c->mem.exclusive_livelock_cycles) u->monitor.limit = c->mem.exclusive_livelock_cycles;
}

void uncore_free(struct uncore *u) {
    if (u->several) directory_free(&u->directory);
    exclusive_monitor_free(&u->monitor);
}

void uncore_register_counters(struct uncore *u, struct counter_registry *r) {
    counter_register(r, "memory", "reads", "lines", "lines read from main memory", &u->memory.reads);
    counter_register(r, "memory", "writes", "lines", "lines written back to main memory", &u->memory.writes);
    counter_register(r, "memory", "wait_cycles", "cycles",
                     "requests have waited for the transfers of others (mem.bandwidth)",
                     &u->memory.wait_cycles);
    if (!u->several) return;
    counter_register(r, "directory", "requests", "requests", "reads, writes and upgrades of clusters",
                     &u->directory.requests);
    counter_register(r, "directory", "forwards", "requests", "of these, answered by another cluster",
                     &u->directory.forwards);
    counter_register(r, "directory", "invalidations", "requests",
                     "clusters that were told to give up their copies of a line",
                     &u->directory.invalidations);
    counter_register(r, "directory", "wait_cycles", "cycles",
                     "requests have waited for the look-ups of others (directory.occupancy)",
                     &u->directory.wait_cycles);
}

void uncore_begin_launch(struct uncore *u, const struct machine_launch *l) {
    uint32_t groups[3];
    machine_launch_groups(l, groups);
    work_group_dispatcher_begin(&u->groups, groups);
    memset(&u->claims, 0, sizeof u->claims);
    exclusive_monitor_window(&u->monitor, MEMORY_LOCAL_BASE, l->local_bytes);
    exclusive_monitor_reset(&u->monitor);
    block_requests_reset(&u->protocol.requests);
}

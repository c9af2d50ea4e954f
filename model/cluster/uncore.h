/*
 * uncore: what the clusters of a machine share: main memory, the directory between their caches, the
 * exclusive monitor of all threads, the work-groups of the launch.
 *
 * The threads of cluster k have the numbers from k · uncore_threads() on: its contexts, warp by warp, then
 * its cores. Requests are taken in the order in which they are made: the machine lets its clusters work in
 * the order of simulated time, and of their numbers within a cycle.
 */
#ifndef MODEL_CLUSTER_UNCORE_H
#define MODEL_CLUSTER_UNCORE_H

#include "model/memory/directory.h"
#include "model/control/exclusive_monitor.h"
#include "model/core/execution_trail.h"
#include "model/memory/main_memory.h"
#include "model/memory/snoop_directory.h"
#include "model/control/work_group_dispatcher.h"
#include "model/core/launch.h"
#include "sim/counter.h"

struct cluster;
struct uncore {
    struct main_memory memory;
    bool several; /* clusters: then the directory is there */
    struct directory directory;
    struct snoop_directory protocol; /* while something runs beside it, it decides */
    struct exclusive_monitor monitor;
    struct work_group_dispatcher groups;
    struct exclusive_claims claims;
    struct cluster *has_turn; /* of several, while they run */
    uint64_t asked;           /* bit k: cluster k has been asked for a line, so it has a turn at fast.x_due */
};

/* Threads of one cluster: contexts and cores. */
uint32_t uncore_threads(const struct machine_config *c);

void uncore_init(struct uncore *u, const struct machine_config *c);
void uncore_free(struct uncore *u);
void uncore_register_counters(struct uncore *u, struct counter_registry *r);

/* A launch begins: nothing is reserved; the monitor knows the window of local memory. */
void uncore_begin_launch(struct uncore *u, const struct machine_launch *l);

#endif

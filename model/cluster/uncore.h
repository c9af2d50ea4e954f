/*
 * uncore: parts that the clusters of a machine share: main memory, the directory between their caches, the
 * exclusive monitor of all threads, and the work-groups of the launch.
 *
 * The threads of cluster k have the numbers from k · uncore_threads() on: its contexts, warp by warp, then
 * its cores. Requests are served in the order of simulated time, since the machine steps its clusters in that
 * order; within a cycle, lower clusters go first.
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
    bool several; /* there are several clusters, and the directory is in use */
    struct directory directory;
    /* State of the snoop protocol; decides only while a twin of it is attached. */
    struct snoop_directory protocol;
    struct exclusive_monitor monitor;
    struct work_group_dispatcher groups;
    struct exclusive_claims claims;
    struct cluster *has_turn; /* cluster whose turn it is, if there are several */
    uint64_t asked;           /* bit k: cluster k was asked for a line and has a turn in cycle fast.x_due */
};

/* Returns the number of threads of a cluster: its contexts and its cores. */
uint32_t uncore_threads(const struct machine_config *c);

void uncore_init(struct uncore *u, const struct machine_config *c);
void uncore_free(struct uncore *u);
void uncore_register_counters(struct uncore *u, struct counter_registry *r);

/* Begins a launch: clears all reservations and tells the monitor the window of local memory. */
void uncore_begin_launch(struct uncore *u, const struct machine_launch *l);

#endif

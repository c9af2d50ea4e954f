/*
 * machine: the whole simulated machine: clusters, their co-processors, memory; and kernel launches on it.
 *
 * Clusters take work-groups in parallel, in one simulated time: the machine steps them cycle by cycle, and
 * within a cycle in the order of their numbers, so that shared parts see requests in that order.
 *
 * A machine is built from a configuration, exists as long as the simulator process and runs one launch at a
 * time. Its cycle count and simulated time continue from launch to launch; no time passes between launches.
 */
#ifndef MODEL_MACHINE_MACHINE_H
#define MODEL_MACHINE_MACHINE_H

#include "model/check/debugger.h"
#include "model/check/observer.h"
#include "model/config/contexts_kind.h"
#include "model/core/launch.h"
#include "model/memory/memory.h"
#include "sim/counter.h"
#include "sim/error.h"
#include "sim/kernel.h"
#include "sim/trace.h"

#include <stddef.h>

struct dram_channel;
struct machine;
struct sm_lanes;

/* --- life --- */

struct machine *machine_create(const struct machine_config *c, struct error *e);
void machine_destroy(struct machine *m);
struct memory *machine_memory(struct machine *m);
const struct machine_config *machine_configuration(const struct machine *m);
struct counter_registry *machine_counters(struct machine *m);
uint64_t machine_cycle(const struct machine *m);
/* Returns the first cycle of the running or the last launch. */
uint64_t machine_first_cycle(const struct machine *m);
sim_time machine_time(const struct machine *m);
sim_time machine_time_of(const struct machine *m, uint64_t cycle); /* time at which the cycle begins */

/* Invalidates the cache lines of `size_bytes` bytes, at least one, of the machine's memory, which the host
 * has written between launches. Takes no simulated time. */
void machine_host_wrote(struct machine *m, uint32_t address, uint32_t size_bytes);

/* --- access for twins and tests --- */

/* Returns a channel of DRAM; NULL if there is none with this number. */
struct dram_channel *machine_channel(struct machine *m, unsigned n);
/* Return the running launch, and its error; NULL if none runs. */
const struct machine_launch *machine_running(const struct machine *m);
struct error *machine_error(const struct machine *m);
struct cluster *machine_cluster(struct machine *m, unsigned index);
/* Returns a cluster or SM. */
struct simt *machine_unit(struct machine *m, unsigned index);
/* Returns the lanes that count over time (machine_set_lane_interval()); NULL: none do. */
const struct sm_lanes *machine_lanes_over_time(const struct machine *m);
/* Return the exclusive monitor of all threads; the dispatcher of work-groups. */
struct exclusive_monitor *machine_monitor(struct machine *m);
struct work_group_dispatcher *machine_groups(struct machine *m);
/* Visits every cycle before `end`, for twins of blocks that SMs share. Clusters have their own twins. */
void machine_watch(struct machine *m, uint64_t end);
/* Returns whether cycle t of a unit is traced. */
bool machine_traced(struct machine *m, unsigned unit, uint64_t t);
/* Returns the end of the current step, to which units may have run ahead of the machine's cycle. */
uint64_t machine_step_end(const struct machine *m);

/* --- private memory --- */

#define MACHINE_STACKS_TEXT 200
/* Returns whether there is private memory for the threads of one work-group of the launch (GPU-like
 * machines), or of all contexts. If not, `why` gets the reason. */
bool machine_has_stacks(const struct machine_config *c, const struct machine_launch *l,
                        char why[MACHINE_STACKS_TEXT]);

/* --- before launches: traces, limits, checks and counters --- */

/* Declares the machine's variables in a trace, before the first launch. Values are traced in the cycles of
 * the windows, by the machine's count; other cycles cost no time. There is at least one window; windows are
 * in order and neither overlap nor touch. The caller must keep them for the life of the machine. */
void machine_trace(struct machine *m, struct trace *t, const struct machine_window *windows, size_t count);

/* Receiver of the units' records and of launches. `begins` comes before a launch's first record, `ends` with
 * the cycle after its last. `unit` returns the recorder of the n-th cluster or SM. */
struct machine_recorder {
    struct recorder *(*unit)(void *context, unsigned n);
    void (*begins)(void *context, const struct machine_launch *launch, enum machine_mode mode,
                   uint64_t cycle);
    void (*ends)(void *context, uint64_t cycle, const struct error *e);
    void *context;
};

/* Records the machine's work from the next launch on, without other effects. */
void machine_record(struct machine *m, const struct machine_recorder *r);

/* Stops the launch in progress (or the next) at its next step: async-signal-safe. */
void machine_interrupt(struct machine *m);
/* Clears an interrupt that came after the end of its launch. */
void machine_clear_interrupt(struct machine *m);
/* Called about every 50 ms of host time during a launch (for a progress line). so_far holds first_cycle,
 * cycles, start, end, host_seconds, host_cpu_seconds and the completed work-groups and work-items. */
typedef void machine_progress_function(void *context, const struct machine_launch *launch,
                                       const struct machine_result *so_far);
void machine_on_progress(struct machine *m, machine_progress_function *f, void *context);

/* Limits the cycles of one launch: a longer launch stops with EXIT_PROGRAM_FAULT. 0: no limit. */
void machine_set_max_cycles(struct machine *m, uint64_t cycles);

/* Stops a launch in a cycle of the machine, as an interrupt does. UINT64_MAX, the initial value: never. */
void machine_stop_at(struct machine *m, uint64_t cycle);

/* Forgets the host threads in a copy of the process by fork(), between two steps: the copy has only the
 * caller's thread. */
void machine_forget_threads(struct machine *m);

/* Runs the clusters of a GPU-like machine on `threads` host threads, at least 1. Results do not depend on the
 * number. Launches whose results could run on one thread (struct machine_result: alone). */
void machine_set_threads(struct machine *m, unsigned threads);

/* Visits every cycle, and lets scheduler, arbiter, dispatcher, operand collector, address mapping and barrier
 * table (model/control/) make every decision of SIMT mode, instead of computing ahead. This is slower and has
 * no other effect. */
void machine_set_exact_steps(struct machine *m, bool exact);

/* Checks on GPU-like machines, after each cycle with an event, that every thread is in exactly one place of
 * its scheduler's engine; if not, the process ends. Exact steps include this check. */
void machine_set_check_places(struct machine *m, bool check);

/* Stops a launch with EXIT_PROGRAM_FAULT if a thread ends at a priority other than the outermost: a mistake
 * in the placement of priority operations. */
void machine_set_check_levels(struct machine *m, bool check);

/* Look for mistakes in SIMT launches from the next on (checks.h): data races; accesses that leave their
 * objects and, if `all` is true, reads of write-only buffers and, on the base machine, uses of values that
 * have not been written. To be called once each, before the first launch. */
void machine_check_races(struct machine *m);
void machine_check_memory(struct machine *m, bool all);
/* Marks memory of a buffer as without value until a kernel or the host writes it. */
void machine_forget(struct machine *m, uint32_t address, uint32_t size_bytes);
/* Reports launches from the next on to a debugger (debugger.h). NULL ends this, also during a launch. One
 * host thread. */
void machine_debug(struct machine *m, const struct debugger *d);
/* Reports the instructions of all launches to an observer (observer.h), from the next launch on; NULL: none.
 * One host thread. */
void machine_observe(struct machine *m, const struct observer *o);
/* Returns whether machine_interrupt() has asked the launch to stop. */
bool machine_interrupted(const struct machine *m);
/* Returns the results of the checks of the last launch. */
const struct checks *machine_checks(const struct machine *m);

/* Compares values that the machine treats as uniform (uniform.storage) in all threads of the warp, after
 * every instruction; panics if they differ. */
void machine_set_check_uniform(struct machine *m, bool check);
/* With kernel.scalarize: compares each scalar register with the values of all threads that use it; panics if
 * they differ. */
void machine_set_check_scalar(struct machine *m, bool check);

/* Records the activity of the lane groups of a GPU-like machine (sm_lanes.h: over_time) in intervals of
 * `cycles` cycles, from the next launch on; 0, the initial value: no record. */
void machine_set_lane_interval(struct machine *m, uint64_t cycles);

/* Counts redundant operations (redundancy.h) from the next launch on, as counters in scope redundancy of each
 * cluster. To be called once, before the first launch. */
void machine_count_redundancy(struct machine *m);

/* Counts the states of threads while their scheduler issues nothing (idle.h), in scope idle of each cluster,
 * for barrel issue. To be called once, before the first launch. */
void machine_count_idle(struct machine *m);

/* Switches profiling on or off from the next launch on; initially off. No other effect. */
void machine_set_profiling(struct machine *m, bool on);
/* Returns text_bytes / 4 rows, for the code of the last launch, valid until the next begins. NULL: not
 * profiled. */
const struct machine_profile *machine_profile(const struct machine *m);

/* Switches the counting of executed instructions on or off from the next launch on; initially off. No other
 * effect; faster than profiling. */
void machine_set_counting(struct machine *m, bool on);
/* Return the counts of the last launch, as in a profile: executions by threads; and by cores, in both modes,
 * including start-up code. NULL: not counted. */
const int64_t *machine_thread_executions(const struct machine *m);
const int64_t *machine_core_executions(const struct machine *m);

/* --- launches --- */

/* Counts of all launches, clusters and lanes that are not counters. */
struct machine_traffic {
    uint64_t l1d_stores, l2_stores; /* stores among the counted accesses */
    uint64_t barrier_arrivals;      /* arrivals of threads */
};
struct machine_traffic machine_traffic(const struct machine *m);

/* Runs a launch to its end, in the configuration's mode or, if that is auto, in the launch's own. If it
 * fails, returns false and *e, a diagnosis in terms of the program: EXIT_PROGRAM_FAULT (fault, deadlock,
 * cycle limit, foreign stack…: kernel, work-item, PC, source line); EXIT_USER after an interrupt (with the
 * activity of each warp or core), or if the kernel has no twin for MIMD mode. The caller must have checked
 * the sizes (local sizes divide global sizes, work-group ≤ machine_max_work_group(), local_bytes ≤ the
 * limit). *r is filled in both cases. */
bool machine_run(struct machine *m, const struct machine_launch *launch, struct machine_result *r,
                 struct error *e);
/* Returns whether the last launch, which has failed, had no work-item that could go on. */
bool machine_is_stuck(const struct machine *m);

#endif

/*
 * machine: the whole simulated machine: clusters, their co-processors, memory; and kernel launches on it.
 *
 * Clusters take work-groups in parallel, in one simulated time: the machine lets them work cycle by cycle,
 * and within a cycle in the order of their numbers, so that what they share sees requests in that order.
 *
 * A machine is built from a configuration, lives as long as the simulator process and runs one launch at a
 * time. Its cycle count and simulated time run on from launch to launch (nothing passes between them).
 */
#ifndef MODEL_MACHINE_MACHINE_H
#define MODEL_MACHINE_MACHINE_H

#include "model/config/machine_config.h"
#include "model/core/launch.h"
#include "model/memory/memory.h"
#include "sim/counter.h"
#include "sim/error.h"
#include "sim/kernel.h"
#include "sim/trace.h"

#include <stddef.h>

struct machine;

/* --- life --- */

struct machine *machine_create(const struct machine_config *c, struct error *e);
void machine_destroy(struct machine *m);
struct memory *machine_memory(struct machine *m);
const struct machine_config *machine_configuration(const struct machine *m);
struct counter_registry *machine_counters(struct machine *m);
uint64_t machine_cycle(const struct machine *m);
sim_time machine_time(const struct machine *m);
sim_time machine_time_of(const struct machine *m, uint64_t cycle); /* when the cycle begins */

/* Between launches the host has written `size_bytes` bytes, at least one, of the machine's memory: the next
 * launch finds none of their lines in a cache. Takes no simulated time. */
void machine_host_wrote(struct machine *m, uint32_t address, uint32_t size_bytes);

/* --- what runs beside its models, and tests --- */

/* The SMs of a GPU-like machine; NULL: it is none. */
struct sms *machine_sms(struct machine *m);
/* The launch that runs, and its error; NULL: none does. */
const struct machine_launch *machine_running(const struct machine *m);
struct error *machine_error(const struct machine *m);
struct cluster *machine_cluster(struct machine *m, unsigned index);

/* --- sizes of work-groups --- */

/* The largest work-group a launch may have: contexts, and n_tpo ≥ N_reg (machine.md §1); the same in both
 * modes, so that a program that asks for it does the same work. */
uint32_t machine_max_work_group(const struct machine_config *c);
/* Of a kernel with so many registers a thread; 0: they are not known. */
uint32_t machine_kernel_work_group(const struct machine_config *c, uint32_t registers);

/* The fields that this machine would have to change for work-groups of `items` work-items of a kernel with so
 * many registers (0: unknown), as few and as little as can be: "cluster.threads_per_lane=256 l1d.size=65536".
 * False if no machine has room for them; empty if this one has. */
bool machine_room_for(const struct machine_config *c, uint64_t items, uint32_t registers, char *text,
                      size_t size);

#define MACHINE_STACKS_TEXT 200
/* Whether there is private memory for the threads of one work-group of the launch, on GPU-like machines, or
 * of all contexts. False: `why` says what is missing. */
bool machine_has_stacks(const struct machine_config *c, const struct machine_launch *l,
                        char why[MACHINE_STACKS_TEXT]);

/* --- before launches: what is traced, limited, checked and counted --- */

/* Declares the machine's variables in a trace, before the first launch; emits into it in the cycles of the
 * windows, by the machine's count, and costs nothing in the others. The windows (at least one) are in order
 * and neither overlap nor touch; they stay the caller's, for as long as the machine lives. */
void machine_trace(struct machine *m, struct trace *t, const struct machine_window *windows, size_t count);

/* Stops the launch in progress (or the next) at its next step: async-signal-safe. */
void machine_interrupt(struct machine *m);
/* Forgets an interrupt that came too late for the launch it was meant for. */
void machine_clear_interrupt(struct machine *m);
/* The running launch calls this about every 50 ms of host time (for a progress line); may be NULL. so_far
 * holds first_cycle, cycles, start, end, host_seconds, host_cpu_seconds and the work-groups and work-items
 * completed up
 * to now. */
typedef void machine_progress_function(void *context, const struct machine_launch *launch,
                                       const struct machine_result *so_far);
void machine_on_progress(struct machine *m, machine_progress_function *f, void *context);

/* Limits the cycles of one launch: a launch that would take more stops with
 * EXIT_PROGRAM_FAULT. 0: no limit. */
void machine_set_max_cycles(struct machine *m, uint64_t cycles);

/* The clusters of a GPU-like machine run on so many host threads, 1 or more: every result is the same.
 * Launches in which it would not be run on one (struct machine_result: alone). */
void machine_set_threads(struct machine *m, unsigned threads);

/* Visits every cycle, and lets scheduler, arbiter, dispatcher, operand collector, address mapping and barrier
 * table (model/control/) take every decision of SIMT mode, instead of computing ahead: slower, else without
 * any effect. */
void machine_set_exact_steps(struct machine *m, bool exact);

/* Checks on GPU-like machines, after each cycle in which something happens, that every thread is in exactly
 * one place of its scheduler's engine; the process ends if not. Exact steps do so, too. */
void machine_set_check_places(struct machine *m, bool check);

/* Stops a launch with EXIT_PROGRAM_FAULT when a thread ends at another priority than the outermost: a mistake
 * of whoever placed the priority operations. */
void machine_set_check_levels(struct machine *m, bool check);

/* Compares, after every instruction, what the machine takes for uniform (uniform.storage) in all threads of
 * the warp; one that differs is a panic. */
void machine_set_check_uniform(struct machine *m, bool check);
/* With kernel.scalarize: each scalar register must be what all threads that use it have: a panic if not. */
void machine_set_check_scalar(struct machine *m, bool check);

/* Notes of each launch from the next on, interval by interval of so many cycles, what the lane groups of a
 * GPU-like machine do (sm_lanes.h: over_time); 0, as at first: nothing. */
void machine_set_lane_interval(struct machine *m, uint64_t cycles);

/* Counts redundant operations (redundancy.h) from the next launch on: as counters, in scope redundancy of
 * each cluster, which are registered now. Once, before the first launch. */
void machine_count_redundancy(struct machine *m);

/* Counts what threads do while their scheduler issues nothing (idle.h), likewise, in scope idle. Barrel
 * issue. */
void machine_count_idle(struct machine *m);

/* Profiles launches from the next on; off at first. Changes nothing else. */
void machine_set_profiling(struct machine *m, bool on);
/* Of the launch that ended last, text_bytes / 4 of its code, until the next begins. NULL: not profiled. */
const struct machine_profile *machine_profile(const struct machine *m);

/* Counts how often instructions are executed, from the next launch on; off at first. Changes nothing else,
 * and costs less than profiling. */
void machine_set_counting(struct machine *m, bool on);
/* Likewise of the launch that ended last: executions for threads, as a profile has them, and by cores, in
 * both modes, start-up code included. NULL: not counted. */
const int64_t *machine_thread_executions(const struct machine *m);
const int64_t *machine_core_executions(const struct machine *m);

/* --- launches --- */

/* What all launches did, in all clusters and lanes, besides what the counters say. */
struct machine_traffic {
    uint64_t l1d_stores, l2_stores; /* of the accesses that the counters have */
    uint64_t barrier_arrivals;      /* of threads */
};
struct machine_traffic machine_traffic(const struct machine *m);

/* Runs a launch to its end, in the configuration's mode or, if that is auto, in the launch's own. False and
 * *e with a diagnosis in the program's terms otherwise: EXIT_PROGRAM_FAULT (fault, deadlock, cycle limit,
 * foreign stack…: kernel, work-item, PC, source line), EXIT_USER when interrupted (what each warp or core was
 * doing) or the kernel has no twin for MIMD mode. The sizes must have been checked (local sizes divide global
 * sizes, work-group ≤ machine_max_work_group(), local_bytes ≤ the limit). *r is filled in both cases. */
bool machine_run(struct machine *m, const struct machine_launch *launch, struct machine_result *r,
                 struct error *e);

#endif

/*
 * kernel: a discrete-event simulation kernel with the semantics of SystemC's core, in C. This header holds
 * the rules and what runs a simulation; it includes the headers of what a model is made of:
 *
 *   time.h     picoseconds                            signal.h     signals of any width, evaluate/update
 *   event.h    immediate, delta and timed events      clock.h      clocks of exact rational periods
 *   process.h  methods and threads, what they wait    scope.h      hierarchical names and looking them up
 *              for
 *   mutex.h, semaphore.h (included on their own): what threads share
 *   queue.h (on its own): a bounded FIFO whose pushes are seen in the next cycle; it needs no kernel
 *
 * Building a model. kernel_create(), then scopes, events, signals, clocks and processes with their static
 * sensitivity (elaboration), then kernel_run(), again and again. Processes, static sensitivity and clocks are
 * made before the first kernel_run(); events and signals at any time. Everything made in a kernel lives as
 * long as it. There are no globals: several kernels can live in one process, each used by one host thread at
 * a time. Misuse (notifying the past, a name given twice, waiting in a method…) is a panic that names the
 * objects concerned (error.h).
 *
 * A delta cycle. Evaluation: all runnable processes run, and those they notify immediately. Update: written
 * signals take their new values. Notification: delta notifications, in the order in which they were made,
 * then those of changed signals, in the order of the first write, make processes runnable for the next delta
 * cycle. When nothing is left, time goes on to the earliest clock edge or timed notification; at one time
 * clock edges come first (in the order in which the clocks were made, rising before falling), then timed
 * notifications in the order in which they were made.
 *
 * The order is total: (time, delta cycle, sequence of becoming runnable). An event makes runnable those
 * statically sensitive to it, in the order of their declaration, then those that wait for it, in the order
 * of asking; who is runnable already keeps its place; methods and threads stand in one order. It depends on
 * nothing else: not on addresses, hash order or the host. A notification or process is taken out of its queue
 * before it runs, so that it can ask anew. Nothing can be scheduled in the past, nor beyond the end of 64-bit
 * time. The running process does not hear what it notifies immediately itself. In the first kernel_run(), at
 * the present time, processes are initialised (run once) in the order in which they were made, then the
 * clocks' edges at time 0 happen. Immediate notification before it is a panic.
 *
 * For people who know SystemC: sc_start() is kernel_run(), which also runs the delta cycles of
 * its last moment; sc_pause() and sc_stop() are kernel_pause() and kernel_stop(); a clock edge is heard
 * directly, not one delta cycle after a process of the clock wrote a signal. Left out on purpose: port,
 * export and binding classes (pass pointers), four-valued logic and resolved signals, killing, suspending or
 * spawning processes while the simulation runs, TLM and AMS.
 */
#ifndef SIM_KERNEL_H
#define SIM_KERNEL_H

#include "sim/error.h"
#include "sim/time.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* --- life and time --- */

struct kernel;

struct kernel *kernel_create(void);
/* Frees everything made in it. Threads that wait are abandoned where they are: what they own stays theirs. */
void kernel_destroy(struct kernel *k);

sim_time kernel_now(const struct kernel *k);
uint64_t kernel_delta_count(const struct kernel *k); /* delta cycles in which a process ran */
uint64_t
kernel_event_count(const struct kernel *k); /* process activations so far, the running one included */

/* --- running --- */

enum kernel_outcome {
    KERNEL_REACHED,    /* ran up to and including the given time, which it is now */
    KERNEL_STARVED,    /* nothing is left to run; it is the time of the last activity */
    KERNEL_PAUSED,     /* kernel_pause() was called: kernel_run() resumes */
    KERNEL_STOPPED,    /* kernel_stop…() was called: nothing will run any more */
    KERNEL_DELTA_LIMIT /* time did not advance for kernel_set_delta_limit() delta cycles: see the error */
};
/* Starts or resumes: runs all activity at times ≤ until. On KERNEL_DELTA_LIMIT *e names the processes that
 * loop (EXIT_PROGRAM_FAULT). Not to be called by a process (panic). */
enum kernel_outcome kernel_run(struct kernel *k, sim_time until, struct error *e);
/* These may be called by processes, between runs (the next kernel_run() returns at once) and by handlers of
 * POSIX signals. */
void kernel_pause(struct kernel *k);    /* after the current delta cycle */
void kernel_stop(struct kernel *k);     /* for good, after the current delta cycle */
void kernel_stop_now(struct kernel *k); /* for good, when the running process returns or waits */

/* Delta cycles and generations of immediate notifications that one moment may take; at least 1, default
 * 1,000,000.
 */
void kernel_set_delta_limit(struct kernel *k, uint64_t n);

/* --- questions --- */

/* Writes a line per process that has not ended, in the order in which they were made: what it waits for (all
 * events of a list, its timeout) and since when. Meant for KERNEL_STARVED; right between any two runs. */
void kernel_report_waiting(const struct kernel *k, FILE *out);

/* Time of the earliest pending activity after the running process, SIM_TIME_NEVER if none; `kernel_now()` if
 * other work is pending at the present time (its own writes to signals and delta notifications too). Clock
 * edges that nobody listens to are none. */
sim_time kernel_next_time(const struct kernel *k);

/* The running method asks to go on at time t without returning to the scheduler. True, and now == t, if
 * nothing else is pending at any time ≤ t, t ≤ the until of kernel_run() and no stop was asked for; else
 * false and nothing changes. Invisible to every other process: it only saves the way through the queue. */
bool kernel_advance(struct kernel *k, sim_time t);

#include "sim/clock.h"
#include "sim/event.h"
#include "sim/process.h"
#include "sim/scope.h"
#include "sim/signal.h"

#endif

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
 * Building a model. First kernel_create(), then scopes, events, signals, clocks and processes with their
 * static sensitivity (elaboration), then kernel_run(), any number of times. Processes, static sensitivity
 * and clocks are created before the first kernel_run(); events and signals at any time. All objects of a
 * kernel live as long as the kernel. There are no globals: several kernels can exist in one process, each
 * used by one host thread at a time. Misuse (notifying the past, a name given twice, waiting in a method…)
 * is a panic that names the objects concerned (error.h).
 *
 * A delta cycle has three phases.
 * - Evaluation: all runnable processes run, and the processes that they notify immediately.
 * - Update: written signals take their new values.
 * - Notification: delta notifications, in the order in which they were made, then those of changed
 *   signals, in the order of the first write, make processes runnable for the next delta cycle.
 *
 * When no work is left, time advances to the earliest clock edge or timed notification. At one time, clock
 * edges come first, in the order in which the clocks were created, rising before falling. Timed
 * notifications follow in the order in which they were made.
 *
 * The order is total: (time, delta cycle, sequence of becoming runnable). An event makes its statically
 * sensitive processes runnable, in the order of their declaration, then the processes that wait for it, in
 * the order of their requests. A process that is runnable already keeps its place; methods and threads are
 * in one order. Addresses, hash order and the host have no influence.
 *
 * A notification or process leaves its queue before it runs, so that it can be requested again. Nothing
 * can be scheduled in the past, nor beyond the end of 64-bit time. The running process does not receive
 * its own immediate notifications. In the first kernel_run(), at the present time, processes are
 * initialised (run once) in the order of creation; then the clock edges at time 0 occur. Immediate
 * notification before it is a panic.
 *
 * Compared with SystemC: sc_start() is kernel_run(), which also runs the delta cycles of its last moment;
 * sc_pause() and sc_stop() are kernel_pause() and kernel_stop(). Listeners of a clock edge run directly,
 * not one delta cycle after a process of the clock wrote a signal. Left out on purpose: port, export and
 * binding classes (pass pointers), four-valued logic and resolved signals, killing, suspending or spawning
 * processes while the simulation runs, TLM and AMS.
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
/* Frees the kernel and all its objects. Waiting threads are abandoned: their resources are not freed. */
void kernel_destroy(struct kernel *k);

sim_time kernel_now(const struct kernel *k);
uint64_t kernel_delta_count(const struct kernel *k); /* delta cycles in which a process ran */
uint64_t
kernel_event_count(const struct kernel *k); /* process activations so far, the running one included */

/* --- running --- */

enum kernel_outcome {
    KERNEL_REACHED,    /* ran up to and including the given time, which is the present time */
    KERNEL_STARVED,    /* no work is left; the present time is that of the last activity */
    KERNEL_PAUSED,     /* kernel_pause() was called: kernel_run() resumes */
    KERNEL_STOPPED,    /* kernel_stop…() was called: no process will run any more */
    KERNEL_DELTA_LIMIT /* time did not advance for kernel_set_delta_limit() delta cycles: see the error */
};
/* Starts or resumes: runs all activity at times ≤ until. On KERNEL_DELTA_LIMIT, *e names the processes that
 * loop (EXIT_PROGRAM_FAULT). A call by a process is a panic. */
enum kernel_outcome kernel_run(struct kernel *k, sim_time until, struct error *e);
/* May be called by processes, between runs (the next kernel_run() returns at once) and by handlers of POSIX
 * signals. */
void kernel_pause(struct kernel *k);    /* after the current delta cycle */
void kernel_stop(struct kernel *k);     /* for good, after the current delta cycle */
void kernel_stop_now(struct kernel *k); /* for good, when the running process returns or waits */

/* Sets the limit of delta cycles and generations of immediate notifications at one time; at least 1,
 * default 1,000,000. */
void kernel_set_delta_limit(struct kernel *k, uint64_t n);

/* --- questions --- */

/* Writes a line for each process that has not ended, in the order of creation: what it waits for (all
 * events of a list, its timeout) and since when. For KERNEL_STARVED; may be called between any two runs. */
void kernel_report_waiting(const struct kernel *k, FILE *out);

/* Returns the time of the earliest pending activity after the running process; SIM_TIME_NEVER without one.
 * Returns kernel_now() if other work is pending at the present time, also its own writes to signals and delta
 * notifications. Clock edges without listeners do not count. */
sim_time kernel_next_time(const struct kernel *k);

/* Advances the running method to time t without a return to the scheduler. Returns true, with now == t, if
 * no other activity is pending at any time ≤ t, t ≤ the until of kernel_run() and no stop is requested.
 * Otherwise returns false without an effect. Other processes cannot notice the difference: it only saves the
 * way through the queue. */
bool kernel_advance(struct kernel *k, sim_time t);

#include "sim/clock.h"
#include "sim/event.h"
#include "sim/process.h"
#include "sim/scope.h"
#include "sim/signal.h"

#endif

/*
 * kernel: a discrete-event simulation kernel with the semantics of SystemC's core, in C.
 *
 * Time is 64-bit picoseconds. Events are notified immediately, after a delta cycle or after a time; method
 * processes run when an event they are sensitive to is notified (static sensitivity) or when what they asked
 * for with process_next_trigger…() happens (dynamic, overrides static for one activation). Signals have
 * evaluate/update semantics. Several kernels can live in one process: there are no globals.
 *
 * A delta cycle: all runnable processes run, and those they notify immediately; then signals are updated;
 * then delta notifications (in the order in which they were made, those of signals last, in the order of the
 * first write) make processes runnable for the next one. When nothing is left, time goes on to the earliest
 * clock edge or timed notification; at one time clock edges come first (in the order in which the clocks were
 * made, rising before falling), then timed notifications in the order in which they were made. An event makes
 * runnable those statically sensitive to it, in the order of their declaration, then those that wait for it,
 * in the order of asking; who is runnable already keeps its place. So the order is total: (time, delta,
 * sequence of becoming runnable); it depends on nothing else.
 *
 * The running process does not hear what it notifies immediately itself. Processes, static sensitivity and
 * clocks are made before the first kernel_run(); in it, at the present time, processes are initialised in the
 * order in which they were made, and then the clocks' edges at time 0 happen. Immediate notification before
 * it, and other misuse, is a panic.
 */
#ifndef SIM_KERNEL_H
#define SIM_KERNEL_H

#include "sim/error.h"

#include <stdbool.h>
#include <stdint.h>

typedef uint64_t sim_time; /* picoseconds */
#define SIM_TIME_NEVER UINT64_MAX

struct kernel;
struct event;
struct process;
struct signal;
struct clock;

typedef void process_function(void *context);

struct kernel *kernel_create(void);
void kernel_destroy(struct kernel *k); /* frees every event, process, signal and clock made in it */

sim_time kernel_now(const struct kernel *k);
uint64_t kernel_delta_count(const struct kernel *k);
uint64_t kernel_event_count(const struct kernel *k); /* process activations so far */

enum kernel_outcome {
    KERNEL_REACHED,    /* ran up to and including the given time, which it is now */
    KERNEL_STARVED,    /* nothing is left to run; it is the time of the last activity */
    KERNEL_STOPPED,    /* kernel_stop() was called */
    KERNEL_DELTA_LIMIT /* time did not advance for kernel_set_delta_limit() delta cycles: see the error */
};
/* Runs all activity at times ≤ until; on KERNEL_DELTA_LIMIT *e names the processes that loop
 * (EXIT_PROGRAM_FAULT). */
enum kernel_outcome kernel_run(struct kernel *k, sim_time until, struct error *e);
void kernel_stop(struct kernel *k);                        /* after the current delta cycle */
void kernel_set_delta_limit(struct kernel *k, uint64_t n); /* default 1,000,000 */

/* Time of the earliest pending activity after the running process, SIM_TIME_NEVER if none; `kernel_now()` if
 * other work is pending at the present time (its own writes to signals and delta notifications too). Clock
 * edges that nobody listens to are none. */
sim_time kernel_next_time(const struct kernel *k);

/* The running process asks to go on at time t without returning to the scheduler. True, and now == t, if
 * nothing else is pending at any time ≤ t, t ≤ the until of kernel_run() and no stop was asked for; else
 * false and nothing changes. Invisible to every other process: it only saves the way through the queue. */
bool kernel_advance(struct kernel *k, sim_time t);

struct event *event_create(struct kernel *k, const char *name);
void event_notify(struct event *e); /* immediate: its listeners run in this evaluation; ends a pending one */
void event_notify_delta(struct event *e); /* next delta cycle; overrides a pending timed one */
void event_notify_after(struct event *e,
                        sim_time delay); /* an earlier pending notification wins; 0 is delta */
void event_cancel(struct event *e);

/* A method process; runs once at initialisation unless told otherwise (process_dont_initialize). */
struct process *process_create(struct kernel *k, const char *name, process_function *f, void *context);
void process_sensitive(struct process *p, struct event *e); /* static sensitivity; before the first run */
void process_dont_initialize(struct process *p);
/* Called by the process itself, or for one that is not about to run while the kernel does not run. The last
 * call of an activation counts; without one, static sensitivity applies. */
void process_next_trigger(struct process *p, struct event *e);
void process_next_trigger_after(struct process *p, sim_time delay);
void process_next_trigger_at(struct process *p, sim_time t); /* t ≥ now, else a panic */

/* A signal of 1–64 bits. Reads see the value before the update phase. */
struct signal *signal_create(struct kernel *k, const char *name, unsigned width, uint64_t initial);
uint64_t signal_read(const struct signal *s);
void signal_write(struct signal *s,
                  uint64_t value); /* masked to the width; seen after the next update phase */
struct event *signal_changed(struct signal *s);
struct event *signal_posedge(struct signal *s); /* 0 → non-0 */
struct event *signal_negedge(struct signal *s); /* non-0 → 0 */
const char *signal_name(const struct signal *s);
unsigned signal_width(const struct signal *s);

/* A clock with a rational period of numerator/denominator picoseconds (3 GHz: 1000/3). Edge n is at
 * ⌊n·numerator/denominator⌋, computed, never accumulated. Edges nobody listens to cost nothing. */
struct clock *clock_create(struct kernel *k, const char *name, uint64_t numerator, uint64_t denominator);
sim_time clock_edge(const struct clock *c, uint64_t n);   /* time of rising edge n */
uint64_t clock_cycles(const struct clock *c, sim_time t); /* number of the last rising edge at or before t */
struct event *clock_posedge(struct clock *c);
struct event *clock_negedge(struct clock *c); /* midway */

#endif

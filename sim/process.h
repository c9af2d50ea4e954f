/*
 * process: methods and threads.
 *
 * A method is a function that runs when an event of its static sensitivity is notified, from beginning to
 * end. process_next_trigger…() replaces its static sensitivity for one activation; the last call of an
 * activation counts.
 *
 * A thread is a function on a stack of its own that runs once, and in it waits: process_wait…() returns when
 * what it names has happened. It ends when the function returns. A stack has the requested size (or
 * THREAD_STACK_BYTES) and below it a guard page. So an overflow of the stack is a fault at once, not silent
 * corruption, unless a frame of more than a page goes beyond the guard page. Stack pages that are never
 * touched cost nothing.
 *
 * Both run once at initialisation by default. Only the running process can wait, and only for
 * itself; for a method that is not about to run, process_next_trigger…() may also be called between runs.
 */
#ifndef SIM_PROCESS_H
#define SIM_PROCESS_H

#include "sim/coroutine.h"
#include "sim/time.h"

#include <stdbool.h>
#include <stddef.h>

struct kernel;
struct event;
struct process;

typedef void process_function(void *context);

/* --- elaboration --- */

enum { THREAD_STACK_BYTES = 64 * 1024 };

struct process *process_create(struct kernel *k, const char *name, process_function *f, void *context);
/* Creates a thread. stack_bytes: 0 means THREAD_STACK_BYTES; rounded up to whole pages, at least 16 KB. */
struct process *process_create_thread(struct kernel *k, const char *name, process_function *f, void *context,
                                      size_t stack_bytes);
void process_sensitive(struct process *p, struct event *e); /* static sensitivity */
void process_dont_initialize(struct process *p);            /* lets the process first run when an event of
                                                               its static sensitivity occurs */

/* --- questions --- */

struct process *process_running(const struct kernel *k); /* NULL if no process runs */
const char *process_name(const struct process *p);
bool process_ended(const struct process *p);     /* returns whether a thread's function has returned */
bool process_timed_out(const struct process *p); /* returns whether the process runs because its timeout
                                                    passed, not for an event */

/* --- the next activation of a method, in place of its static sensitivity --- */

void process_next_trigger(struct process *p, struct event *e);
void process_next_trigger_after(struct process *p, sim_time delay); /* 0: in the next delta cycle */
void process_next_trigger_at(struct process *p, sim_time t);        /* t ≥ now, else a panic */
/* Waits for any, or all, of n ≥ 1 events, in any order and at any times, or for the timeout, unless it is
 * SIM_TIME_NEVER. An event named twice counts once. */
void process_next_trigger_any(struct process *p, struct event *const *events, size_t n, sim_time timeout);
void process_next_trigger_all(struct process *p, struct event *const *events, size_t n, sim_time timeout);

/* --- the same for a thread, which waits while other processes run --- */

static inline void process_wait(struct process *p); /* static sensitivity, or what process_next_trigger…()
                                                       named before */
static inline void process_wait_event(struct process *p, struct event *e);
static inline void process_wait_after(struct process *p, sim_time delay);
static inline void process_wait_at(struct process *p, sim_time t);
static inline void process_wait_any(struct process *p, struct event *const *events, size_t n,
                                    sim_time timeout);
static inline void process_wait_all(struct process *p, struct event *const *events, size_t n,
                                    sim_time timeout);
/* Returns false if the timeout passed first. */
static inline bool process_wait_timeout(struct process *p, struct event *e, sim_time timeout);

/* --- in the header for speed only: not to be used directly --- */

/* A thread resumes directly behind the switch, in the function that waits. A return on the way would be
 * mispredicted, because another thread made the last call. */
struct process_switch {
    struct coroutine *from, *to; /* equal: the thread continues */
};
struct process_switch process_leave(struct process *p);
struct process_switch process_leave_for(struct process *p, struct event *e);
void process_switch_announced(struct process_switch s); /* variant for a sanitizer */

static inline __attribute__((always_inline)) void process_go(struct process_switch s) {
    if (s.from == s.to) return;
#if COROUTINE_SANITIZED
    process_switch_announced(s);
#else
    coroutine_switch(s.from, s.to);
#endif
}

static inline __attribute__((always_inline)) void process_wait(struct process *p) {
    process_go(process_leave(p));
}

static inline __attribute__((always_inline)) void process_wait_event(struct process *p, struct event *e) {
    process_go(process_leave_for(p, e));
}

static inline void process_wait_after(struct process *p, sim_time delay) {
    process_next_trigger_after(p, delay);
    process_wait(p);
}

static inline void process_wait_at(struct process *p, sim_time t) {
    process_next_trigger_at(p, t);
    process_wait(p);
}

static inline void process_wait_any(struct process *p, struct event *const *events, size_t n,
                                    sim_time timeout) {
    process_next_trigger_any(p, events, n, timeout);
    process_wait(p);
}

static inline void process_wait_all(struct process *p, struct event *const *events, size_t n,
                                    sim_time timeout) {
    process_next_trigger_all(p, events, n, timeout);
    process_wait(p);
}

static inline bool process_wait_timeout(struct process *p, struct event *e, sim_time timeout) {
    process_wait_any(p, &e, 1, timeout);
    return !process_timed_out(p);
}

#endif

/*
 * kernel_private: the structures of the event kernel that its files share: kernel.c (the scheduler),
 * kernel_memory.c, kernel_report.c, event.c, process.c, thread.c, signal.c, clock.c, scope.c.
 */
#ifndef SIM_KERNEL_PRIVATE_H
#define SIM_KERNEL_PRIVATE_H

#include "sim/coroutine.h"
#include "sim/kernel.h"
#include "sim/timed_queue.h"

enum { CACHE_LINE = 64, LOOP_SEEN = 64 };

struct activation {
    process_function *function;
    void *context;
};

/* A process in the list of processes that wait for an event; `event` is NULL outside of a list. It is the
 * waiter in the process itself or, for one of several events, an object that begins a cache line. */
struct waiter {
    struct event *event;
    struct waiter *next, *previous;
};

struct waiter_of_several {
    struct waiter waiter;
    struct process *process;
} __attribute__((aligned(64)));

/* A triggered event runs the processes statically sensitive to it one by one or, if the event is a group,
 * all of them as one entry of the run queue. An event is a group if all its listeners are methods sensitive
 * to no other event. It stops being a group, for good, when one of them waits for something else. */
enum queued { QUEUED_NOT, QUEUED_WAITING, QUEUED_WALKING };

struct event_watch {
    event_watcher *function;
    void *context;
    struct event_watch *next;
};

struct event {                        /* the first cache line has the members that a notification needs */
    struct notification notification; /* first member, because a notification is cast back to its event */
    struct waiter *waiting;           /* waiting processes, in order of their requests: last element of a
                                         ring */
    struct kernel *kernel;
    struct activation first; /* first activation of a group */
    sim_time ran_at;         /* time at which the group ran last */
    uint32_t count;          /* number of statically sensitive processes, in order of declaration */
    uint8_t queued;
    bool group;
    bool special; /* edge of a clock, or event of a signal */
    bool bare;    /* neither special nor watched, and without static listeners */
    bool watched; /* has observers; such an event is no group */
    union {
        struct activation *activations;
        struct event_watch *watches; /* observers, if watched */
    };
    struct process **listeners;
    uint32_t capacity;
    struct clock_edge *edge;
    struct signal *signal;
    const char *name;
    struct event *previous; /* event that was created before this one */
} __attribute__((aligned(64)));

/* A process ignores its static sensitivity while any of these bits is set. A process in a group has none of
 * them while the group runs or is about to run. */
enum process_state {
    PROCESS_RUNNABLE = 1,
    PROCESS_RUNNING = 2,
    PROCESS_DYNAMIC = 4, /* waits for the event named in process_next_trigger…() */
    PROCESS_ENDED = 8,
    PROCESS_SEVERAL = 16,  /* waits for several events, or an event and a timeout */
    PROCESS_TIMED_OUT = 32 /* runs, or is about to run, because its timeout passed */
};

struct process { /* the first cache line has the members that an activation needs */
    uint8_t state;
    bool is_thread;
    bool sleeps; /* its static clock edges do not count as having a listener */
    union {
        struct activation activation; /* activation of a method */
        struct coroutine coroutine;   /* coroutine of a thread */
    };
    struct waiter waiter;
    sim_time since; /* time of the last run outside of a group; the first cache line ends here */
    struct notification timeout;
    struct kernel *kernel;
    struct waiter_of_several *list;
    uint32_t list_count, list_capacity;
    uint32_t missing; /* events of the list that have not occurred */
    sim_time seen_at; /* time at which the process was seen among processes that may loop; SIM_TIME_NEVER:
                         not */
    const char *name;
    bool wants_all; /* waits for all events of the list */
    bool initialize;
    uint32_t event_count, edge_count;
    struct event **events;     /* events of the static sensitivity */
    struct clock_edge **edges; /* clock edges of the static sensitivity */
    struct activation body;    /* function of a thread */
    struct coroutine_stack stack;
} __attribute__((aligned(64)));

/* Processes that listen to a signal's changes. */
enum listening {
    LISTENING_NONE,
    LISTENING_ONE, /* the only method of the group of its `changed`, stored in the signal */
    LISTENING_MANY
};

struct watch {
    signal_watcher *function;
    void *context;
    struct watch *next;
};

struct signal_detail {
    const char *name;
    struct kernel *kernel;
    unsigned width, words;
    struct event *changed, *posedge, *negedge; /* events, created on request */
    struct watch *watches;
    uint64_t *value, *next; /* words of a wide signal */
};

/* One edge of a clock: number n is at (offset + n·period)/units picoseconds. */
struct clock_edge {
    struct event *event;
    struct clock *clock;
    unsigned __int128 offset;
    uint32_t place; /* index in kernel.edges and kernel.edge_time */
    uint32_t listeners;
    sim_time time;      /* time of the next edge, valid while there are listeners */
    uint64_t remainder; /* fraction of that time, in units */
};

struct clock {
    struct kernel *kernel;
    const char *name;
    uint64_t period, units;  /* period in units; units in a picosecond */
    sim_time step;           /* whole picoseconds of a period */
    uint64_t step_remainder; /* rest of a period, in units */
    bool falls_first;
    struct clock_edge rising, falling;
};

enum stop { STOP_NOT, STOP_PAUSE, STOP_CYCLE, STOP_NOW };

/* Memory that lives as long as the kernel, divided into adjacent pieces. */
struct arena {
    char *block; /* present block, which begins with a pointer to the previous one */
    size_t used, size;
};

struct kernel {
    struct signal_updates updates; /* first member: signals hold a pointer to it */
    struct signal **written;       /* signals written in this evaluation, each once; room for all and one
                                      more */
    sim_time now, until;
    uint64_t head, tail, end; /* positions in the ring, counted from the start; `end`: end of the present
                                 generation */
    uintptr_t *ring; /* runnable entries, each at most once: processes, and groups (events, plus 1) */
    uint32_t mask;
    uint32_t delta_count, delta_capacity;
    volatile uint8_t stop; /* enum stop; may be set by a handler of a POSIX signal */
    bool ran;              /* a process ran in this delta cycle */
    bool initialized, grouped, stopped;
    bool arrived; /* timed events of `now` have occurred; false only at the start */
    /* The running process: one by itself, a member of a group, or the only listener of a signal. */
    struct process *running;
    struct event *walking;
    struct activation *walk, *walk_end;
    struct signal *direct;
    uint64_t activations;         /* activations that began before the running group */
    uint64_t cycles;              /* number of delta cycles */
    uint64_t limit, left;         /* generations allowed at one time; those left */
    struct notification **deltas; /* delta notifications in their order; NULL for a cancelled one */
    sim_time next_edge;           /* earliest element of edge_time */
    sim_time *edge_time;          /* time of each clock edge; SIM_TIME_NEVER without listeners */
    struct clock_edge **edges;
    uint32_t edge_count;
    uint32_t process_count, process_capacity, watch_count;
    size_t signal_count, signal_capacity;
    struct process **processes;
    struct event *last_event;
    struct arena signals, events, rest;
    struct coroutine scheduler;
    struct coroutine_stack scheduler_stack;
    char *stacks; /* stacks of all threads; NULL without threads */
    size_t stacks_size;
    struct object *objects;
    uint32_t object_count, object_capacity;
    uint32_t *object_index; /* hash table: index in objects plus 1; 0 is free */
    uint32_t index_mask;
    const char *scope; /* full name of the present scope; "" at the top */
    struct timed_queue timed;
};

/* --- kernel_memory.c --- */

/* Returns zeroed memory, on cache lines of its own, that lives as long as the kernel. */
void *arena_allocate(struct arena *a, size_t size);
void arena_free(struct arena *a);
const char *kernel_copy_text(struct kernel *k, const char *text);
/* Returns the array with room for one more element; *capacity may grow. */
void *kernel_grow(void *array, size_t count, uint32_t *capacity, size_t element_size);

/* --- scope.c --- */

/* Registers an object with a name, and returns its full name. */
const char *object_register(struct kernel *k, enum object_kind kind, const char *name, void *address);

/* --- kernel.c, kernel_report.c --- */

void kernel_notify(struct kernel *k); /* delta notifications and updates, when an evaluation has ended */
void kernel_record_runnable(struct kernel *k);
enum kernel_outcome kernel_report_loop(struct kernel *k, struct error *e);
/* Takes the running process out of its group, so that it can be treated like any other. Returns NULL
 * without one. */
struct process *kernel_single_out(struct kernel *k);

/* --- the others --- */

void kernel_update_signals(struct kernel *k);
struct event *kernel_step_clocks(struct kernel *k);
struct event *event_create_unnamed(struct kernel *k, const char *owner, const char *name);
void clock_edge_listen(struct clock_edge *c);
void clock_edge_unlisten(struct clock_edge *c);
/* Makes groups of the events whose listeners are sensitive to no other event. */
void kernel_form_groups(struct kernel *k);
void event_dissolve_group(struct event *e);
void event_tell_watchers(const struct event *e);
/* Ends the shortcut of a signal to its only listener. */
void signal_listen_closely(struct signal *s);
/* Makes the process ignore its static clock edges, or listen to them again. */
void process_set_sleep(struct process *p, bool sleeps);
/* Cancels the request of process_next_trigger…(). */
void process_forget(struct process *p);
void process_wake_waiting(struct event *e);
void process_time_out(struct process *p);
void kernel_create_stacks(struct kernel *k);
void kernel_free_stacks(struct kernel *k);
/* Switches from the scheduler to a thread; returns when no thread continues by itself. */
void thread_enter(struct kernel *k, struct process *p);
/* Cancels a pending notification. */
void notification_cancel(struct kernel *k, struct notification *n);
void notification_more_deltas(struct kernel *k);
_Noreturn void notification_too_late(const struct kernel *k, sim_time delay, const char *name);

/* Returns the time `delay` from now, without an access to `name`, which is seldom in the cache. */
#define notification_time(k, delay, name)                                                                    \
    (__builtin_expect((delay) < SIM_TIME_NEVER - (k)->now, 1) ? (k)->now + (delay)                           \
                                                              : (notification_too_late(k, delay, name), 0))

static inline void notification_delta(struct kernel *k, struct notification *n) {
    const uint32_t place = k->delta_count;
    n->kind = NOTIFY_DELTA;
    n->place = place;
    k->deltas[place] = n;
    k->delta_count = place + 1;
    if (__builtin_expect(place + 1 == k->delta_capacity, 0)) notification_more_deltas(k);
}

static inline void process_make_runnable(struct kernel *k, struct process *p) {
    p->state |= PROCESS_RUNNABLE;
    k->ring[k->tail++ & k->mask] = (uintptr_t)p;
}

static inline bool waiter_is_of_several(const struct waiter *w) {
    _Static_assert(offsetof(struct process, waiter) % CACHE_LINE, "the two kinds of waiters look different");
    return (uintptr_t)w % CACHE_LINE == 0;
}

static inline void process_begin(struct kernel *k, struct process *p) {
    p->state = PROCESS_RUNNING | (p->state & PROCESS_TIMED_OUT);
    p->since = k->now;
    k->running = p;
    k->activations++;
}

static inline void process_finish(struct process *p) {
    p->state &= (uint8_t) ~(PROCESS_RUNNING | PROCESS_TIMED_OUT);
    const bool deaf = p->state & (PROCESS_DYNAMIC | PROCESS_ENDED);
    if (__builtin_expect(p->sleeps != deaf, 0)) process_set_sleep(p, deaf);
}

/* Returns the only process that waits for the event, and for nothing else, removed from its list; NULL in
 * other cases. */
static inline struct process *event_take_only_waiter(struct event *e) {
    struct waiter *w = e->waiting;
    if (!e->bare || !w || w->next != w) return NULL;
    if (waiter_is_of_several(w)) return NULL;
    struct process *p = (struct process *)((char *)w - offsetof(struct process, waiter));
    if (p->state != PROCESS_DYNAMIC) return NULL;
    e->waiting = NULL;
    w->event = NULL;
    return p;
}

/* Triggers an event: its listeners become runnable. */
static inline void event_trigger(struct kernel *k, struct event *e) {
    struct process *only = event_take_only_waiter(e);
    if (only) {
        process_make_runnable(k, only);
        return;
    }
    if (e->group) {
        if (e->queued == QUEUED_NOT) {
            e->queued = QUEUED_WAITING;
            k->ring[k->tail++ & k->mask] = (uintptr_t)e | 1;
        }
    } else {
        struct process **listeners = e->listeners;
        for (uint32_t i = 0, n = e->count; i < n; i++)
            if (listeners[i]->state == 0) process_make_runnable(k, listeners[i]);
        if (__builtin_expect(e->watched, 0)) event_tell_watchers(e);
    }
    if (e->waiting) process_wake_waiting(e);
}

/* Performs a timed or delta notification that is due. */
static inline void notification_fire(struct kernel *k, struct notification *n) {
    if (n->is_process)
        process_time_out((struct process *)((char *)n - offsetof(struct process, timeout)));
    else
        event_trigger(k, (struct event *)n);
}

#endif

/*
 * kernel_private: the structures of the event kernel, shared by its files: kernel.c (the scheduler),
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

/* A process in the list of those that wait for an event; one is not in a list while `event` is NULL. It is
 * the waiter in the process itself, or begins a cache line, and then it is one of several. */
struct waiter {
    struct event *event;
    struct waiter *next, *previous;
};

struct waiter_of_several {
    struct waiter waiter;
    struct process *process;
} __attribute__((aligned(64)));

/* A triggered event runs the processes statically sensitive to it one by one or, if the event is a group,
 * all of them as one entry of the run queue. It is a group if all are methods sensitive to
 * nothing else; it ceases to be one, for good, as soon as one of them asks for something else. */
enum queued { QUEUED_NOT, QUEUED_WAITING, QUEUED_WALKING };

struct event_watch {
    event_watcher *function;
    void *context;
    struct event_watch *next;
};

struct event {                        /* first the cache line that a notification needs */
    struct notification notification; /* first member: a notification is cast back to its event */
    struct waiter *waiting;           /* dynamic sensitivity, in order of asking: the last of a ring */
    struct kernel *kernel;
    struct activation first; /* of a group */
    sim_time ran_at;         /* the group, last */
    uint32_t count;          /* of listeners: static sensitivity, in order of declaration */
    uint8_t queued;
    bool group;
    bool special; /* an edge of a clock, or an event of a signal */
    bool bare;    /* neither special nor watched, and nobody is statically sensitive to it */
    bool watched; /* such an event is no group */
    union {
        struct activation *activations;
        struct event_watch *watches; /* if watched */
    };
    struct process **listeners;
    uint32_t capacity;
    struct clock_edge *edge;
    struct signal *signal;
    const char *name;
    struct event *previous; /* the one made before */
} __attribute__((aligned(64)));

/* A process is deaf to its static sensitivity while any of these is set. One in a group has none of them
 * while the group runs or is about to. */
enum process_state {
    PROCESS_RUNNABLE = 1,
    PROCESS_RUNNING = 2,
    PROCESS_DYNAMIC = 4, /* waits for what process_next_trigger…() named */
    PROCESS_ENDED = 8,
    PROCESS_SEVERAL = 16,  /* waits for several events, or an event and a timeout */
    PROCESS_TIMED_OUT = 32 /* runs, or is about to, because its timeout passed */
};

struct process { /* first the cache line that an activation needs */
    uint8_t state;
    bool is_thread;
    bool sleeps; /* its static clock edges do not count as listened to */
    union {
        struct activation activation; /* of a method */
        struct coroutine coroutine;   /* of a thread */
    };
    struct waiter waiter;
    sim_time since; /* when it last ran by itself, not in a group; the first cache line ends here */
    struct notification timeout;
    struct kernel *kernel;
    struct waiter_of_several *list;
    uint32_t list_count, list_capacity;
    uint32_t missing; /* events of the list that are to happen still */
    sim_time seen_at; /* among those that may loop; SIM_TIME_NEVER: not */
    const char *name;
    bool wants_all; /* events of the list */
    bool initialize;
    uint32_t event_count, edge_count;
    struct event **events;     /* static sensitivity */
    struct clock_edge **edges; /* the clock edges in it */
    struct activation body;    /* of a thread */
    struct coroutine_stack stack;
} __attribute__((aligned(64)));

/* The processes that hear a signal's changes. */
enum listening {
    LISTENING_NONE,
    LISTENING_ONE, /* the one method of a group of its `changed`; it stands in the signal */
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
    struct event *changed, *posedge, *negedge; /* made when asked for */
    struct watch *watches;
    uint64_t *value, *next; /* of a wide signal */
};

/* One edge of a clock: number n is at (offset + n·period)/units picoseconds. */
struct clock_edge {
    struct event *event;
    struct clock *clock;
    unsigned __int128 offset;
    uint32_t place; /* in kernel.edges and kernel.edge_time */
    uint32_t listeners;
    sim_time time;      /* of the next edge, right while somebody listens */
    uint64_t remainder; /* of that time, in units */
};

struct clock {
    struct kernel *kernel;
    const char *name;
    uint64_t period, units;  /* the period in units, and units in a picosecond */
    sim_time step;           /* the whole picoseconds of a period */
    uint64_t step_remainder; /* and the rest */
    bool falls_first;
    struct clock_edge rising, falling;
};

enum stop { STOP_NOT, STOP_PAUSE, STOP_CYCLE, STOP_NOW };

/* Memory that lives as long as the kernel, of which pieces are taken one beside the other. */
struct arena {
    char *block; /* begins with a pointer to the one before */
    size_t used, size;
};

struct kernel {
    struct signal_updates updates; /* first: signals hold a pointer to it */
    struct signal **written;       /* signals written in this evaluation, each once: room for all and one */
    sim_time now, until;
    uint64_t head, tail, end; /* of the ring, counted from the beginning; end of the present generation */
    uintptr_t *ring; /* what is runnable, each at most once: processes, and groups (events, plus 1) */
    uint32_t mask;
    uint32_t delta_count, delta_capacity;
    volatile uint8_t stop; /* enum stop; may be set by a handler of a POSIX signal */
    bool ran;              /* a process ran in this delta cycle */
    bool initialized, grouped, stopped;
    bool arrived; /* what was timed for `now` has happened: false only at the start */
    /* The process that runs, one of: a process by itself, one of a group, the one listener of a signal. */
    struct process *running;
    struct event *walking;
    struct activation *walk, *walk_end;
    struct signal *direct;
    uint64_t activations;         /* that began before the group that walks */
    uint64_t cycles;              /* delta cycles */
    uint64_t limit, left;         /* generations allowed at one time, and left */
    struct notification **deltas; /* in order of notification; NULL where one was cancelled */
    sim_time next_edge;           /* the earliest of edge_time */
    sim_time *edge_time;          /* of each clock edge; SIM_TIME_NEVER while nobody listens */
    struct clock_edge **edges;
    uint32_t edge_count;
    uint32_t process_count, process_capacity, watch_count;
    size_t signal_count, signal_capacity;
    struct process **processes;
    struct event *last_event;
    struct arena signals, events, rest;
    struct coroutine scheduler;
    struct coroutine_stack scheduler_stack;
    char *stacks; /* of all threads, NULL if there is none */
    size_t stacks_size;
    struct object *objects;
    uint32_t object_count, object_capacity;
    uint32_t *object_index; /* hashed: place in objects plus 1, 0 is free */
    uint32_t index_mask;
    const char *scope; /* the full name of the present one; "" at the top */
    struct timed_queue timed;
};

/* --- kernel_memory.c --- */

/* Zeroed memory, on cache lines of its own, that lives as long as the kernel. */
void *arena_allocate(struct arena *a, size_t size);
void arena_free(struct arena *a);
const char *kernel_copy_text(struct kernel *k, const char *text);
/* Room for one more element in an array; *capacity grows. */
void *kernel_grow(void *array, size_t count, uint32_t *capacity, size_t element_size);

/* --- scope.c --- */

/* Registers what has a name, and returns its full name. */
const char *object_register(struct kernel *k, enum object_kind kind, const char *name, void *address);

/* --- kernel.c, kernel_report.c --- */

void kernel_notify(struct kernel *k); /* delta notifications and updates, when an evaluation has ended */
void kernel_record_runnable(struct kernel *k);
enum kernel_outcome kernel_report_loop(struct kernel *k, struct error *e);
/* The running process, taken out of its group, so that it can be treated like any other; NULL if none. */
struct process *kernel_single_out(struct kernel *k);

/* --- the others --- */

void kernel_update_signals(struct kernel *k);
struct event *kernel_step_clocks(struct kernel *k);
struct event *event_create_unnamed(struct kernel *k, const char *owner, const char *name);
void clock_edge_listen(struct clock_edge *c);
void clock_edge_unlisten(struct clock_edge *c);
/* Groups are formed of those events whose listeners are sensitive to nothing else. */
void kernel_form_groups(struct kernel *k);
void event_dissolve_group(struct event *e);
void event_tell_watchers(const struct event *e);
/* The shortcut of a signal to its one listener is closed. */
void signal_listen_closely(struct signal *s);
/* The process begins or ceases to hear its static clock edges. */
void process_set_sleep(struct process *p, bool sleeps);
/* Ends what process_next_trigger…() asked for. */
void process_forget(struct process *p);
void process_wake_waiting(struct event *e);
void process_time_out(struct process *p);
void kernel_create_stacks(struct kernel *k);
void kernel_free_stacks(struct kernel *k);
/* Switches to a thread, from the scheduler; returns when no thread goes on by itself. */
void thread_enter(struct kernel *k, struct process *p);
/* Takes back a pending notification. */
void notification_cancel(struct kernel *k, struct notification *n);
void notification_more_deltas(struct kernel *k);
_Noreturn void notification_too_late(const struct kernel *k, sim_time delay, const char *name);

/* The time that is `delay` from now; without a branch to `name`, which is seldom in the cache. */
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

/* The process that alone hears the event, and waits for nothing else: it is taken out of its list. NULL if it
 * is not as simple as that. */
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

/* The event happens: its listeners become runnable. */
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

/* A timed or delta notification is due. */
static inline void notification_fire(struct kernel *k, struct notification *n) {
    if (n->is_process)
        process_time_out((struct process *)((char *)n - offsetof(struct process, timeout)));
    else
        event_trigger(k, (struct event *)n);
}

#endif

/*
 * kernel_private: the structures of the event kernel, shared by kernel.c (the scheduler), kernel_event.c
 * (events and processes), kernel_signal.c and kernel_clock.c.
 */
#ifndef SIM_KERNEL_PRIVATE_H
#define SIM_KERNEL_PRIVATE_H

#include "sim/timed_queue.h"

struct event {
    struct notification notification; /* first member: a notification is cast back to its event */
    struct process **listeners; /* static sensitivity, in order of declaration; one lies in `listener` */
    struct process *listener;
    uint32_t listener_count, listener_capacity;
    struct process
        *first_waiting; /* dynamic sensitivity, in order of asking; the first cache line ends here */
    struct process *last_waiting;
    struct clock_edge *edge; /* the clock edge this event is; NULL for others */
    struct kernel *kernel;
    const char *name;
    struct event *previous; /* the one made before */
};

/* A process is deaf to its static sensitivity while any of these is set. */
enum process_state {
    PROCESS_RUNNABLE = 1,
    PROCESS_RUNNING = 2,
    PROCESS_DYNAMIC = 4 /* waits for what process_next_trigger…() named */
};

struct process {
    struct notification timeout; /* first member: a notification is cast back to its process */
    process_function *function;
    void *context;
    struct kernel *kernel;
    uint8_t state;
    bool sleeps; /* its static clock edges do not count as listened to */
    bool initialize;
    bool recorded; /* seen among those that loop */
    uint32_t edge_count;
    struct clock_edge **edges; /* the clock edges in its static sensitivity */
    struct event *waits_for;   /* dynamic */
    struct process *previous_waiting, *next_waiting;
    const char *name;
};

/* One cache line. */
struct signal {
    uint64_t value, next;
    struct kernel *kernel;
    struct event *changed, *posedge, *negedge; /* made when asked for */
    const char *name;
    uint32_t width;
    bool pending; /* in the list of signals to update */
    bool has_events;
};

/* One edge of a clock: half periods 2·index + phase, counted in numerator/(2·denominator) picoseconds. */
struct clock_edge {
    struct event *event;
    struct clock *clock;
    uint32_t place; /* in kernel.edges and kernel.edge_time */
    uint32_t phase; /* 0 rising, 1 falling */
    uint32_t listeners;
    sim_time time;      /* of the next edge, right while somebody listens */
    uint64_t remainder; /* of that time, in 1/(2·denominator) ps */
};

struct clock {
    struct kernel *kernel;
    uint64_t numerator, denominator;
    sim_time step;           /* the whole picoseconds of a period */
    uint64_t step_remainder; /* and the rest, in 1/(2·denominator) ps */
    struct clock_edge rising, falling;
};

struct kernel {
    sim_time now, until;
    struct process *running;
    struct process **ring; /* runnable processes, each at most once */
    uint64_t head, tail;   /* counted from the beginning: head is the number of activations */
    uint32_t mask;
    uint32_t update_count;
    struct signal **updates;      /* signals written in this evaluation, each once: room for all */
    struct notification **deltas; /* in order of notification; NULL where one was cancelled */
    uint32_t delta_count, delta_capacity;
    uint32_t edge_count;
    sim_time *edge_time; /* of each clock edge; SIM_TIME_NEVER while nobody listens */
    struct clock_edge **edges;
    uint64_t cycles, advances; /* delta cycles, and those of them that kernel_advance() made */
    uint64_t limit, here;      /* cycles allowed and spent without time advancing */
    volatile bool stop;        /* may be set by a signal handler */
    bool initialized;
    bool arrived; /* what was timed for `now` has happened: false only at the start */
    struct process **processes;
    uint32_t process_count, process_capacity, signal_count, signal_capacity;
    struct event *last_event;
    void **objects; /* everything allocated, for kernel_destroy() */
    size_t object_count, object_capacity;
    struct timed_queue timed;
};

/* Zeroed memory, on cache lines of its own, that lives as long as the kernel. */
void *kernel_allocate(struct kernel *k, size_t size);
const char *kernel_copy_name(struct kernel *k, const char *name);
/* Room for one more element in an array; *capacity grows. */
void *kernel_grow(void *array, size_t count, uint32_t *capacity, size_t element_size);

void kernel_update_signals(struct kernel *k);
void kernel_step_clocks(struct kernel *k);
void clock_edge_listen(struct clock_edge *c);
void clock_edge_unlisten(struct clock_edge *c);
/* The process begins or ceases to hear its static clock edges. */
void process_set_sleep(struct process *p, bool sleeps);
/* Ends what process_next_trigger…() asked for. */
void process_forget(struct process *p);
void process_wake_waiting(struct event *e);
/* Takes back a pending notification. */
void notification_cancel(struct kernel *k, struct notification *n);
void notification_delta(struct kernel *k, struct notification *n);

static inline void process_make_runnable(struct kernel *k, struct process *p) {
    p->state |= PROCESS_RUNNABLE;
    k->ring[k->tail++ & k->mask] = p;
}

/* The event happens: its listeners become runnable. */
static inline void event_trigger(struct kernel *k, struct event *e) {
    struct process **listeners = e->listeners;
    for (uint32_t i = 0, n = e->listener_count; i < n; i++)
        if (listeners[i]->state == 0) process_make_runnable(k, listeners[i]);
    if (__builtin_expect(e->first_waiting != NULL, 0)) process_wake_waiting(e);
}

/* A timed or delta notification is due. */
static inline void notification_fire(struct kernel *k, struct notification *n) {
    if (n->is_process)
        process_make_runnable(k, (struct process *)n);
    else
        event_trigger(k, (struct event *)n);
}

#endif

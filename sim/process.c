/* Processes: static and dynamic sensitivity. */
#include "sim/kernel_private.h"

/* --- elaboration --- */

static struct process *create_process(struct kernel *k, const char *name) {
    invariant(!k->initialized, "process '%s' is created after the simulation has begun", name);
    struct process *p = arena_allocate(&k->rest, sizeof *p);
    p->timeout.is_process = true;
    p->kernel = k;
    p->initialize = true;
    p->seen_at = SIM_TIME_NEVER;
    p->name = object_register(k, OBJECT_PROCESS, name, p);
    k->processes =
        kernel_grow(k->processes, k->process_count, &k->process_capacity, sizeof(struct process *));
    k->processes[k->process_count++] = p;
    return p;
}

struct process *process_create(struct kernel *k, const char *name, process_function *f, void *context) {
    struct process *p = create_process(k, name);
    p->activation = (struct activation){f, context};
    return p;
}

struct process *process_create_thread(struct kernel *k, const char *name, process_function *f, void *context,
                                      size_t stack_bytes) {
    struct process *p = create_process(k, name);
    p->is_thread = true;
    p->body = (struct activation){f, context};
    p->stack.size = stack_bytes ? stack_bytes : THREAD_STACK_BYTES;
    return p;
}

static void add_edge(struct process *p, struct clock_edge *edge) {
    struct clock_edge **edges = /* few edges: grown one by one */
        arena_allocate(&p->kernel->rest, (p->edge_count + 1) * sizeof(struct clock_edge *));
    for (uint32_t i = 0; i < p->edge_count; i++) edges[i] = p->edges[i];
    edges[p->edge_count++] = edge;
    p->edges = edges;
    if (!p->sleeps) clock_edge_listen(edge);
}

void process_sensitive(struct process *p, struct event *e) {
    invariant(!p->kernel->initialized,
              "the static sensitivity of '%s' changes after the simulation has begun", p->name);
    invariant(p->kernel == e->kernel, "'%s' and '%s' belong to two kernels", p->name, e->name);
    for (uint32_t i = 0; i < p->event_count; i++)
        if (p->events[i] == e) return;
    uint32_t capacity = p->event_count; /* few events: grown one by one */
    p->events = kernel_grow(p->events, p->event_count, &capacity, sizeof(struct event *));
    p->events[p->event_count++] = e;
    e->listeners = kernel_grow(e->listeners, e->count, &e->capacity, sizeof(struct process *));
    e->listeners[e->count++] = p;
    e->bare = false;
    if (e->edge) add_edge(p, e->edge);
}

void process_dont_initialize(struct process *p) {
    p->initialize = false;
}

/* --- questions --- */

const char *process_name(const struct process *p) {
    return p->name;
}
bool process_ended(const struct process *p) {
    return p->state & PROCESS_ENDED;
}
bool process_timed_out(const struct process *p) {
    return p->state & PROCESS_TIMED_OUT;
}

/* --- waiting for events --- */

void process_set_sleep(struct process *p, bool sleeps) {
    p->sleeps = sleeps;
    for (uint32_t i = 0; i < p->edge_count; i++) {
        if (sleeps)
            clock_edge_unlisten(p->edges[i]);
        else
            clock_edge_listen(p->edges[i]);
    }
}

static void link_waiter(struct waiter *w, struct event *e) {
    struct waiter *last = e->waiting;
    w->event = e;
    if (last) {
        w->next = last->next;
        w->previous = last;
        w->next->previous = w;
        last->next = w;
    } else {
        w->next = w->previous = w;
    }
    e->waiting = w;
    if (!e->special) return;
    if (e->edge) clock_edge_listen(e->edge);
    if (e->signal) signal_listen_closely(e->signal);
}

static void unlink_waiter(struct waiter *w) {
    struct event *e = w->event;
    if (w->next == w) {
        e->waiting = NULL;
    } else {
        w->next->previous = w->previous;
        w->previous->next = w->next;
        if (e->waiting == w) e->waiting = w->previous;
    }
    w->event = NULL;
    if (e->special && e->edge) clock_edge_unlisten(e->edge);
}

static void stop_waiting(struct process *p) {
    if (p->waiter.event) unlink_waiter(&p->waiter);
    for (uint32_t i = 0; i < p->list_count; i++)
        if (p->list[i].waiter.event) unlink_waiter(&p->list[i].waiter);
    p->list_count = 0;
}

void process_forget(struct process *p) {
    stop_waiting(p);
    if (p->timeout.kind != NOTIFY_NOTHING) notification_cancel(p->kernel, &p->timeout);
    p->state &= (uint8_t) ~(PROCESS_DYNAMIC | PROCESS_SEVERAL | PROCESS_TIMED_OUT);
}

static struct process *process_of(struct waiter *w) {
    return waiter_is_of_several(w) ? ((struct waiter_of_several *)w)->process
                                   : (struct process *)((char *)w - offsetof(struct process, waiter));
}

static void wake(struct kernel *k, struct waiter *w) {
    struct process *p = process_of(w);
    if (p->state & PROCESS_RUNNING) return; /* a process does not receive its own notification */
    unlink_waiter(w);
    if (p->list_count) {
        if (p->wants_all && --p->missing) return;
        stop_waiting(p);
    }
    if (p->timeout.kind != NOTIFY_NOTHING) notification_cancel(k, &p->timeout);
    process_make_runnable(k, p);
}

void process_wake_waiting(struct event *e) {
    struct waiter *w, *next = e->waiting->next, *last = e->waiting;
    do {
        w = next;
        next = w->next;
        wake(e->kernel, w);
    } while (w != last);
}

void process_time_out(struct process *p) {
    stop_waiting(p);
    p->state |= PROCESS_TIMED_OUT;
    process_make_runnable(p->kernel, p);
}

/* --- dynamic sensitivity --- */

/* Begins a request outside of an activation of its own: the process runs in a group, or no process runs. */
static void begin_from_outside(struct process *p) {
    struct kernel *k = p->kernel;
    struct process *running = kernel_single_out(k);
    if (running == p) return;
    struct event *e = p->event_count == 1 && p->events[0]->group ? p->events[0] : NULL;
    invariant(!running && !p->is_thread && !(p->state & PROCESS_RUNNABLE) && !(e && e->queued),
              "what '%s' waits for is set by another process, or while it is about to run", p->name);
    if (e) event_dissolve_group(e);
    if (!p->sleeps) process_set_sleep(p, true);
}

/* Begins a request, which replaces an earlier one of the same activation. */
static void begin_dynamic(struct process *p) {
    if (__builtin_expect(p->kernel->running != p, 0)) begin_from_outside(p);
    if (p->state & PROCESS_DYNAMIC) process_forget(p);
    p->state = (uint8_t)((p->state & ~(PROCESS_SEVERAL | PROCESS_TIMED_OUT)) | PROCESS_DYNAMIC);
}

void process_next_trigger(struct process *p, struct event *e) {
    invariant(p->kernel == e->kernel, "'%s' and '%s' belong to two kernels", p->name, e->name);
    begin_dynamic(p);
    link_waiter(&p->waiter, e);
}

static void set_timeout(struct process *p, sim_time time) {
    p->state |= PROCESS_SEVERAL;
    if (time == p->kernel->now)
        notification_delta(p->kernel, &p->timeout);
    else
        timed_queue_push(&p->kernel->timed, &p->timeout, time);
}

void process_next_trigger_after(struct process *p, sim_time delay) {
    const sim_time time = notification_time(p->kernel, delay, p->name);
    begin_dynamic(p);
    set_timeout(p, time);
}

void process_next_trigger_at(struct process *p, sim_time t) {
    invariant(t >= p->kernel->now, "'%s' asks at %lu ps to run at %lu ps, which is past", p->name,
              p->kernel->now, t);
    process_next_trigger_after(p, t - p->kernel->now);
}

static void reserve_list(struct process *p, size_t n) {
    if (n <= p->list_capacity) return;
    invariant(n <= UINT32_MAX / 2, "'%s' waits for %zu events", p->name, n);
    p->list_capacity = (uint32_t)(n > 4 ? 2 * n : 4);
    p->list = arena_allocate(&p->kernel->rest, p->list_capacity * sizeof *p->list);
    for (uint32_t i = 0; i < p->list_capacity; i++) p->list[i].process = p;
}

static void next_trigger_list(struct process *p, struct event *const *events, size_t n, sim_time timeout,
                              bool all) {
    struct kernel *k = p->kernel;
    invariant(n > 0, "'%s' waits for a list of no events", p->name);
    for (size_t i = 0; i < n; i++)
        invariant(events[i]->kernel == k, "'%s' and '%s' belong to two kernels", p->name, events[i]->name);
    const sim_time time = timeout == SIM_TIME_NEVER ? SIM_TIME_NEVER : notification_time(k, timeout, p->name);
    begin_dynamic(p);
    reserve_list(p, n);
    for (size_t i = 0; i < n; i++) {
        struct waiter *last = events[i]->waiting;
        if (!last || process_of(last) != p)
            link_waiter(&p->list[p->list_count++].waiter, events[i]); /* otherwise named twice */
    }
    p->state |= PROCESS_SEVERAL;
    p->wants_all = all;
    p->missing = p->list_count;
    if (time != SIM_TIME_NEVER) set_timeout(p, time);
}

void process_next_trigger_any(struct process *p, struct event *const *events, size_t n, sim_time timeout) {
    next_trigger_list(p, events, n, timeout, false);
}

void process_next_trigger_all(struct process *p, struct event *const *events, size_t n, sim_time timeout) {
    next_trigger_list(p, events, n, timeout, true);
}

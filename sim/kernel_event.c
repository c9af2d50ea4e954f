/* Events: immediate, delta and timed notification. Processes: static and dynamic sensitivity. */
#include "sim/kernel_private.h"

/* --- notifications --- */

void notification_cancel(struct kernel *k, struct notification *n) {
    if (n->kind == NOTIFY_TIMED) timed_queue_remove(&k->timed, n);
    if (n->kind == NOTIFY_DELTA) k->deltas[n->place] = NULL;
    n->kind = NOTIFY_NOTHING;
}

void notification_delta(struct kernel *k, struct notification *n) {
    if (k->delta_count == k->delta_capacity)
        k->deltas = kernel_grow(k->deltas, k->delta_count, &k->delta_capacity, sizeof(struct notification *));
    n->kind = NOTIFY_DELTA;
    n->place = k->delta_count;
    k->deltas[k->delta_count++] = n;
}

static sim_time time_after(const struct kernel *k, sim_time delay, const char *name) {
    invariant(delay < SIM_TIME_NEVER - k->now, "'%s': %lu ps after %lu ps is beyond the end of time", name,
              delay, k->now);
    return k->now + delay;
}

/* --- events --- */

struct event *event_create(struct kernel *k, const char *name) {
    struct event *e = kernel_allocate(k, sizeof *e);
    e->kernel = k;
    e->name = kernel_copy_name(k, name);
    e->previous = k->last_event;
    return k->last_event = e;
}

void event_notify(struct event *e) {
    invariant(e->kernel->initialized, "'%s' is notified before the simulation has begun", e->name);
    notification_cancel(e->kernel, &e->notification);
    event_trigger(e->kernel, e);
}

void event_notify_delta(struct event *e) {
    if (e->notification.kind == NOTIFY_DELTA) return;
    notification_cancel(e->kernel, &e->notification);
    notification_delta(e->kernel, &e->notification);
}

void event_notify_after(struct event *e, sim_time delay) {
    if (delay == 0) {
        event_notify_delta(e);
        return;
    }
    sim_time time = time_after(e->kernel, delay, e->name);
    if (e->notification.kind == NOTIFY_DELTA) return;
    if (e->notification.kind == NOTIFY_TIMED && e->notification.time <= time) return;
    notification_cancel(e->kernel, &e->notification);
    timed_queue_push(&e->kernel->timed, &e->notification, time);
}

void event_cancel(struct event *e) {
    notification_cancel(e->kernel, &e->notification);
}

/* --- processes --- */

struct process *process_create(struct kernel *k, const char *name, process_function *f, void *context) {
    invariant(!k->initialized, "process '%s' is created after the simulation has begun", name);
    struct process *p = kernel_allocate(k, sizeof *p);
    *p = (struct process){.timeout.is_process = true,
                          .function = f,
                          .context = context,
                          .kernel = k,
                          .initialize = true,
                          .name = kernel_copy_name(k, name)};
    k->processes =
        kernel_grow(k->processes, k->process_count, &k->process_capacity, sizeof(struct process *));
    k->processes[k->process_count++] = p;
    return p;
}

static void add_listener(struct event *e, struct process *p) {
    if (e->listener_count == 0) {
        e->listeners = &e->listener;
    } else {
        bool one = e->listener_count == 1;
        e->listeners = kernel_grow(one ? NULL : e->listeners, e->listener_count, &e->listener_capacity,
                                   sizeof(struct process *));
        if (one) e->listeners[0] = e->listener;
    }
    e->listeners[e->listener_count++] = p;
}

void process_sensitive(struct process *p, struct event *e) {
    invariant(!p->kernel->initialized,
              "the static sensitivity of '%s' changes after the simulation has begun", p->name);
    invariant(p->kernel == e->kernel, "'%s' and '%s' belong to two kernels", p->name, e->name);
    for (uint32_t i = 0; i < e->listener_count; i++)
        if (e->listeners[i] == p) return;
    add_listener(e, p);
    if (!e->edge) return;
    uint32_t capacity = p->edge_count; /* few: grown one by one */
    struct clock_edge **edges = kernel_allocate(p->kernel, (capacity + 1) * sizeof(struct clock_edge *));
    for (uint32_t i = 0; i < capacity; i++) edges[i] = p->edges[i];
    edges[p->edge_count++] = e->edge;
    p->edges = edges;
    if (!p->sleeps) clock_edge_listen(e->edge);
}

void process_dont_initialize(struct process *p) {
    p->initialize = false;
}

void process_set_sleep(struct process *p, bool sleeps) {
    p->sleeps = sleeps;
    for (uint32_t i = 0; i < p->edge_count; i++) {
        if (sleeps)
            clock_edge_unlisten(p->edges[i]);
        else
            clock_edge_listen(p->edges[i]);
    }
}

static void stop_waiting(struct process *p) {
    struct event *e = p->waits_for;
    *(p->previous_waiting ? &p->previous_waiting->next_waiting : &e->first_waiting) = p->next_waiting;
    *(p->next_waiting ? &p->next_waiting->previous_waiting : &e->last_waiting) = p->previous_waiting;
    p->waits_for = NULL;
    if (e->edge) clock_edge_unlisten(e->edge);
}

void process_forget(struct process *p) {
    if (p->waits_for) stop_waiting(p);
    notification_cancel(p->kernel, &p->timeout);
    p->state &= (uint8_t)~PROCESS_DYNAMIC;
}

/* A new answer to "what next?" replaces an earlier one of the same activation. */
static void begin_dynamic(struct process *p) {
    struct kernel *k = p->kernel;
    invariant(k->running == p || (!k->running && !(p->state & PROCESS_RUNNABLE)),
              "the next trigger of '%s' is set by another process, or while it is about to run", p->name);
    if (p->state & PROCESS_DYNAMIC) process_forget(p);
    p->state |= PROCESS_DYNAMIC;
    if (!k->running && !p->sleeps) process_set_sleep(p, true);
}

void process_next_trigger(struct process *p, struct event *e) {
    invariant(p->kernel == e->kernel, "'%s' and '%s' belong to two kernels", p->name, e->name);
    begin_dynamic(p);
    p->waits_for = e;
    p->next_waiting = NULL;
    p->previous_waiting = e->last_waiting;
    *(e->last_waiting ? &e->last_waiting->next_waiting : &e->first_waiting) = p;
    e->last_waiting = p;
    if (e->edge) clock_edge_listen(e->edge);
}

void process_next_trigger_after(struct process *p, sim_time delay) {
    sim_time time = time_after(p->kernel, delay, p->name);
    begin_dynamic(p);
    if (delay == 0)
        notification_delta(p->kernel, &p->timeout);
    else
        timed_queue_push(&p->kernel->timed, &p->timeout, time);
}

void process_next_trigger_at(struct process *p, sim_time t) {
    invariant(t >= p->kernel->now, "'%s' asks at %lu ps to run at %lu ps, which is past", p->name,
              p->kernel->now, t);
    process_next_trigger_after(p, t - p->kernel->now);
}

/* Those that wait for the event run once for it; the running process does not hear its own notification. */
void process_wake_waiting(struct event *e) {
    struct process *next;
    for (struct process *p = e->first_waiting; p; p = next) {
        next = p->next_waiting;
        if (p->state & PROCESS_RUNNING) continue;
        stop_waiting(p);
        process_make_runnable(e->kernel, p);
    }
}

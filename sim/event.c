/* Events: immediate, delta and timed notification. */
#include "sim/kernel_private.h"

#include <stdio.h>
#include <string.h>

/* --- notifications --- */

void notification_cancel(struct kernel *k, struct notification *n) {
    if (n->kind == NOTIFY_TIMED) timed_queue_remove(&k->timed, n);
    if (n->kind == NOTIFY_DELTA) k->deltas[n->place] = NULL;
    n->kind = NOTIFY_NOTHING;
}

void notification_more_deltas(struct kernel *k) {
    k->deltas = kernel_grow(k->deltas, k->delta_count, &k->delta_capacity, sizeof(struct notification *));
}

void notification_too_late(const struct kernel *k, sim_time delay, const char *name) {
    error_panic(__FILE__, __LINE__, "'%s': %lu ps after %lu ps is beyond the end of time", name, delay,
                k->now);
}

/* --- events --- */

static struct event *create_event(struct kernel *k) {
    struct event *e = arena_allocate(&k->events, sizeof *e);
    e->kernel = k;
    e->bare = true;
    e->previous = k->last_event;
    return k->last_event = e;
}

struct event *event_create(struct kernel *k, const char *name) {
    struct event *e = create_event(k);
    e->name = object_register(k, OBJECT_EVENT, name, e);
    return e;
}

/* Creates an event of a signal or clock, which has no name of its own. */
struct event *event_create_unnamed(struct kernel *k, const char *owner, const char *name) {
    struct event *e = create_event(k);
    const size_t size = strlen(owner) + strlen(name) + 2;
    char *full = arena_allocate(&k->rest, size);
    snprintf(full, size, "%s.%s", owner, name);
    e->name = full;
    e->special = true;
    e->bare = false;
    return e;
}

const char *event_name(const struct event *e) {
    return e->name;
}

void event_notify(struct event *e) {
    struct kernel *k = e->kernel;
    invariant(k->initialized, "'%s' is notified before the simulation has begun", e->name);
    if (e->notification.kind != NOTIFY_NOTHING) notification_cancel(k, &e->notification);
    if (e->group && (k->walking == e || (k->direct && k->direct->detail->changed == e))) kernel_single_out(k);
    event_trigger(k, e);
}

static void listen_closely(struct event *e) {
    if (e->signal) signal_listen_closely(e->signal);
}

static void notify_delta_anew(struct event *e) {
    if (e->notification.kind == NOTIFY_DELTA) return;
    notification_cancel(e->kernel, &e->notification);
    listen_closely(e);
    notification_delta(e->kernel, &e->notification);
}

void event_notify_delta(struct event *e) {
    if (__builtin_expect(e->notification.kind == NOTIFY_NOTHING && !e->special, 1))
        notification_delta(e->kernel, &e->notification);
    else
        notify_delta_anew(e);
}

void event_notify_after(struct event *e, sim_time delay) {
    if (delay == 0) {
        event_notify_delta(e);
        return;
    }
    const sim_time time = notification_time(e->kernel, delay, e->name);
    if (e->notification.kind != NOTIFY_NOTHING) {
        if (e->notification.kind == NOTIFY_DELTA || e->notification.time <= time) return;
        notification_cancel(e->kernel, &e->notification);
    }
    if (__builtin_expect(e->special, 0)) listen_closely(e);
    timed_queue_push(&e->kernel->timed, &e->notification, time);
}

void event_cancel(struct event *e) {
    notification_cancel(e->kernel, &e->notification);
}

/* --- watches --- */

void event_watch(struct event *e, event_watcher *f, void *context) {
    invariant(!e->kernel->grouped, "event '%s' is watched after the simulation has begun", e->name);
    struct event_watch *w = arena_allocate(&e->kernel->rest, sizeof *w), **end = &e->watches;
    *w = (struct event_watch){f, context, NULL};
    while (*end) end = &(*end)->next;
    *end = w;
    e->watched = true;
    e->bare = false;
}

void event_unwatch(struct event *e, event_watcher *f, void *context) {
    struct event_watch **w = &e->watches;
    invariant(e->watched, "event '%s' is not watched", e->name);
    while (*w && ((*w)->function != f || (*w)->context != context)) w = &(*w)->next;
    invariant(*w, "event '%s' is not watched", e->name);
    *w = (*w)->next;
}

void event_tell_watchers(const struct event *e) {
    for (const struct event_watch *w = e->watches; w; w = w->next) w->function(w->context, e, e->kernel->now);
}

/* --- groups --- */

static bool can_be_group(const struct event *e) {
    if (e->watched) return false;
    for (uint32_t i = 0; i < e->count; i++)
        if (e->listeners[i]->is_thread || e->listeners[i]->event_count != 1 || e->listeners[i]->state)
            return false;
    return e->count > 0;
}

static void form_group(struct kernel *k, struct event *e) {
    e->activations = e->count == 1 ? &e->first : arena_allocate(&k->rest, e->count * sizeof *e->activations);
    for (uint32_t i = 0; i < e->count; i++) e->activations[i] = e->listeners[i]->activation;
    e->group = true;
    struct signal *s = e->signal;
    if (!s || e->count > 1 || e->waiting || e->notification.kind != NOTIFY_NOTHING || s->wide) return;
    const struct signal_detail *d = s->detail;
    if (e != d->changed || d->posedge || d->negedge || d->watches) return;
    s->function = e->first.function;
    s->context = e->first.context;
    s->listening = LISTENING_ONE;
}

/* Called after the first evaluation, in which processes are runnable without a notification. */
void kernel_form_groups(struct kernel *k) {
    k->grouped = true;
    for (struct event *e = k->last_event; e; e = e->previous)
        if (can_be_group(e)) form_group(k, e);
}

void event_dissolve_group(struct event *e) {
    e->group = false;
    listen_closely(e);
}

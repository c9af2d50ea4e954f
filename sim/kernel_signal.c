/* Signals: a write is seen after the update phase. */
#include "sim/kernel_private.h"

struct signal *signal_create(struct kernel *k, const char *name, unsigned width, uint64_t initial) {
    invariant(width >= 1 && width <= 64, "signal '%s' has %u bits", name, width);
    struct signal *s = kernel_allocate(k, sizeof *s);
    s->kernel = k;
    s->name = kernel_copy_name(k, name);
    s->width = width;
    s->value = s->next = initial & UINT64_MAX >> (64 - width);
    k->updates = kernel_grow(k->updates, k->signal_count, &k->signal_capacity, sizeof(struct signal *));
    k->signal_count++;
    return s;
}

uint64_t signal_read(const struct signal *s) {
    return s->value;
}

void signal_write(struct signal *s, uint64_t value) {
    value &= UINT64_MAX >> (64 - s->width);
    if (value == s->next) return; /* unchanged, or already to be */
    s->next = value;
    if (s->pending) return;
    s->pending = true;
    s->kernel->updates[s->kernel->update_count++] = s;
}

static struct event *signal_event(struct signal *s, struct event **e) {
    s->has_events = true;
    if (!*e) *e = event_create(s->kernel, s->name);
    return *e;
}

struct event *signal_changed(struct signal *s) {
    return signal_event(s, &s->changed);
}
struct event *signal_posedge(struct signal *s) {
    return signal_event(s, &s->posedge);
}
struct event *signal_negedge(struct signal *s) {
    return signal_event(s, &s->negedge);
}
const char *signal_name(const struct signal *s) {
    return s->name;
}
unsigned signal_width(const struct signal *s) {
    return s->width;
}

/* A change is a delta notification, and the delta notification phase comes next: so it is triggered here. */
static void trigger_change(struct kernel *k, struct event *e) {
    if (!e) return;
    if (e->notification.kind != NOTIFY_NOTHING) notification_cancel(k, &e->notification);
    event_trigger(k, e);
}

void kernel_update_signals(struct kernel *k) {
    uint32_t count = k->update_count;
    k->update_count = 0; /* nothing is written meanwhile: no process runs */
    for (uint32_t i = 0; i < count; i++) {
        struct signal *s = k->updates[i];
        s->pending = false;
        uint64_t old = s->value;
        s->value = s->next;
        if (s->value == old || !s->has_events) continue;
        trigger_change(k, s->changed);
        if (!old) trigger_change(k, s->posedge);
        if (!s->value) trigger_change(k, s->negedge);
    }
}

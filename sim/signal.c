/* Signals: a write is seen after the update phase. */
#include "sim/kernel_private.h"

#include <stdlib.h>
#include <string.h>

/* --- creation --- */

static void make_room(struct kernel *k) {
    k->signal_count++;
    if (k->signal_count < k->signal_capacity) return;
    const ptrdiff_t used = k->updates.end - k->written;
    k->signal_capacity = k->signal_capacity ? 2 * k->signal_capacity : 16;
    k->written = realloc(k->written, k->signal_capacity * sizeof(struct signal *));
    require_memory(k->written);
    k->updates.end = k->written + used;
}

static struct signal *create_signal(struct kernel *k, const char *name, unsigned width) {
    struct signal *s = arena_allocate(&k->signals, sizeof *s);
    struct signal_detail *d = arena_allocate(&k->rest, sizeof *d);
    s->updates = &k->updates;
    s->detail = d;
    s->changed_cycle = UINT32_MAX;
    s->unused_bits = (uint8_t)(width < 64 ? 64 - width : 0);
    d->kernel = k;
    d->width = width;
    d->words = (width + 63) / 64;
    d->name = object_register(k, OBJECT_SIGNAL, name, s);
    make_room(k);
    return s;
}

struct signal *signal_create(struct kernel *k, const char *name, unsigned width, uint64_t initial) {
    invariant(width >= 1 && width <= 64, "signal '%s' has %u bits: use signal_create_wide()", name, width);
    struct signal *s = create_signal(k, name, width);
    s->value = s->next = initial & UINT64_MAX >> s->unused_bits;
    return s;
}

/* Copies a wide value, masked to its width. */
static void copy_words(const struct signal_detail *d, uint64_t *to, const uint64_t *words) {
    memcpy(to, words, d->words * sizeof *to);
    if (d->width % 64) to[d->words - 1] &= UINT64_MAX >> (64 - d->width % 64);
}

struct signal *signal_create_wide(struct kernel *k, const char *name, unsigned width,
                                  const uint64_t *initial) {
    invariant(width >= 1, "signal '%s' has no bits", name);
    struct signal *s = create_signal(k, name, width);
    struct signal_detail *d = s->detail;
    d->value = arena_allocate(&k->rest, 2 * d->words * sizeof *d->value);
    d->next = d->value + d->words;
    if (initial) copy_words(d, d->value, initial);
    memcpy(d->next, d->value, d->words * sizeof *d->value);
    s->value = s->next = d->value[0];
    s->wide = 1;
    signal_listen_closely(s);
    return s;
}

/* --- access --- */

const uint64_t *signal_read_wide(const struct signal *s) {
    return s->wide ? s->detail->value : &s->value;
}

void signal_write_wide(struct signal *s, const uint64_t *words) {
    if (!s->wide) {
        signal_write(s, words[0]);
        return;
    }
    copy_words(s->detail, s->detail->next, words);
    if (s->pending) return;
    s->pending = 1;
    *s->updates->end++ = s;
}

const char *signal_name(const struct signal *s) {
    return s->detail->name;
}
unsigned signal_width(const struct signal *s) {
    return s->detail->width;
}
bool signal_is_wide(const struct signal *s) {
    return s->wide;
}

bool signal_has_changed(const struct signal *s) {
    const struct kernel *k = s->detail->kernel;
    return s->changed_at == k->now && s->changed_cycle == (uint32_t)k->cycles;
}

/* --- events and watches --- */

void signal_listen_closely(struct signal *s) {
    if (s->listening == LISTENING_ONE && s->changed_at > s->detail->changed->ran_at)
        s->detail->changed->ran_at = s->changed_at;
    s->listening = LISTENING_MANY;
}

static struct event *event_of(struct signal *s, struct event **e, const char *name) {
    if (!*e) {
        signal_listen_closely(s);
        *e = event_create_unnamed(s->detail->kernel, s->detail->name, name);
        (*e)->signal = s;
    }
    return *e;
}

struct event *signal_changed(struct signal *s) {
    return event_of(s, &s->detail->changed, "changed");
}
struct event *signal_posedge(struct signal *s) {
    return event_of(s, &s->detail->posedge, "posedge");
}
struct event *signal_negedge(struct signal *s) {
    return event_of(s, &s->detail->negedge, "negedge");
}

void signal_watch(struct signal *s, signal_watcher *f, void *context) {
    struct kernel *k = s->detail->kernel;
    struct watch *w = arena_allocate(&k->rest, sizeof *w), **end = &s->detail->watches;
    *w = (struct watch){f, context, NULL};
    while (*end) end = &(*end)->next;
    *end = w;
    k->watch_count++;
    signal_listen_closely(s);
}

void signal_unwatch(struct signal *s, signal_watcher *f, void *context) {
    struct watch **w = &s->detail->watches;
    while (*w && ((*w)->function != f || (*w)->context != context)) w = &(*w)->next;
    invariant(*w, "signal '%s' is not watched", s->detail->name);
    *w = (*w)->next;
    s->detail->kernel->watch_count--;
}

/* --- the update phase --- */

/* Triggers the event of a change. A change is a delta notification, and this is the delta notification
 * phase. */
static void trigger_change(struct kernel *k, struct event *e) {
    if (!e) return;
    if (e->notification.kind != NOTIFY_NOTHING) notification_cancel(k, &e->notification);
    event_trigger(k, e);
}

static void tell_all(struct kernel *k, const struct signal *s, bool was_zero, bool is_zero) {
    const struct signal_detail *d = s->detail;
    invariant(!s->wide || s->value == d->value[0], "wide signal '%s' is written by signal_write()", d->name);
    trigger_change(k, d->changed);
    if (was_zero) trigger_change(k, d->posedge);
    if (is_zero) trigger_change(k, d->negedge);
    for (const struct watch *w = d->watches; w; w = w->next) w->function(w->context, s, k->now);
}

static bool is_zero(const struct signal_detail *d) {
    uint64_t any = 0;
    for (unsigned i = 0; i < d->words; i++) any |= d->value[i];
    return !any;
}

static void update_wide(struct kernel *k, struct signal *s) {
    const struct signal_detail *d = s->detail;
    const size_t size = d->words * sizeof *d->value;
    if (memcmp(d->value, d->next, size) == 0) return;
    const bool was_zero = is_zero(d);
    memcpy(d->value, d->next, size);
    s->value = s->next = d->value[0];
    s->changed_at = k->now;
    s->changed_cycle = (uint32_t)k->cycles;
    tell_all(k, s, was_zero, is_zero(d));
}

void kernel_update_signals(struct kernel *k) {
    struct signal **end = k->updates.end;
    k->updates.end = k->written; /* no process runs meanwhile, so no signal is written */
    for (struct signal **at = k->written; at < end; at++) {
        struct signal *s = *at;
        const uint64_t old = s->value;
        s->pending = 0;
        if (s->next == old) {
            if (s->wide) update_wide(k, s);
            continue;
        }
        s->value = s->next;
        s->changed_at = k->now;
        s->changed_cycle = (uint32_t)k->cycles;
        if (s->listening == LISTENING_NONE) continue;
        if (s->listening == LISTENING_ONE)
            event_trigger(k, s->detail->changed);
        else
            tell_all(k, s, !old, !s->value);
    }
}

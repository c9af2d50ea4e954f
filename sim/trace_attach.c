/* Traces the named signals of a kernel, unnoticed by it. */
#include "sim/trace_private.h"

#include "sim/kernel.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A signal, clock or event and its variable. */
struct trace_binding {
    struct trace *trace;
    struct object object;
    trace_variable variable;
    sim_time next; /* next edge of a clock */
    struct trace_binding *next_clock;
};

/* The signals that one call attached. */
struct trace_attachment {
    struct kernel *kernel;
    struct trace_binding *bindings;
    size_t count;
    struct trace_attachment *next;
};

/* --- while the simulation runs --- */

/* Gives the edges of clocks; edges before the next window are skipped. Giving a value calls the tracer,
 * which must not enter this function again: next_edge prevents it. */
void trace_run_clocks(struct trace *t, sim_time now) {
    sim_time edge = t->next_edge;
    t->next_edge = SIM_TIME_NEVER;
    while (edge <= now) {
        sim_time at = edge;
        if (!t->on && at < t->edge) at = now < t->edge ? now : t->edge - 1;
        edge = SIM_TIME_NEVER;
        for (struct trace_binding *b = t->clocks; b; b = b->next_clock) {
            const struct clock *c = b->object.address;
            if (b->next <= at) {
                trace_value(t, b->variable, at, clock_level(c, at));
                b->next = clock_next_edge(c, at);
            }
            if (b->next < edge) edge = b->next;
        }
    }
    t->next_edge = edge;
}

static void on_signal(void *context, const struct signal *s, sim_time now) {
    const struct trace_binding *b = context;
    if (signal_is_wide(s))
        trace_wide(b->trace, b->variable, now, signal_read_wide(s));
    else
        trace_value(b->trace, b->variable, now, signal_read(s));
}

static void on_event(void *context, const struct event *e, sim_time now) {
    (void)e;
    const struct trace_binding *b = context;
    trace_event(b->trace, b->variable, now);
}

/* --- attaching --- */

static bool is_traceable(const struct object *o) {
    return o->kind == OBJECT_SIGNAL || o->kind == OBJECT_CLOCK || o->kind == OBJECT_EVENT;
}

static bool is_attached(const struct trace *t, const struct object *o) {
    for (const struct trace_attachment *a = t->attachments; a; a = a->next)
        for (size_t i = 0; i < a->count; i++)
            if (a->bindings[i].object.address == o->address) return true;
    return false;
}

/* Opens and closes scopes from `*open`, the full name of the present one, to the scope of `name`. Returns
 * the last part of `name`. */
static const char *go_to_scope(struct trace *t, char **open, const char *name) {
    const char *last = strrchr(name, '.');
    const size_t wanted = last ? (size_t)(last - name) : 0;
    size_t length = strlen(*open);
    while (length &&
           (length > wanted || strncmp(*open, name, length) != 0 || (name[length] != '.' && name[length]))) {
        trace_upscope(t);
        while (length && (*open)[length - 1] != '.') length--;
        if (length) length--;
        (*open)[length] = 0;
    }
    while (length < wanted) {
        const size_t from = length ? length + 1 : 0;
        length = from + strcspn(name + from, ".");
        char *part = trace_format_string("%.*s", (int)(length - from), name + from);
        trace_scope(t, part);
        free(part);
    }
    free(*open);
    *open = trace_format_string("%.*s", (int)wanted, name);
    return last ? last + 1 : name;
}

static void bind_clock(struct trace_binding *b, sim_time now) {
    struct trace *t = b->trace;
    const struct clock *c = b->object.address;
    struct trace_state *s = &t->states[b->variable];
    s->value = clock_level(c, now);
    s->seen = true;
    b->next = clock_next_edge(c, now);
    if (b->next < t->next_edge) t->next_edge = b->next;
    b->next_clock = t->clocks;
    t->clocks = b;
}

static void bind_signal(struct trace_binding *b) {
    struct signal *signal = b->object.address;
    struct trace_state *s = &b->trace->states[b->variable];
    const struct trace_declaration *d = &b->trace->declarations[b->variable];
    s->seen = true;
    if (s->kind == TRACE_WIDE)
        memcpy(d->current, signal_read_wide(signal), d->capacity);
    else
        s->value = signal_read_wide(signal)[0];
    signal_watch(signal, on_signal, b);
}

static trace_variable declare(struct trace *t, const struct object *o, const char *name,
                              enum trace_format format) {
    if (o->kind == OBJECT_EVENT) return trace_declare(t, name, 0, TRACE_EVENT);
    const unsigned width = o->kind == OBJECT_CLOCK ? 1 : signal_width(o->address);
    return trace_declare(t, name, width, width == 1 ? TRACE_BINARY : format);
}

static struct trace_attachment *create_attachment(struct trace *t, struct kernel *k, size_t capacity) {
    struct trace_attachment *a = calloc(1, sizeof *a);
    require_memory(a);
    a->bindings = calloc(capacity + 1, sizeof *a->bindings);
    require_memory(a->bindings);
    a->kernel = k;
    a->next = t->attachments;
    t->attachments = a;
    if (kernel_now(k) > t->now) t->now = kernel_now(k); /* time of the initial values */
    return a;
}

static void add_binding(struct trace *t, const struct object *o, trace_variable v) {
    struct trace_attachment *a = t->attachments;
    struct trace_binding *b = &a->bindings[a->count++];
    *b = (struct trace_binding){.trace = t, .object = *o, .variable = v};
    switch (o->kind) {
    case OBJECT_CLOCK: bind_clock(b, kernel_now(a->kernel)); break;
    case OBJECT_EVENT: event_watch(o->address, on_event, b); break;
    default: bind_signal(b);
    }
}

size_t trace_attach(struct trace *t, struct kernel *k, const char *pattern, enum trace_format format) {
    invariant(format <= TRACE_DECIMAL, "trace: '%s' is attached in a format that is none of bits", pattern);
    const struct trace_attachment *a = create_attachment(t, k, object_count(k));
    char *open = trace_format_string("%s", "");
    for (size_t i = 0; i < object_count(k); i++) {
        const struct object *o = object_at(k, i);
        if (!is_traceable(o) || fnmatch(pattern, o->name, 0) != 0 || is_attached(t, o)) continue;
        const char *name = go_to_scope(t, &open, o->name);
        add_binding(t, o, declare(t, o, name, format));
    }
    while (*open) go_to_scope(t, &open, "");
    free(open);
    return a->count;
}

bool trace_attach_enum(struct trace *t, struct kernel *k, const char *name, const char *type, unsigned count,
                       const char *const *names) {
    const struct object *o = object_find(k, name);
    if (!o || o->kind != OBJECT_SIGNAL || is_attached(t, o)) return false;
    create_attachment(t, k, 1);
    char *open = trace_format_string("%s", "");
    const char *last = go_to_scope(t, &open, name);
    add_binding(t, o, trace_declare_enum(t, last, type, count, names));
    while (*open) go_to_scope(t, &open, "");
    free(open);
    return true;
}

/* --- the end --- */

static void let_go(struct trace_binding *b) {
    if (b->object.kind == OBJECT_SIGNAL) signal_unwatch(b->object.address, on_signal, b);
    if (b->object.kind == OBJECT_EVENT) event_unwatch(b->object.address, on_event, b);
}

void trace_attach_end(struct trace *t) {
    for (const struct trace_attachment *a = t->attachments; a; a = a->next)
        if (kernel_now(a->kernel) > t->now) trace_reach(t, kernel_now(a->kernel));
    for (struct trace_attachment *a = t->attachments, *next; a; a = next) {
        next = a->next;
        for (size_t i = 0; i < a->count; i++) let_go(&a->bindings[i]);
        free(a->bindings);
        free(a);
    }
    t->attachments = NULL;
}

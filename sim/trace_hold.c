/* Keeps values until their time is the next one, for parts of a model that run ahead of each other. */
#include "sim/error.h"
#include "sim/trace_private.h"

#include <stdlib.h>
#include <string.h>

struct held_value {
    sim_time at;
    uint64_t order;
    size_t place, size; /* place and size of the value among all bytes */
    trace_variable variable;
};

struct trace_held {
    struct held_value *value;
    size_t count, capacity;
    char *bytes, *spare; /* as large */
    size_t used, room;
    uint64_t order;
    sim_time reach; /* time to which the file extends on release */
    bool gives;     /* values are being written, not kept */
};

void trace_hold(struct trace *t) {
    if (t->held) return;
    t->held = calloc(1, sizeof *t->held);
    require_memory(t->held);
}

void trace_free_held(struct trace *t) {
    if (!t->held) return;
    free(t->held->value);
    free(t->held->bytes);
    free(t->held->spare);
    free(t->held);
    t->held = NULL;
}

bool trace_keeps(const struct trace *t) {
    return t->held && !t->held->gives;
}

/* Returns the place after a value's bytes, a multiple of 8. */
static size_t place_after(size_t place, size_t size) {
    return place + (size + 7) / 8 * 8;
}

void trace_keep(struct trace *t, trace_variable v, sim_time at, const void *value, size_t size) {
    struct trace_held *h = t->held;
    if (place_after(h->used, size) > h->room) {
        h->room = 2 * place_after(h->used, size) + 4096;
        h->bytes = realloc(h->bytes, h->room);
        h->spare = realloc(h->spare, h->room);
        require_memory(h->bytes && h->spare);
    }
    h->value = trace_grow(h->value, h->count, &h->capacity, sizeof *h->value);
    h->value[h->count++] = (struct held_value){at, h->order++, h->used, size, v};
    if (size) memcpy(h->bytes + h->used, value, size);
    h->used = place_after(h->used, size);
}

void trace_keep_reach(struct trace *t, sim_time at) {
    if (at > t->held->reach) t->held->reach = at;
}

static int in_order(const void *a, const void *b) {
    const struct held_value *x = a, *y = b;
    if (x->at != y->at) return x->at < y->at ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

static void give(struct trace *t, const struct held_value *x) {
    const void *value = t->held->bytes + x->place;
    uint64_t number;
    double real;
    switch (t->states[x->variable].kind) {
    case TRACE_NUMBER:
        memcpy(&number, value, sizeof number);
        trace_value(t, x->variable, x->at, number);
        return;
    case TRACE_FLOAT:
        memcpy(&real, value, sizeof real);
        trace_real(t, x->variable, x->at, real);
        return;
    case TRACE_WIDE: trace_wide(t, x->variable, x->at, value); return;
    case TRACE_TEXT: trace_string(t, x->variable, x->at, value); return;
    case TRACE_INSTANT: trace_event(t, x->variable, x->at); return;
    }
}

/* Removes the written values and moves the bytes of the others together. */
static void forget(struct trace_held *h, size_t given) {
    char *bytes = h->spare;
    h->used = 0;
    for (size_t n = given; n < h->count; ++n) {
        struct held_value x = h->value[n];
        memcpy(bytes + h->used, h->bytes + x.place, x.size);
        x.place = h->used;
        h->used = place_after(h->used, x.size);
        h->value[n - given] = x;
    }
    h->count -= given;
    h->spare = h->bytes;
    h->bytes = bytes;
}

void trace_release(struct trace *t, sim_time before) {
    struct trace_held *h = t->held;
    size_t given = 0;
    if (!h || h->gives || (!h->count && h->reach <= t->now)) return;
    qsort(h->value, h->count, sizeof *h->value, in_order);
    h->gives = true;
    for (; given < h->count && h->value[given].at < before; ++given) give(t, &h->value[given]);
    const sim_time reach = h->reach < before ? h->reach : before - 1;
    if (reach > t->now) trace_reach(t, reach);
    h->gives = false;
    forget(h, given);
}

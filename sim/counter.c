#include "sim/counter.h"

#include "sim/error.h"

#include <stdlib.h>
#include <string.h>

struct counter_registry {
    struct counter **counters; /* in order of registration */
    size_t count, capacity;
    size_t *slots; /* hash of scope and name → index + 1; 0 is free; a power of two, at most half full */
    size_t slot_count;
};

struct counter_registry *counter_registry_create(void) {
    struct counter_registry *r = calloc(1, sizeof *r);
    invariant(r, "out of memory");
    return r;
}

void counter_registry_destroy(struct counter_registry *r) {
    if (!r) return;
    for (size_t i = 0; i < r->count; i++) {
        free((char *)r->counters[i]->scope);
        free(r->counters[i]);
    }
    free(r->counters);
    free(r->slots);
    free(r);
}

static size_t hash(const char *scope, const char *name) {
    uint64_t h = 14695981039346656037u;
    for (const char *c = scope; *c; c++) h = (h ^ (unsigned char)*c) * 1099511628211u;
    h *= 1099511628211u;
    for (const char *c = name; *c; c++) h = (h ^ (unsigned char)*c) * 1099511628211u;
    return (size_t)(h ^ h >> 32);
}

/* The slot that holds the counter, or the free one where it belongs. */
static size_t *find_slot(const struct counter_registry *r, const char *scope, const char *name) {
    for (size_t i = hash(scope, name);; i++) {
        size_t *slot = &r->slots[i & (r->slot_count - 1)];
        if (*slot == 0) return slot;
        const struct counter *c = r->counters[*slot - 1];
        if (!strcmp(c->name, name) && !strcmp(c->scope, scope)) return slot;
    }
}

static void grow(struct counter_registry *r) {
    r->capacity = r->capacity ? 2 * r->capacity : 64;
    r->slot_count = 2 * r->capacity;
    r->counters = realloc(r->counters, r->capacity * sizeof(struct counter *));
    free(r->slots);
    r->slots = calloc(r->slot_count, sizeof *r->slots);
    invariant(r->counters && r->slots, "out of memory");
    for (size_t i = 0; i < r->count; i++) *find_slot(r, r->counters[i]->scope, r->counters[i]->name) = i + 1;
}

void counter_register(struct counter_registry *r, const char *scope, const char *name, const char *unit,
                      const char *description, const uint64_t *value) {
    if (r->count == r->capacity) grow(r);
    size_t *slot = find_slot(r, scope, name);
    invariant(*slot == 0, "counter '%s' of scope '%s' is registered twice", name, scope);
    struct counter *c = malloc(sizeof *c);
    char *scope_copy = strdup(scope);
    invariant(c && scope_copy, "out of memory");
    *c = (struct counter){scope_copy, name, unit, description, value};
    r->counters[r->count++] = c;
    *slot = r->count;
}

size_t counter_count(const struct counter_registry *r) {
    return r->count;
}

const struct counter *counter_at(const struct counter_registry *r, size_t i) {
    invariant(i < r->count, "counter %zu of %zu", i, r->count);
    return r->counters[i];
}

const struct counter *counter_find(const struct counter_registry *r, const char *scope, const char *name) {
    if (r->count == 0) return NULL;
    size_t slot = *find_slot(r, scope, name);
    return slot ? r->counters[slot - 1] : NULL;
}

void counter_snapshot(const struct counter_registry *r, uint64_t *out) {
    for (size_t i = 0; i < r->count; i++) out[i] = *r->counters[i]->value;
}

uint64_t counter_sum(const struct counter_registry *r, const uint64_t *values, const char *prefix,
                     const char *name) {
    size_t length = strlen(prefix);
    uint64_t sum = 0;
    for (size_t i = 0; i < r->count; i++) {
        const struct counter *c = r->counters[i];
        if (!strcmp(c->name, name) && !strncmp(c->scope, prefix, length)) sum += values[i];
    }
    return sum;
}

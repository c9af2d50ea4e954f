#include "sim/counter_private.h"

#include "sim/error.h"

#include <stdlib.h>
#include <string.h>

struct counter_registry *counter_registry_create(void) {
    struct counter_registry *r = calloc(1, sizeof *r);
    require_memory(r);
    return r;
}

void counter_registry_destroy(struct counter_registry *r) {
    if (!r) return;
    for (size_t i = 0; i < r->count; i++) {
        free((char *)r->counters[i]->scope);
        free((char *)r->counters[i]->formula);
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

/* Returns the slot that holds the counter, or the free one where it belongs. */
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
    require_memory(r->counters && r->slots);
    for (size_t i = 0; i < r->count; i++) *find_slot(r, r->counters[i]->scope, r->counters[i]->name) = i + 1;
}

/* Returns the number of cells: a histogram has total, sum, min, max and its buckets. */
static size_t cells_of(const struct counter *c) {
    return c->kind == COUNTER_COUNT ? 1 : c->kind == COUNTER_HISTOGRAM ? 4 + c->histogram->buckets : 0;
}

static void add_counter(struct counter_registry *r, struct counter c) {
    if (r->count == r->capacity) grow(r);
    size_t *slot = find_slot(r, c.scope, c.name);
    invariant(*slot == 0, "counter '%s' of scope '%s' is registered twice", c.name, c.scope);
    struct counter *kept = malloc(sizeof *kept);
    c.scope = strdup(c.scope);
    if (c.formula) c.formula = strdup(c.formula);
    require_memory(kept && c.scope && (c.formula || c.kind != COUNTER_RATIO));
    c.cell = r->cells;
    *kept = c;
    r->cells += cells_of(kept);
    r->counters[r->count++] = kept;
    *slot = r->count;
}

void counter_register(struct counter_registry *r, const char *scope, const char *name, const char *unit,
                      const char *description, const uint64_t *value) {
    add_counter(r, (struct counter){COUNTER_COUNT, scope, name, unit, description, .value = value});
}

void counter_register_histogram(struct counter_registry *r, const char *scope, const char *name,
                                const char *unit, const char *description, const struct histogram *h) {
    invariant(h->buckets, "histogram '%s' of scope '%s' is not initialised", name, scope);
    add_counter(r, (struct counter){COUNTER_HISTOGRAM, scope, name, unit, description, .histogram = h});
}

void counter_register_ratio(struct counter_registry *r, const char *scope, const char *name, const char *unit,
                            const char *description, const char *formula) {
    const struct counter c = {COUNTER_RATIO, scope, name, unit, description, .formula = formula};
    counter_check_formula(&c);
    add_counter(r, c);
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

size_t counter_cells(const struct counter_registry *r) {
    return r->cells;
}

static void put_histogram(const struct histogram *live, uint64_t *cells) {
    struct histogram sum = *live;
    const struct histogram *const h = &sum;
    histogram_sum_up(&sum);
    const uint64_t figures[] = {h->total, h->sum, h->total ? h->min : 0, h->max};
    memcpy(cells, figures, sizeof figures);
    memcpy(cells + 4, h->bucket, h->buckets * sizeof *cells);
}

void counter_histogram(const struct counter *c, const uint64_t *values, struct histogram *h) {
    invariant(c->kind == COUNTER_HISTOGRAM, "'%s' is no histogram", c->name);
    const uint64_t *cells = values + c->cell;
    *h = (struct histogram){.first = c->histogram->first,
                            .width = c->histogram->width,
                            .buckets = c->histogram->buckets,
                            .total = cells[0],
                            .sum = cells[1],
                            .min = cells[2],
                            .max = cells[3]};
    memcpy(h->bucket, cells + 4, h->buckets * sizeof *cells);
}

void counter_snapshot(const struct counter_registry *r, uint64_t *values) {
    for (size_t i = 0; i < r->count; i++) {
        const struct counter *c = r->counters[i];
        if (c->kind == COUNTER_COUNT) values[c->cell] = *c->value;
        if (c->kind == COUNTER_HISTOGRAM) put_histogram(c->histogram, values + c->cell);
    }
}

void counter_subtract(const struct counter_registry *r, uint64_t *values, const uint64_t *earlier) {
    for (size_t i = 0; i < r->count; i++) {
        const struct counter *c = r->counters[i];
        if (c->kind == COUNTER_COUNT) values[c->cell] -= earlier[c->cell];
        if (c->kind != COUNTER_HISTOGRAM) continue;
        struct histogram h, before;
        counter_histogram(c, values, &h);
        counter_histogram(c, earlier, &before);
        histogram_subtract(&h, &before);
        put_histogram(&h, values + c->cell);
    }
}

static bool is_in(const char *scope, const char *subtree) {
    const size_t length = strlen(subtree);
    return length == 0 || (!strncmp(scope, subtree, length) && (!scope[length] || scope[length] == '.'));
}

uint64_t counter_sum(const struct counter_registry *r, const uint64_t *values, const char *scope,
                     const char *name) {
    uint64_t sum = 0;
    for (size_t i = 0; i < r->count; i++) {
        const struct counter *c = r->counters[i];
        if (c->kind == COUNTER_COUNT && !strcmp(c->name, name) && is_in(c->scope, scope))
            sum += values[c->cell];
    }
    return sum;
}

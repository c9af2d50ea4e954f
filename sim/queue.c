#include "sim/queue.h"

#include "sim/error.h"

#include <stdlib.h>
#include <string.h>

struct queue {
    char *name;
    size_t element_size;
    uint32_t capacity;
    uint32_t head;   /* index of the oldest element */
    uint32_t seen;   /* number of elements pushed in earlier cycles */
    uint32_t pushed; /* number of elements pushed in this cycle, behind the seen ones */
    uint32_t popped; /* number of elements popped in this cycle, whose places are free in the next one */
    uint64_t cycle;  /* cycle of the last use */
    unsigned char *elements;
};

struct queue *queue_create(const char *name, uint32_t capacity, size_t element_size) {
    invariant(capacity > 0 && element_size > 0, "queue '%s' has no room", name);
    struct queue *q = calloc(1, sizeof *q);
    require_memory(q);
    q->name = strdup(name);
    q->capacity = capacity;
    q->element_size = element_size;
    q->elements = calloc(capacity, element_size);
    require_memory(q->name && q->elements);
    return q;
}

void queue_destroy(struct queue *q) {
    if (!q) return;
    free(q->name);
    free(q->elements);
    free(q);
}

static void begin_cycle(struct queue *q, uint64_t cycle) {
    if (cycle == q->cycle) return;
    invariant(cycle > q->cycle, "queue '%s': cycle %lu after cycle %lu", q->name, cycle, q->cycle);
    q->seen += q->pushed;
    q->pushed = q->popped = 0;
    q->cycle = cycle;
}

static unsigned char *element_at(struct queue *q, uint32_t i) {
    uint64_t n = (uint64_t)q->head + i;
    return q->elements + (n >= q->capacity ? n - q->capacity : n) * q->element_size;
}

uint32_t queue_space(struct queue *q, uint64_t cycle) {
    begin_cycle(q, cycle);
    return q->capacity - q->seen - q->pushed - q->popped;
}

void queue_push(struct queue *q, uint64_t cycle, const void *element) {
    invariant(queue_space(q, cycle) > 0, "queue '%s' is full in cycle %lu", q->name, cycle);
    memcpy(element_at(q, q->seen + q->pushed), element, q->element_size);
    q->pushed++;
}

uint32_t queue_count(struct queue *q, uint64_t cycle) {
    begin_cycle(q, cycle);
    return q->seen;
}

const void *queue_at(struct queue *q, uint64_t cycle, uint32_t i) {
    return i < queue_count(q, cycle) ? element_at(q, i) : NULL;
}

void queue_pop(struct queue *q, uint64_t cycle) {
    invariant(queue_count(q, cycle) > 0, "queue '%s' is empty in cycle %lu", q->name, cycle);
    q->head = q->head + 1 == q->capacity ? 0 : q->head + 1;
    q->seen--;
    q->popped++;
}

uint32_t queue_occupancy(const struct queue *q) {
    return q->seen + q->pushed;
}

void queue_reset(struct queue *q) {
    q->seen = q->pushed = q->popped = 0;
}

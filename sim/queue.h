/*
 * queue: a bounded first-in first-out queue between two units. Elements that are pushed in a cycle are seen
 * in the next one.
 *
 * The queue behaves as a FIFO with registered outputs. In cycle c the consumer sees the elements that were
 * pushed before c and not popped. For the producer the queue is as full as when c began, so that a place
 * freed in c can be filled in c + 1. Neither unit sees actions of the other in the same cycle, so the order
 * of evaluation has no effect. A full rate through a full queue therefore needs a capacity of at least 2.
 *
 * Every function takes the present cycle, which must not decrease (panic). A queue costs nothing in cycles
 * without use, and needs no process of its own. Elements are plain data, copied.
 */
#ifndef SIM_QUEUE_H
#define SIM_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct queue;

/* Creates a queue with a capacity ≥ 1 of elements of element_size bytes. */
struct queue *queue_create(const char *name, uint32_t capacity, size_t element_size);
void queue_destroy(struct queue *q);

/* The producer's side. */
uint32_t queue_space(struct queue *q, uint64_t cycle); /* number of elements that can be pushed in this
                                                          cycle */
void queue_push(struct queue *q, uint64_t cycle, const void *element); /* without space: panic */

/* The consumer's side. */
uint32_t queue_count(struct queue *q, uint64_t cycle); /* number of elements that are seen in this cycle and
                                                          not popped */
const void *queue_at(struct queue *q, uint64_t cycle,
                     uint32_t i);                /* 0 is the oldest; beyond the count: NULL */
void queue_pop(struct queue *q, uint64_t cycle); /* the oldest; an empty queue: panic */

/* Returns the number of elements held, seen or not, for reports and waves. */
uint32_t queue_occupancy(const struct queue *q);
/* Empties the queue at once. */
void queue_reset(struct queue *q);

#endif

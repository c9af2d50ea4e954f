/*
 * queue: a bounded first-in first-out queue between two units; what is pushed in a cycle is seen in the next.
 *
 * It behaves as a FIFO with registered outputs. In cycle c the consumer sees what was pushed before c and has
 * not been popped; the producer sees as full whatever was in the queue when c began, so that a place that is
 * freed in c can be filled in c + 1. Neither sees what the other does in the same cycle: the order in which
 * the units are evaluated changes nothing. A full rate through a full queue therefore needs a capacity of at
 * least 2.
 *
 * Every function is given the present cycle, which must not run back (panic): a queue costs nothing in cycles
 * in which nobody uses it, and needs no process of its own. Elements are plain data, copied.
 */
#ifndef SIM_QUEUE_H
#define SIM_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct queue;

/* capacity ≥ 1 elements of element_size bytes. */
struct queue *queue_create(const char *name, uint32_t capacity, size_t element_size);
void queue_destroy(struct queue *q);

/* The producer's side. */
uint32_t queue_space(struct queue *q, uint64_t cycle); /* elements that can be pushed (still) in this cycle */
void queue_push(struct queue *q, uint64_t cycle, const void *element); /* without space: panic */

/* The consumer's side. */
uint32_t queue_count(struct queue *q, uint64_t cycle); /* elements seen in this cycle and not popped yet */
const void *queue_at(struct queue *q, uint64_t cycle,
                     uint32_t i);                /* 0 is the oldest; beyond the count: NULL */
void queue_pop(struct queue *q, uint64_t cycle); /* the oldest; an empty queue: panic */

/* Elements held, seen or not: for reports and waves. */
uint32_t queue_occupancy(const struct queue *q);
/* Empties it at once. */
void queue_reset(struct queue *q);

#endif

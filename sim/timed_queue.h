/*
 * timed_queue: what is to happen at a later time, in the order of (time, sequence of entering).
 *
 * The next few entries stand sorted in a small array; what comes after them is in a radix wheel: an entry
 * lies at the level of the highest 12-bit digit in which its time differs from the wheel's base (the time of
 * the last refill of the array), in the slot of that digit, in the order of entering. So entering takes
 * constant time, and an entry moves down at most once a level. Entries that are cancelled leave the array at
 * once and the wheel when they surface, or when half of it is dead.
 */
#ifndef SIM_TIMED_QUEUE_H
#define SIM_TIMED_QUEUE_H

#include "sim/time.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is pending for an event, or for the timeout of a process (a member of both). */
struct notification {
    enum notification_kind { NOTIFY_NOTHING, NOTIFY_DELTA, NOTIFY_TIMED } kind : 8;
    bool is_process;
    uint32_t place; /* NOTIFY_DELTA: in the kernel's list */
    uint32_t stamp; /* changes when it is cancelled in the wheel: what has another one there is dead */
    sim_time time;  /* NOTIFY_TIMED */
};

enum { TIMED_NEAR = 28, TIMED_SLOTS = 128, TIMED_BLOCK = 4 };

struct timed_wheel;

struct timed_queue {
    uint32_t head, tail;                           /* of near */
    sim_time bound;                                /* what is due then or later stands in the wheel */
    struct timed_wheel *wheel;                     /* made when first needed */
    sim_time near_time[TIMED_SLOTS + TIMED_BLOCK]; /* sorted; at tail stands SIM_TIME_NEVER */
    struct notification *near[TIMED_SLOTS + TIMED_BLOCK];
};

void timed_queue_init(struct timed_queue *q);
void timed_queue_free(struct timed_queue *q);
/* Takes a notification out before its time. */
void timed_queue_remove(struct timed_queue *q, struct notification *n);

/* The ways through the wheel, for the functions below. */
void timed_queue_push_far(struct timed_queue *q, struct notification *n);
void timed_queue_make_room(struct timed_queue *q);
sim_time timed_queue_first_far(const struct timed_queue *q);
void timed_queue_refill(struct timed_queue *q);

/* Of the first; SIM_TIME_NEVER if there is none. */
static inline sim_time timed_queue_next(const struct timed_queue *q) {
    const sim_time first = q->near_time[q->head];
    return __builtin_expect(first == SIM_TIME_NEVER, 0) && q->wheel ? timed_queue_first_far(q) : first;
}

/* time < SIM_TIME_NEVER, and not before what was last popped. */
static inline void timed_queue_push(struct timed_queue *q, struct notification *n, sim_time time) {
    n->kind = NOTIFY_TIMED;
    n->time = time;
    if (time >= q->bound) {
        timed_queue_push_far(q, n);
        return;
    }
    if (__builtin_expect(q->tail - q->head >= TIMED_NEAR || q->tail == TIMED_SLOTS - 1, 0)) {
        timed_queue_make_room(q);
        if (time >= q->bound) {
            timed_queue_push_far(q, n);
            return;
        }
    }
    uint32_t i = q->tail++;
    q->near_time[i + 1] = SIM_TIME_NEVER;
    for (; i > q->head && q->near_time[i - 1] > time; i--) {
        q->near_time[i] = q->near_time[i - 1];
        q->near[i] = q->near[i - 1];
    }
    q->near_time[i] = time;
    q->near[i] = n;
}

/* Takes the first out: there is one, and its time has come. */
static inline struct notification *timed_queue_pop(struct timed_queue *q) {
    if (__builtin_expect(q->head == q->tail, 0)) timed_queue_refill(q);
    struct notification *n = q->near[q->head++];
    n->kind = NOTIFY_NOTHING;
    return n;
}

#endif

/*
 * timed_queue: what is to happen at a later time, in the order of (time, sequence of entering).
 *
 * The next few entries stand sorted in a small array; what comes after them is in a 4-ary heap. Entries that
 * are cancelled leave the array at once and the heap when they surface, or when half of it is dead.
 */
#ifndef SIM_TIMED_QUEUE_H
#define SIM_TIMED_QUEUE_H

#include "sim/kernel.h"

#include <stddef.h>

/* What is pending for an event, or for the timeout of a process (the first member of both). */
struct notification {
    enum notification_kind { NOTIFY_NOTHING, NOTIFY_DELTA, NOTIFY_TIMED } kind;
    bool is_process;
    uint32_t place;    /* NOTIFY_DELTA: in the kernel's list */
    sim_time time;     /* NOTIFY_TIMED */
    uint64_t sequence; /* NOTIFY_TIMED: of being made */
};

struct timed_far { /* dead if the notification has another sequence by now, or is not timed any more */
    sim_time time;
    uint64_t sequence;
    struct notification *notification;
};

enum { TIMED_NEAR = 28, TIMED_SLOTS = 128 };

struct timed_queue {
    uint32_t head, tail; /* of near; empty only if far is */
    sim_time far_time;   /* the heap's first; SIM_TIME_NEVER if it is empty */
    uint64_t sequence;
    sim_time near_time[TIMED_SLOTS]; /* sorted; at tail stands SIM_TIME_NEVER */
    struct notification *near[TIMED_SLOTS];
    struct timed_far *far;
    size_t far_count, far_capacity, far_dead;
};

void timed_queue_init(struct timed_queue *q);
void timed_queue_free(struct timed_queue *q);
/* Takes a notification out before its time. */
void timed_queue_remove(struct timed_queue *q, struct notification *n);

/* The way through the heap, for the functions below. */
void timed_queue_push_far(struct timed_queue *q, struct notification *n);
void timed_queue_refill(struct timed_queue *q);
void timed_queue_shift(struct timed_queue *q);

static inline sim_time timed_queue_next(const struct timed_queue *q) {
    return q->near_time[q->head];
}

static inline void timed_queue_push(struct timed_queue *q, struct notification *n, sim_time time) {
    n->kind = NOTIFY_TIMED;
    n->time = time;
    n->sequence = ++q->sequence;
    if (time >= q->far_time) {
        timed_queue_push_far(q, n);
        return;
    }
    if (q->tail - q->head == TIMED_NEAR) {
        if (time >= q->near_time[q->tail - 1]) {
            timed_queue_push_far(q, n);
            return;
        }
        q->tail--;
        timed_queue_push_far(q, q->near[q->tail]);
    }
    if (q->tail == TIMED_SLOTS - 1) timed_queue_shift(q);
    uint32_t i = q->tail++;
    q->near_time[i + 1] = SIM_TIME_NEVER;
    for (; i > q->head && q->near_time[i - 1] > time; i--) {
        q->near_time[i] = q->near_time[i - 1];
        q->near[i] = q->near[i - 1];
    }
    q->near_time[i] = time;
    q->near[i] = n;
}

/* Takes the first out. */
static inline struct notification *timed_queue_pop(struct timed_queue *q) {
    struct notification *n = q->near[q->head++];
    n->kind = NOTIFY_NOTHING;
    if (q->head == q->tail && q->far_count) timed_queue_refill(q);
    return n;
}

#endif

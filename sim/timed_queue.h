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
    uint32_t stamp; /* changes when it is cancelled in the wheel: what has another one there is dead */
    union {
        sim_time time;  /* NOTIFY_TIMED */
        uint64_t place; /* NOTIFY_DELTA: in the kernel's list */
    };
};

enum { TIMED_NEAR = 28, TIMED_SLOTS = 128, TIMED_BLOCK = 4 };

/* Four neighbours in the array, wherever they begin. */
typedef uint64_t timed_block __attribute__((vector_size(8 * TIMED_BLOCK), aligned(8), may_alias));

struct timed_wheel;

struct timed_queue {
    uint32_t head, tail;             /* of near; at least TIMED_BLOCK */
    sim_time bound;                  /* what is due then or later stands in the wheel */
    struct timed_wheel *wheel;       /* made when first needed */
    sim_time near_time[TIMED_SLOTS]; /* sorted; at tail stands SIM_TIME_NEVER, before head nothing later */
    struct notification *near[TIMED_SLOTS];
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

/* Inserts behind those that are not later. Where that is cannot be predicted: so every block from the end to
 * the head is written anew, and nothing branches. */
static inline void timed_queue_insert(struct timed_queue *q, struct notification *n, sim_time time) {
    const timed_block times = {time, time, time, time}, entry = (timed_block){0} + (uint64_t)(uintptr_t)n;
    uint32_t i = q->tail + 2;
    q->tail++;
    do {
        i -= TIMED_BLOCK;
        const timed_block before = *(const timed_block *)&q->near_time[i - 1],
                          here = *(const timed_block *)&q->near_time[i],
                          entry_before = *(const timed_block *)&q->near[i - 1],
                          entry_here = *(const timed_block *)&q->near[i];
        const timed_block moves = (timed_block)(before > times), after = (timed_block)(here > times);
        *(timed_block *)&q->near_time[i] = (moves & before) | (~moves & ((after & times) | (~after & here)));
        *(timed_block *)&q->near[i] =
            (moves & entry_before) | (~moves & ((after & entry) | (~after & entry_here)));
    } while (i > q->head);
}

/* time < SIM_TIME_NEVER, and not before what was last popped. */
static inline void timed_queue_push(struct timed_queue *q, struct notification *n, sim_time time) {
    n->kind = NOTIFY_TIMED;
    n->time = time;
    if (time >= q->bound) {
        timed_queue_push_far(q, n);
        return;
    }
    if (__builtin_expect(q->tail - q->head >= TIMED_NEAR || q->tail == TIMED_SLOTS - 2, 0)) {
        timed_queue_make_room(q);
        if (time >= q->bound) {
            timed_queue_push_far(q, n);
            return;
        }
    }
    timed_queue_insert(q, n, time);
}

/* Takes the first out: there is one, and its time has come. */
static inline struct notification *timed_queue_pop(struct timed_queue *q) {
    if (__builtin_expect(q->head == q->tail, 0)) timed_queue_refill(q);
    struct notification *n = q->near[q->head++];
    n->kind = NOTIFY_NOTHING;
    return n;
}

#endif

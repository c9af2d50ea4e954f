/*
 * timed_queue: notifications at later times, in the order of (time, sequence of entering).
 *
 * The next few entries are in a small sorted array, the others in a radix wheel. An entry's level in the
 * wheel is the highest digit in which its time differs from the wheel's base, the time of the last refill of
 * the array. Digits have 4, 7, 12, 12, … bits. Its slot is the value of this digit; entries of a slot keep
 * the order of entering. So entering takes constant time, and an entry moves down at most once a level.
 *
 * A slot of the lower levels has its first entries, a word each, in its own cache line. They enter the array
 * through a sorting network, without a branch. Further entries, and those of higher levels, are in chunks.
 * Cancelled entries leave the array and the slots at once, and the chunks when they surface or when half of
 * the chunks' entries are dead.
 */
#ifndef SIM_TIMED_QUEUE_H
#define SIM_TIMED_QUEUE_H

#include "sim/time.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A pending notification of an event, or the timeout of a process; a member of both. */
struct notification {
    enum notification_kind { NOTIFY_NOTHING, NOTIFY_DELTA, NOTIFY_TIMED } kind : 8;
    bool is_process;
    uint32_t stamp; /* number that changes when the notification is cancelled in the wheel: entries with
                       another one are dead */
    union {
        sim_time time;  /* time, for NOTIFY_TIMED */
        uint64_t place; /* index in the kernel's list, for NOTIFY_DELTA */
    };
};

enum { TIMED_NEAR = 28, TIMED_SLOTS = 128, TIMED_BLOCK = 4 };

/* Neighbours in the array, from a multiple of TIMED_BLOCK on. */
typedef int64_t timed_block __attribute__((vector_size(8 * TIMED_BLOCK), may_alias));

/* Times in a form whose signed order is theirs, because signed comparisons are faster. */
typedef int64_t timed_key;

static inline timed_key timed_key_of(sim_time t) {
    return (timed_key)(t ^ UINT64_C(1) << 63);
}
static inline sim_time timed_time_of(timed_key key) {
    return (sim_time)key ^ UINT64_C(1) << 63;
}

struct timed_wheel;

/* The very first entry is stored apart from the array, so that reading it need not wait for the last
 * insertion. */
struct timed_queue {
    sim_time first_time; /* time of the first entry; SIM_TIME_NEVER: no entry, and the array is empty */
    struct notification *first;
    uint32_t head, tail;       /* first and last + 1 index of the entries in the array; at least TIMED_BLOCK
                                */
    sim_time bound;            /* entries at this time or later are in the wheel */
    struct timed_wheel *wheel; /* created on first use */
    /* sorted; from tail on stands SIM_TIME_NEVER, before head nothing later */
    timed_key near_time[TIMED_SLOTS] __attribute__((aligned(64)));
    /* places outside are some notification that exists: the kernel looks ahead up to TIMED_BLOCK places */
    struct notification *near[TIMED_SLOTS + TIMED_BLOCK] __attribute__((aligned(64)));
};

void timed_queue_init(struct timed_queue *q);
void timed_queue_free(struct timed_queue *q);
/* Removes a notification before its time. */
void timed_queue_remove(struct timed_queue *q, struct notification *n);

/* Accesses to the wheel, for the functions below. */
void timed_queue_push_far(struct timed_queue *q, struct notification *n);
void timed_queue_make_room(struct timed_queue *q);
sim_time timed_queue_first_far(const struct timed_queue *q);
void timed_queue_refill(struct timed_queue *q);
void timed_queue_push_first(struct timed_queue *q, struct notification *n, sim_time time);

/* Returns the time of the first notification; SIM_TIME_NEVER without one. */
static inline sim_time timed_queue_next(const struct timed_queue *q) {
    const sim_time first = q->first_time;
    return __builtin_expect(first == SIM_TIME_NEVER, 0) && q->wheel ? timed_queue_first_far(q) : first;
}

/* A block moved up by one place; its first element is the last of the block below. */
#define TIMED_UP(below, block) __builtin_shufflevector(below, block, 3, 4, 5, 6)

/* Inserts an entry behind those with times that are not later, of which none is before index `from`. The
 * place is unpredictable, so every block from the end to there is rewritten without branches. The blocks
 * are always the same, or a load would wait for the stores of the last insertion. */
static inline void timed_queue_insert(struct timed_queue *q, uint32_t from, struct notification *n,
                                      sim_time time) {
    const timed_block times = (timed_block){0} + timed_key_of(time), entry = (timed_block){0} + (intptr_t)n;
    timed_block *block_time = (timed_block *)q->near_time + q->tail / TIMED_BLOCK,
                *block_entry = (timed_block *)q->near + q->tail / TIMED_BLOCK;
    const timed_block *first = (timed_block *)q->near_time + from / TIMED_BLOCK;
    timed_block here = *block_time, entry_here = *block_entry;
    q->tail++;
    for (;; block_time--, block_entry--) {
        const timed_block below = block_time[-1], entry_below = block_entry[-1];
        const timed_block up = TIMED_UP(below, here), entry_up = TIMED_UP(entry_below, entry_here);
        const timed_block moves = up > times, after = here > times;
        *block_time = (moves & up) | (~moves & ((after & times) | (~after & here)));
        *block_entry = (moves & entry_up) | (~moves & ((after & entry) | (~after & entry_here)));
        if (block_time == first) return;
        here = below;
        entry_here = entry_below;
    }
}

/* Adds a notification; time < SIM_TIME_NEVER, and not before the last one popped. */
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
    if (time >= q->first_time)
        timed_queue_insert(q, q->head, n, time);
    else
        timed_queue_push_first(q, n, time);
}

/* Moves the first entry of the array, if any, to its place beside the array. */
static inline void timed_queue_load_first(struct timed_queue *q) {
    q->first_time = timed_time_of(q->near_time[q->head]);
    q->first = q->near[q->head];
    q->head += q->head != q->tail;
}

/* Removes the first notification, which must exist and be due. */
static inline struct notification *timed_queue_pop(struct timed_queue *q) {
    if (__builtin_expect(q->first_time == SIM_TIME_NEVER, 0)) timed_queue_refill(q);
    struct notification *n = q->first;
    timed_queue_load_first(q);
    n->kind = NOTIFY_NOTHING;
    return n;
}

#endif

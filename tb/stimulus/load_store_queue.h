/* Loads and stores that enter while there is room, for some time faster than they leave, so that the queue
 * fills. Stores get their addresses in any order, in a few neighbouring words or anywhere. Loads search the
 * bytes of a store, or of its neighbours. */
#ifndef TB_STIMULUS_LOAD_STORE_QUEUE_H
#define TB_STIMULUS_LOAD_STORE_QUEUE_H

#include "model/control/load_store_queue.h"
#include "tb/stimulus/stimulus.h"

static struct load_store_queue stimulus_queue;
static unsigned stimulus_queue_enters, stimulus_queue_leaves; /* mean number of cycles between events */
static uint32_t stimulus_queue_around;                        /* address near which most accesses are */

static inline void start_load_store_queue(struct seed *s, const struct rtl_size *size) {
    stimulus_queue_enters = stimulus_queue_leaves = 2;
    stimulus_queue_around = (uint32_t)seed_next(s);
    load_store_queue_init(&stimulus_queue, rtl_size_of(size, "QUEUE"));
}

/* Returns the slot of a store in the queue, the n-th from the oldest. */
static inline unsigned stimulus_store_slot(unsigned n) {
    const struct load_store_queue *q = &stimulus_queue;
    return load_store_queue_later(q, q->now.head, n) % q->queue;
}

/* Sets the bytes of an access. */
static inline void stimulus_bytes(struct seed *s, struct load_store_queue_in *in) {
    const uint32_t bytes = seed_below(s, 8) ? 1u << seed_below(s, 4) : 1 + seed_below(s, 128);
    in->first = stimulus_queue_around + seed_below(s, 24);
    if (seed_below(s, 8) == 0) in->first = (uint32_t)seed_next(s);
    in->last = in->first + bytes - 1;
    if (in->last < in->first) in->last = UINT32_MAX;
    if (stimulus_rare(s, 32)) in->last = UINT32_MAX;
    if (stimulus_rare(s, 32)) in->first = 0;
}

/* Sets the bytes of a load: those of a store, moved by some bytes or with one bit changed, or any. */
static inline void stimulus_load_bytes(struct seed *s, struct load_store_queue_in *in) {
    const struct load_store_queue *q = &stimulus_queue;
    const unsigned slot = seed_below(s, q->queue), kind = seed_below(s, 8);
    uint32_t first = q->now.first[slot], last = q->now.last[slot];
    if (kind < 2 || !(q->now.known >> slot & 1)) {
        stimulus_bytes(s, in);
        return;
    }
    if (kind == 2) first += seed_below(s, 3) - 1;
    if (kind == 3) last += seed_below(s, 3) - 1;
    if (kind == 4) first ^= 1u << seed_below(s, 32);
    if (kind == 5) last ^= 1u << seed_below(s, 32);
    if (kind == 6) first = last + seed_below(s, 2);
    in->first = first;
    in->last = last < first ? first : last;
}

static inline void stimulus_moves(struct seed *s) {
    const struct load_store_queue *q = &stimulus_queue;
    struct load_store_queue_in *in = &stimulus_queue.in;
    const unsigned stores = load_store_queue_stores(q);
    unsigned room = q->queue - q->now.loads - stores;
    if (room > 4) room = 4;
    if (seed_below(s, stimulus_queue_enters) == 0) {
        in->stores = seed_below(s, 4) ? seed_below(s, room + 1) : room;
        in->loads = seed_below(s, room - in->stores + 1);
    }
    if (seed_below(s, stimulus_queue_leaves) == 0)
        in->leave = seed_below(s, (q->now.loads < 4 ? q->now.loads : 4) + 1);
    in->written = q->now.known >> q->now.head % q->queue & 1 && seed_below(s, stimulus_queue_leaves) == 0;
}

static inline bool drive_load_store_queue(struct seed *s) {
    struct load_store_queue *q = &stimulus_queue;
    const bool reset = seed_below(s, 1024) == 0;
    if (reset) load_store_queue_reset(q);
    if (seed_below(s, 64) == 0) {
        stimulus_queue_enters = 1 + seed_below(s, 4);
        stimulus_queue_leaves = 1 + seed_below(s, 2 * q->queue);
    }
    if (seed_below(s, 256) == 0) stimulus_queue_around = (uint32_t)seed_next(s);
    stimulus_moves(s);
    const unsigned stores = load_store_queue_stores(q);
    const unsigned store =
        stores ? (seed_below(s, 2) ? seed_below(s, stores) : seed_below(s, stores) / 2) : 0;
    if (stores && seed_below(s, 2) && !(q->now.known >> stimulus_store_slot(store) & 1)) {
        q->in.known = true;
        q->in.known_slot = stimulus_store_slot(store);
        stimulus_bytes(s, &q->in);
    } else {
        q->in.search = seed_below(s, 8) != 0;
        q->in.position =
            load_store_queue_later(q, q->now.head, seed_below(s, 4) ? seed_below(s, stores + 1) : stores);
        stimulus_load_bytes(s, &q->in);
    }
    load_store_queue_eval(q);
    return reset;
}

static inline void clock_load_store_queue(void) {
    load_store_queue_clock(&stimulus_queue);
}

static const struct stimulus_corner load_store_queue_corner[] = {
    {"the queue is full of stores", NULL},
    {"the queue is full, with loads", NULL},
    {"a load waits for an address", NULL},
    {"a load waits for a store with a part of its data", NULL},
    {"a store in a slot below the oldest one's forwards", "QUEUE>1"},
    {"an older store in a higher slot has a part of what a store forwards", "QUEUE>1"},
    {"a load passes younger stores with its bytes", NULL},
    {"a load passes older stores to memory", NULL},
    {"the store in the last slot forwards", NULL},
    {"the highest address is forwarded", NULL},
    {NULL, NULL},
};

/* Returns the slots of stores with an address that overlap with the load, whatever their age. */
static inline uint64_t stimulus_overlapping(void) {
    const struct load_store_queue *q = &stimulus_queue;
    uint64_t slots = 0;
    for (unsigned n = 0; n < q->queue; ++n)
        if (q->now.known >> n & 1 && q->now.first[n] <= q->in.last && q->in.first <= q->now.last[n])
            slots |= UINT64_C(1) << n;
    return slots;
}

static inline uint64_t corners_load_store_queue(void) {
    const struct load_store_queue *q = &stimulus_queue;
    const unsigned stores = load_store_queue_stores(q), head = q->now.head % q->queue;
    const unsigned older = (q->in.position + 2 * q->queue - q->now.head) % (2 * q->queue);
    const bool memory = q->in.search && !q->out.forward && !q->out.wait;
    const uint64_t overlapping = stimulus_overlapping();
    uint64_t before = 0;
    for (unsigned n = 0; n < older; ++n) before |= UINT64_C(1) << stimulus_store_slot(n);
    return STIMULUS_CORNERS(
        stores == q->queue, stores < q->queue && !q->out.room, q->out.wait && before & ~q->now.known,
        q->out.wait && !(before & ~q->now.known), q->out.forward && q->out.slot < head,
        q->out.forward && overlapping & before && q->out.slot < head &&
            overlapping & before & ~((UINT64_C(2) << q->out.slot) - 1),
        memory && overlapping & ~before, memory && older, q->out.forward && q->out.slot == q->queue - 1,
        q->out.forward && q->in.last == UINT32_MAX);
}

static const struct stimulus_block load_store_queue_stimulus = {
    "load_store_queue",     "load_store_queue",      CLUSTER_BLOCK_QUEUE,      &stimulus_queue.in,
    &stimulus_queue.q,      &stimulus_queue.out,     start_load_store_queue,   drive_load_store_queue,
    clock_load_store_queue, load_store_queue_corner, corners_load_store_queue,
};

#endif

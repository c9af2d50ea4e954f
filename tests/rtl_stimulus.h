/*
 * rtl_stimulus: constrained random inputs for the blocks that have a twin, and a cycle of each beside it.
 *
 * The scheduler and the arbiter take anything; some warps have few PCs, some threads no priority. The barrier
 * table gets what a work-group can do: no more arrivals and exits than threads that run.
 */
#ifndef TESTS_RTL_STIMULUS_H
#define TESTS_RTL_STIMULUS_H

#include "tb/twin.h"
#include "tests/seed.h"

struct stimulus {
    struct seed seed;
    unsigned warps, warp_size, levels;
    struct warp_scheduler scheduler;
    struct warp_pc_arbiter arbiter;
    struct warp_descriptors descriptors; /* that the arbiter sees */
    struct barrier_table barriers;
    bool all_stay; /* nobody of the work-group exits before it has met at a barrier */
};

static inline void stimulus_init(struct stimulus *s, struct seed seed, unsigned warps, unsigned warp_size,
                                 unsigned levels) {
    *s = (struct stimulus){.seed = seed, .warps = warps, .warp_size = warp_size, .levels = levels};
    warp_scheduler_init(&s->scheduler, warps);
    warp_pc_arbiter_init(&s->arbiter, PC_ICS_FIRST, warp_size, levels);
    barrier_table_init(&s->barriers);
}

/* Bits of a mask of n, sparse, even or dense. */
static inline uint64_t stimulus_mask(struct stimulus *s, unsigned n) {
    const uint64_t all = n == 64 ? ~0ull : (1ull << n) - 1;
    uint64_t mask = seed_next(&s->seed);
    switch (seed_below(&s->seed, 6)) {
    case 0: return 0;
    case 1: return all;
    case 2: return mask & seed_next(&s->seed) & seed_next(&s->seed) & all;
    case 3: return (mask | seed_next(&s->seed)) & all;
    case 4: return 1ull << seed_below(&s->seed, n);
    default: return mask & all;
    }
}

static inline void stimulus_scheduler(struct stimulus *s) {
    s->scheduler.in.ready = stimulus_mask(s, s->warps);
    s->scheduler.in.take = seed_below(&s->seed, 4) != 0;
    warp_scheduler_eval(&s->scheduler);
}

static inline void stimulus_arbiter(struct stimulus *s) {
    struct warp_descriptors *w = &s->descriptors;
    const unsigned pcs = 1 + seed_below(&s->seed, 4), levels = 1 + seed_below(&s->seed, s->levels);
    const bool lawful = seed_below(&s->seed, 8) != 0, none = lawful || seed_below(&s->seed, 2);
    w->ready = stimulus_mask(s, s->warp_size);
    w->one_pc = pcs == 1;
    for (unsigned n = 0; n < s->levels; ++n) w->priority[n] = none ? 0 : stimulus_mask(s, s->warp_size);
    const uint32_t base = seed_below(&s->seed, 8) ? (uint32_t)seed_next(&s->seed) : 0;
    for (unsigned k = 0; k < s->warp_size; ++k) {
        const uint64_t random = seed_next(&s->seed);
        w->pc[k] = base ^ ((uint32_t)(random % pcs) << (base % 30)); /* PCs that differ in any bits */
        if (lawful) w->priority[(random >> 32) % levels] |= 1ull << k;
    }
    warp_pc_arbiter_read(&s->arbiter, w);
    warp_pc_arbiter_eval(&s->arbiter);
}

static inline unsigned stimulus_count(struct stimulus *s, unsigned most) {
    if (most > s->warp_size) most = s->warp_size;
    return most && seed_below(&s->seed, 3) ? 1 + seed_below(&s->seed, most) : 0;
}

/* A new work-group once nobody lives, or after a reset: now and then, oftener in a deadlock and at a release.
 * True: the twin is to be reset first, too. */
static inline bool stimulus_barriers(struct stimulus *s) {
    struct barrier_table *b = &s->barriers;
    const bool reset = seed_below(&s->seed, b->q.mixed || b->q.release ? 16 : 512) == 0;
    if (reset) barrier_table_reset(b);
    b->in.arrive_pc = seed_below(&s->seed, 8) ? 0x8000 : (uint32_t)seed_next(&s->seed);
    if (b->q.live == 0) {
        b->in.start = seed_below(&s->seed, 2);
        s->all_stay = seed_below(&s->seed, 2);
        b->in.start_live = s->warps * s->warp_size;
        if (seed_below(&s->seed, 4)) b->in.start_live = 1 + seed_below(&s->seed, b->in.start_live);
    } else if (b->q.release) {
        s->all_stay = false;
    } else {
        const unsigned run = b->q.live - b->q.waiting;
        if (!s->all_stay && seed_below(&s->seed, 4) == 0)
            b->in.exit_count = stimulus_count(s, run);
        else
            b->in.arrive_count = stimulus_count(s, run);
    }
    barrier_table_eval(b);
    return reset;
}

/* One cycle of a block, model and twin. */
static inline const struct twin_port *stimulus_cycle(struct stimulus *s, struct twin *t, uint64_t cycle) {
    const struct twin_port *different;
    switch ((enum cluster_block)(t->block - twin_block)) {
    case CLUSTER_BLOCK_SCHEDULER:
        stimulus_scheduler(s);
        different = twin_cycle(t, cycle, &s->scheduler.in, &s->scheduler.out, &s->scheduler.q, false);
        warp_scheduler_clock(&s->scheduler);
        return different;
    case CLUSTER_BLOCK_ARBITER:
        stimulus_arbiter(s);
        return twin_cycle(t, cycle, &s->arbiter.in, &s->arbiter.out, NULL, false);
    default:
        if (stimulus_barriers(s)) twin_reset(t);
        different = twin_cycle(t, cycle, &s->barriers.in, &s->barriers.out, &s->barriers.q, false);
        barrier_table_clock(&s->barriers);
        return different;
    }
}

#endif

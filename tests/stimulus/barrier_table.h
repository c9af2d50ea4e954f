/* What a work-group can do: no more arrivals and exits than threads that run. A new one once nobody lives, or
 * after a reset: now and then, oftener in a deadlock and at a release. */
#ifndef TESTS_STIMULUS_BARRIER_TABLE_H
#define TESTS_STIMULUS_BARRIER_TABLE_H

#include "tests/stimulus/stimulus.h"

static struct barrier_table stimulus_barriers;
static unsigned stimulus_barrier_warps, stimulus_barrier_warp_size;
static bool stimulus_all_stay; /* nobody of the work-group exits before it has met at a barrier */

static inline void start_barrier_table(struct seed *s, const struct rtl_size *size) {
    (void)s;
    stimulus_barrier_warps = rtl_size_of(size, "WARPS");
    stimulus_barrier_warp_size = rtl_size_of(size, "WARP_SIZE");
    barrier_table_init(&stimulus_barriers);
}

static inline unsigned stimulus_count(struct seed *s, unsigned most) {
    if (most > stimulus_barrier_warp_size) most = stimulus_barrier_warp_size;
    return most && seed_below(s, 3) ? 1 + seed_below(s, most) : 0;
}

static inline bool drive_barrier_table(struct seed *s) {
    struct barrier_table *b = &stimulus_barriers;
    const bool reset = seed_below(s, b->q.mixed || b->q.release ? 16 : 512) == 0;
    if (reset) barrier_table_reset(b);
    b->in.arrive_pc = seed_below(s, 8) ? 0x8000 : (uint32_t)seed_next(s);
    if (b->q.live == 0) {
        b->in.start = seed_below(s, 2);
        stimulus_all_stay = seed_below(s, 2);
        b->in.start_live = stimulus_barrier_warps * stimulus_barrier_warp_size;
        if (seed_below(s, 4)) b->in.start_live = 1 + seed_below(s, b->in.start_live);
    } else if (b->q.release) {
        stimulus_all_stay = false;
    } else {
        const unsigned run = b->q.live - b->q.waiting;
        if (!stimulus_all_stay && seed_below(s, 4) == 0)
            b->in.exit_count = stimulus_count(s, run);
        else
            b->in.arrive_count = stimulus_count(s, run);
    }
    barrier_table_eval(b);
    return reset;
}

static inline void clock_barrier_table(void) {
    barrier_table_clock(&stimulus_barriers);
}

static const struct stimulus_block barrier_table_stimulus = {
    "barrier_table",       "barrier_table",      CLUSTER_BLOCK_BARRIERS,
    &stimulus_barriers.in, &stimulus_barriers.q, &stimulus_barriers.out,
    start_barrier_table,   drive_barrier_table,  clock_barrier_table,
};

#endif

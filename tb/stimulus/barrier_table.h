/* Possible behaviour of work-groups: at most as many arrivals and exits as there are running threads, of one
 * work-group or two; scalar threads arrive and exit. A new work-group starts when no thread of the old one is
 * live. Includes occasional resets, more often in a deadlock and at a release. */
#ifndef TB_STIMULUS_BARRIER_TABLE_H
#define TB_STIMULUS_BARRIER_TABLE_H

#include "tb/stimulus/stimulus.h"

static struct barrier_table stimulus_barriers;
static unsigned stimulus_barrier_warps, stimulus_barrier_warp_size;
static uint64_t stimulus_all_stay; /* work-groups of which no thread exits before its first barrier */

static inline void start_barrier_table(struct seed *s, const struct rtl_size *size) {
    (void)s;
    stimulus_barrier_warps = rtl_size_of(size, "WARPS");
    stimulus_barrier_warp_size = rtl_size_of(size, "WARP_SIZE");
    barrier_table_init(&stimulus_barriers, rtl_size_of(size, "GROUPS"), rtl_size_of(size, "SCALAR"));
}

/* Returns a random number of threads, at most a warp. */
static inline unsigned stimulus_most(unsigned threads) {
    return threads < stimulus_barrier_warp_size ? threads : stimulus_barrier_warp_size;
}

static inline unsigned stimulus_count(struct seed *s, unsigned threads) {
    const unsigned most = stimulus_most(threads);
    return most && seed_below(s, 3) ? 1 + seed_below(s, most) : 0;
}

/* Lets threads arrive, most of them at the barrier at which others of their work-group wait. */
static inline void stimulus_barrier(struct seed *s, unsigned g) {
    struct barrier_table *b = &stimulus_barriers;
    b->in.arrive_pc = seed_below(s, 8) ? 0x8000 : (uint32_t)seed_next(s);
    b->in.arrive_scalar = b->cfg.scalar && seed_below(s, 2);
    if (!b->now.waiting[g] || seed_below(s, 16) == 0) return;
    b->in.arrive_pc = b->now.pc[g];
    if (seed_below(s, 64)) b->in.arrive_scalar = b->q.with >> g & 1;
    if (seed_below(s, 32) == 0) b->in.arrive_pc ^= 1u << seed_below(s, 32);
}

/* Starts a work-group in a free slot, with probability 1/2. */
static inline void stimulus_group(struct seed *s, unsigned g) {
    struct barrier_table *b = &stimulus_barriers;
    b->in.start = seed_below(s, 2);
    b->in.start_group = g;
    b->in.start_scalar = b->cfg.scalar && seed_below(s, 4);
    b->in.start_live = stimulus_barrier_warps * stimulus_barrier_warp_size;
    if (seed_below(s, 4)) b->in.start_live = 1 + seed_below(s, b->in.start_live);
    stimulus_all_stay &= ~(1ull << g);
    stimulus_all_stay |= (uint64_t)seed_below(s, 2) << g;
    if (!b->in.start || seed_below(s, 4)) return; /* the counts have no effect */
    if (!b->in.arrive_count) {
        b->in.arrive_group = g;
        b->in.arrive_count = stimulus_count(s, stimulus_barrier_warp_size);
        stimulus_barrier(s, g);
    }
    if (!b->in.exit_count) {
        b->in.exit_group = g;
        b->in.exit_count = stimulus_count(s, stimulus_barrier_warp_size);
    }
}

static inline void stimulus_threads(struct seed *s, unsigned g) {
    struct barrier_table *b = &stimulus_barriers;
    unsigned run = b->now.live[g] - b->now.waiting[g];
    const bool exits = !(stimulus_all_stay >> g & 1) && seed_below(s, 4) == 0;
    const bool both = exits && seed_below(s, 2); /* some threads arrive in the cycle in which others exit */
    if (exits && !b->in.exit_count) {
        b->in.exit_group = g;
        b->in.exit_count = stimulus_count(s, both && run ? run - 1 : run);
        run -= b->in.exit_count;
    }
    if ((!exits || both) && !b->in.arrive_count) {
        b->in.arrive_group = g;
        b->in.arrive_count = both && seed_below(s, 2) ? stimulus_most(run) : stimulus_count(s, run);
        stimulus_barrier(s, g);
    }
}

/* Lets running scalar threads act: some arrive, few exit. */
static inline void stimulus_scalar_threads(struct seed *s) {
    struct barrier_table *b = &stimulus_barriers;
    const uint64_t run = b->q.scalar_live & ~b->q.scalar_waits;
    b->in.scalar_arrives = run & stimulus_mask(s, b->cfg.groups) & seed_next(s);
    b->in.scalar_exits = run & ~b->in.scalar_arrives & seed_next(s) & seed_next(s) & seed_next(s);
}

/* Lets some running threads exit in the cycle in which the last of the others arrive at the barrier. */
static inline void stimulus_last_exit(struct seed *s, unsigned g) {
    struct barrier_table *b = &stimulus_barriers;
    const unsigned run = b->now.live[g] - b->now.waiting[g];
    if (run < 2 || run > 2 * stimulus_barrier_warp_size || b->in.start || b->q.release >> g & 1) return;
    const unsigned least = run > stimulus_barrier_warp_size ? run - stimulus_barrier_warp_size : 1;
    b->in.exit_group = b->in.arrive_group = g;
    b->in.exit_count = least + seed_below(s, stimulus_most(run - 1) - least + 1);
    b->in.arrive_count = run - b->in.exit_count;
    stimulus_barrier(s, g);
}

static inline bool drive_barrier_table(struct seed *s) {
    struct barrier_table *b = &stimulus_barriers;
    const unsigned groups = b->cfg.groups, g = seed_below(s, groups), other = seed_below(s, groups);
    const bool reset = seed_below(s, b->q.mixed || b->q.release ? 16 * groups : 512) == 0;
    if (reset) barrier_table_reset(b);
    const unsigned of[] = {g, other};
    for (unsigned n = 0; n < (g == other ? 1 : 2); ++n) {
        const uint64_t bit = 1ull << of[n];
        if (b->q.release & bit)
            stimulus_all_stay &= ~bit;
        else if (b->now.live[of[n]])
            stimulus_threads(s, of[n]);
        else if (!(b->q.scalar_live & bit) && !b->in.start)
            stimulus_group(s, of[n]);
    }
    if (stimulus_rare(s, 16)) stimulus_last_exit(s, g);
    if (b->cfg.scalar) stimulus_scalar_threads(s);
    barrier_table_eval(b);
    return reset;
}

static inline void clock_barrier_table(void) {
    barrier_table_clock(&stimulus_barriers);
}

static const struct stimulus_corner barrier_table_corner[] = {
    {"the last exit in the cycle of an arrival, which opens the barrier", NULL},
    {"an exit alone opens the barrier", NULL},
    {"the last thread of a work-group exits", NULL},
    {"a whole warp arrives at once", NULL},
    {"a PC with bit 31", NULL},
    {"threads wait at different barriers, all of them", NULL},
    {"the last slot of work-groups opens", "GROUPS>1"},
    {"a work-group starts in the cycle of a release", "GROUPS>1"},
    {"all threads of the largest work-group run", "WARPS>1"},
    {"a scalar thread arrives last", "SCALAR>0"},
    {NULL, NULL},
};

static inline uint64_t corners_barrier_table(void) {
    const struct barrier_table *b = &stimulus_barriers;
    const unsigned g = b->in.exit_group;
    const bool opens = b->out.opens >> g & 1, exits = b->in.exit_count != 0;
    return STIMULUS_CORNERS(
        exits && b->in.arrive_count && b->in.arrive_group == g && opens,
        exits && opens && !(b->in.arrive_count && b->in.arrive_group == g) &&
            !(b->in.scalar_arrives >> g & 1),
        exits && b->now.live[g] == b->in.exit_count, b->in.arrive_count == stimulus_barrier_warp_size,
        b->in.arrive_count && b->in.arrive_pc >> 31, b->out.deadlock != 0,
        b->out.opens >> (b->cfg.groups - 1) & 1, b->in.start && b->q.release,
        b->in.start && b->in.start_live == stimulus_barrier_warps * stimulus_barrier_warp_size,
        (b->out.opens & b->in.scalar_arrives) != 0);
}

static const struct stimulus_block barrier_table_stimulus = {
    "barrier_table",      "barrier_table",        CLUSTER_BLOCK_BARRIERS, &stimulus_barriers.in,
    &stimulus_barriers.q, &stimulus_barriers.out, start_barrier_table,    drive_barrier_table,
    clock_barrier_table,  barrier_table_corner,   corners_barrier_table,
};

#endif

/* Any threads are Ready; some warps have few PCs, some threads no priority, or several. The rivals of the
 * slot have the same inputs. */
#ifndef TB_STIMULUS_WARP_PC_ARBITER_H
#define TB_STIMULUS_WARP_PC_ARBITER_H

#include "tb/stimulus/stimulus.h"

static struct warp_pc_arbiter stimulus_arbiter;
static struct warp_descriptors stimulus_descriptors; /* that the arbiter sees */
static unsigned stimulus_warp_size, stimulus_levels;

static inline void start_arbiters(const struct rtl_size *size, enum pc_policy policy) {
    stimulus_warp_size = rtl_size_of(size, "WARP_SIZE");
    stimulus_levels = rtl_size_of(size, "LEVELS");
    warp_pc_arbiter_init(&stimulus_arbiter, policy, stimulus_warp_size, stimulus_levels);
}

static inline void start_warp_pc_arbiter(struct seed *s, const struct rtl_size *size) {
    (void)s;
    start_arbiters(size, PC_ICS_FIRST);
}

static inline void start_min_pc_arbiter(struct seed *s, const struct rtl_size *size) {
    (void)s;
    start_arbiters(size, PC_MIN_PC);
}

static inline void start_first_ready_arbiter(struct seed *s, const struct rtl_size *size) {
    (void)s;
    start_arbiters(size, PC_FIRST_READY);
}

static inline bool drive_warp_pc_arbiter(struct seed *s) {
    struct warp_descriptors *w = &stimulus_descriptors;
    const unsigned pcs = 1 + seed_below(s, 4), levels = 1 + seed_below(s, stimulus_levels);
    const bool lawful = seed_below(s, 8) != 0, none = lawful || seed_below(s, 2);
    w->ready = stimulus_mask(s, stimulus_warp_size);
    for (unsigned n = 0; n < TDT_MAX_LEVELS; ++n)
        w->priority[n] = none || n >= stimulus_levels ? 0 : stimulus_mask(s, stimulus_warp_size);
    const uint32_t base = stimulus_rare(s, 16) ? UINT32_MAX : seed_below(s, 8) ? (uint32_t)seed_next(s) : 0;
    const unsigned bit = seed_below(s, 32); /* PCs that differ in any bits, the highest too */
    for (unsigned k = 0; k < stimulus_warp_size; ++k) {
        const uint64_t random = seed_next(s);
        w->pc[k] = base ^ ((uint32_t)(random % pcs) << bit);
        if (lawful) w->priority[(random >> 32) % levels] |= 1ull << k;
    }
    warp_pc_arbiter_read(&stimulus_arbiter, w);
    warp_pc_arbiter_eval(&stimulus_arbiter);
    return false;
}

/* Two Ready threads whose PCs differ in this bit, and in no other. */
static inline bool stimulus_differs_in(const struct warp_pc_arbiter *a, unsigned bit) {
    uint32_t ones = 0, zeros = 0;
    for (uint64_t rest = a->in.ready; rest; rest &= rest - 1) {
        ones |= a->in.pc[__builtin_ctzll(rest)];
        zeros |= ~a->in.pc[__builtin_ctzll(rest)];
    }
    return (ones & zeros) == UINT32_C(1) << bit;
}

static const struct stimulus_corner warp_pc_arbiter_corner[] = {
    {"the chosen thread is the last", NULL},
    {"the last thread participates with others", "WARP_SIZE>1"},
    {"all threads are Ready", "WARP_SIZE>1"},
    {"no thread is Ready", NULL},
    {"PCs that differ in bit 31 alone", "WARP_SIZE>1"},
    {"PCs that differ in bit 2 alone", "WARP_SIZE>1"},
    {"the highest level", "LEVELS>1"},
    {"the highest PC, and no thread is Ready", NULL},
    {NULL, NULL},
};

static inline uint64_t corners_warp_pc_arbiter(void) {
    const struct warp_pc_arbiter *a = &stimulus_arbiter;
    const unsigned last = stimulus_warp_size - 1;
    return STIMULUS_CORNERS(a->out.wtid >> last & 1,
                            a->out.participating >> last & 1 && a->out.participating != UINT64_C(1) << last,
                            a->in.ready == stimulus_all(stimulus_warp_size), !a->in.ready,
                            stimulus_differs_in(a, 31), stimulus_differs_in(a, 2),
                            a->out.level == stimulus_levels - 1,
                            !a->in.ready && a->in.pc[last] == UINT32_MAX);
}

#define ARBITER_STIMULUS(module)                                                                             \
    {                                                                                                        \
#module, #module, CLUSTER_BLOCK_ARBITER, &stimulus_arbiter.in, NULL, &stimulus_arbiter.out,          \
            start_##module, drive_warp_pc_arbiter, NULL, warp_pc_arbiter_corner, corners_warp_pc_arbiter     \
    }
static const struct stimulus_block warp_pc_arbiter_stimulus = ARBITER_STIMULUS(warp_pc_arbiter);
static const struct stimulus_block min_pc_arbiter_stimulus = ARBITER_STIMULUS(min_pc_arbiter);
static const struct stimulus_block first_ready_arbiter_stimulus = ARBITER_STIMULUS(first_ready_arbiter);

#endif

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
    w->one_pc = pcs == 1;
    for (unsigned n = 0; n < TDT_MAX_LEVELS; ++n)
        w->priority[n] = none || n >= stimulus_levels ? 0 : stimulus_mask(s, stimulus_warp_size);
    const uint32_t base = seed_below(s, 8) ? (uint32_t)seed_next(s) : 0;
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

#define ARBITER_STIMULUS(module)                                                                             \
    {                                                                                                        \
#module, #module, CLUSTER_BLOCK_ARBITER, &stimulus_arbiter.in, NULL, &stimulus_arbiter.out,          \
            start_##module, drive_warp_pc_arbiter, NULL                                                      \
    }
static const struct stimulus_block warp_pc_arbiter_stimulus = ARBITER_STIMULUS(warp_pc_arbiter);
static const struct stimulus_block min_pc_arbiter_stimulus = ARBITER_STIMULUS(min_pc_arbiter);
static const struct stimulus_block first_ready_arbiter_stimulus = ARBITER_STIMULUS(first_ready_arbiter);

#endif

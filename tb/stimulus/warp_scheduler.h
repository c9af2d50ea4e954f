/* Any warps are ready and any stalled at any time; the rivals of the slot have the same inputs. */
#ifndef TB_STIMULUS_WARP_SCHEDULER_H
#define TB_STIMULUS_WARP_SCHEDULER_H

#include "tb/stimulus/stimulus.h"

static struct warp_scheduler stimulus_scheduler;

static inline void start_schedulers(const struct rtl_size *size, enum scheduler_policy policy) {
    warp_scheduler_init(&stimulus_scheduler, policy, rtl_size_of(size, "WARPS"), rtl_size_of(size, "ACTIVE"));
}

static inline void start_warp_scheduler(struct seed *s, const struct rtl_size *size) {
    (void)s;
    start_schedulers(size, SCHEDULER_ROUND_ROBIN);
}

static inline void start_greedy_oldest_scheduler(struct seed *s, const struct rtl_size *size) {
    (void)s;
    start_schedulers(size, SCHEDULER_GREEDY_OLDEST);
}

static inline void start_two_level_scheduler(struct seed *s, const struct rtl_size *size) {
    (void)s;
    start_schedulers(size, SCHEDULER_TWO_LEVEL);
}

static inline bool drive_warp_scheduler(struct seed *s) {
    stimulus_scheduler.in.ready = stimulus_warps(s, stimulus_scheduler.cfg.warps);
    stimulus_scheduler.in.stalled = stimulus_warps(s, stimulus_scheduler.cfg.warps);
    stimulus_scheduler.in.take = seed_below(s, 4) != 0;
    warp_scheduler_eval(&stimulus_scheduler);
    return false;
}

static inline void clock_warp_scheduler(void) {
    warp_scheduler_clock(&stimulus_scheduler);
}

#define SCHEDULER_STIMULUS(module)                                                                           \
    {                                                                                                        \
#module, #module, CLUSTER_BLOCK_SCHEDULER, &stimulus_scheduler.in, &stimulus_scheduler.q,            \
            &stimulus_scheduler.out, start_##module, drive_warp_scheduler, clock_warp_scheduler              \
    }
static const struct stimulus_block warp_scheduler_stimulus = SCHEDULER_STIMULUS(warp_scheduler);
static const struct stimulus_block greedy_oldest_scheduler_stimulus =
    SCHEDULER_STIMULUS(greedy_oldest_scheduler);
static const struct stimulus_block two_level_scheduler_stimulus = SCHEDULER_STIMULUS(two_level_scheduler);

#endif

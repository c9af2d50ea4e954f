/* Any warps are ready at any time. */
#ifndef TESTS_STIMULUS_WARP_SCHEDULER_H
#define TESTS_STIMULUS_WARP_SCHEDULER_H

#include "tests/stimulus/stimulus.h"

static struct warp_scheduler stimulus_scheduler;

static inline void start_warp_scheduler(struct seed *s, const struct rtl_size *size) {
    (void)s;
    warp_scheduler_init(&stimulus_scheduler, rtl_size_of(size, "WARPS"));
}

static inline bool drive_warp_scheduler(struct seed *s) {
    stimulus_scheduler.in.ready = stimulus_mask(s, stimulus_scheduler.cfg.warps);
    stimulus_scheduler.in.take = seed_below(s, 4) != 0;
    warp_scheduler_eval(&stimulus_scheduler);
    return false;
}

static inline void clock_warp_scheduler(void) {
    warp_scheduler_clock(&stimulus_scheduler);
}

static const struct stimulus_block warp_scheduler_stimulus = {
    "warp_scheduler",       "warp_scheduler",      CLUSTER_BLOCK_SCHEDULER,
    &stimulus_scheduler.in, &stimulus_scheduler.q, &stimulus_scheduler.out,
    start_warp_scheduler,   drive_warp_scheduler,  clock_warp_scheduler,
};

#endif

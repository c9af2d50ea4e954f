/* Any warps are ready and any stalled at any time; the rivals of the slot have the same inputs. */
#ifndef TB_STIMULUS_WARP_SCHEDULER_H
#define TB_STIMULUS_WARP_SCHEDULER_H

#include "tb/stimulus/stimulus.h"

static struct warp_scheduler stimulus_scheduler;
static unsigned stimulus_schedule_long;  /* cycles for which all warps stay ready */
static unsigned stimulus_schedule_ready; /* cycles for which they have been */

static inline void start_schedulers(const struct rtl_size *size, const struct scheduler_policy *policy) {
    stimulus_schedule_long = stimulus_schedule_ready = 0;
    warp_scheduler_init(&stimulus_scheduler, policy, rtl_size_of(size, "WARPS"), rtl_size_of(size, "ACTIVE"));
}

static inline void start_warp_scheduler(struct seed *s, const struct rtl_size *size) {
    (void)s;
    start_schedulers(size, &scheduler_policy_round_robin);
}

#define START(name, upper)                                                                                   \
    static inline void start_##name##_scheduler(struct seed *s, const struct rtl_size *size) {               \
        (void)s;                                                                                             \
        start_schedulers(size, &scheduler_policy_##name);                                                    \
    }
SCHEDULER_TWINS(START)
#undef START

/* Makes all warps ready for many cycles from time to time, so that each must be granted. */
static inline void stimulus_all_ready(struct seed *s) {
    const unsigned warps = stimulus_scheduler.cfg.warps;
    if (!stimulus_schedule_long && stimulus_rare(s, 8192)) stimulus_schedule_long = 65 * warps;
    stimulus_schedule_ready = stimulus_schedule_long ? stimulus_schedule_ready + 1 : 0;
    if (!stimulus_schedule_long) return;
    --stimulus_schedule_long;
    stimulus_scheduler.in.ready = stimulus_all_warps(warps);
    stimulus_scheduler.in.stalled = 0;
    stimulus_scheduler.in.take = true;
}

static inline bool drive_warp_scheduler(struct seed *s) {
    stimulus_scheduler.in.ready = stimulus_warps(s, stimulus_scheduler.cfg.warps);
    stimulus_scheduler.in.stalled = stimulus_warps(s, stimulus_scheduler.cfg.warps);
    stimulus_scheduler.in.take = seed_below(s, 4) != 0;
    stimulus_all_ready(s);
    warp_scheduler_eval(&stimulus_scheduler);
    return false;
}

static inline void clock_warp_scheduler(void) {
    warp_scheduler_clock(&stimulus_scheduler);
}

static const struct stimulus_corner warp_scheduler_corner[] = {
    {"the last warp is granted", NULL},
    {"a warp of 64 or above is granted", "WARPS>64"},
    {"all warps are ready", "WARPS>1"},
    {"warps are ready and the front end takes none", NULL},
    {"all warps are stalled", NULL},
    {"all warps are ready for as many cycles as fairness asks", NULL},
    {NULL, NULL},
};

static inline uint64_t corners_warp_scheduler(void) {
    const struct warp_scheduler *w = &stimulus_scheduler;
    const unsigned warps = w->cfg.warps;
    const warp_set all = stimulus_all_warps(warps);
    return STIMULUS_CORNERS(w->out.grant >> (warps - 1) & 1, w->out.valid && w->out.warp >= 64,
                            w->in.ready == all, w->in.ready && !w->in.take, w->in.stalled == all,
                            stimulus_schedule_ready >= 64 * warps);
}

#define SCHEDULER_STIMULUS(module)                                                                           \
    {                                                                                                        \
#module, #module, CLUSTER_BLOCK_SCHEDULER, &stimulus_scheduler.in, &stimulus_scheduler.q,            \
            &stimulus_scheduler.out, start_##module, drive_warp_scheduler, clock_warp_scheduler,             \
            warp_scheduler_corner, corners_warp_scheduler                                                    \
    }
static const struct stimulus_block warp_scheduler_stimulus = SCHEDULER_STIMULUS(warp_scheduler);
#define STIMULUS(name, upper)                                                                                \
    static const struct stimulus_block name##_scheduler_stimulus = SCHEDULER_STIMULUS(name##_scheduler);
SCHEDULER_TWINS(STIMULUS)
#undef STIMULUS

#endif

/* Launches of few work-groups, which end, and of many, of which low bits of a count may be reached; requests
 * in most cycles. */
#ifndef TB_STIMULUS_WORK_GROUP_DISPATCHER_H
#define TB_STIMULUS_WORK_GROUP_DISPATCHER_H

#include "model/control/work_group_dispatcher.h"
#include "tb/stimulus/stimulus.h"

static struct work_group_dispatcher stimulus_dispatcher_of_groups;

static inline void start_work_group_dispatcher(struct seed *s, const struct rtl_size *size) {
    (void)s;
    (void)size;
    work_group_dispatcher_reset(&stimulus_dispatcher_of_groups);
}

/* 1 to 5, at times with one more bit; a launch has fewer than 2^32. */
static inline uint32_t stimulus_dimension(struct seed *s, bool *large) {
    const uint32_t few = 1 + seed_below(s, 5);
    if (*large || seed_below(s, 4)) return few;
    *large = true;
    return few + (1u << (3 + seed_below(s, 24)));
}

static inline bool drive_work_group_dispatcher(struct seed *s) {
    struct work_group_dispatcher *w = &stimulus_dispatcher_of_groups;
    const bool reset = seed_below(s, 512) == 0;
    bool large = false;
    if (reset) work_group_dispatcher_reset(w);
    w->in.begin = seed_below(s, !w->q.left ? 4 : w->q.count_x > 7 ? 2048 : 64) == 0;
    w->in.count_x = stimulus_dimension(s, &large);
    w->in.count_y = stimulus_dimension(s, &large);
    w->in.count_z = stimulus_dimension(s, &large);
    w->in.take = seed_below(s, 4) != 0;
    if (w->q.left && stimulus_rare(s, 256)) w->in.begin = true;
    work_group_dispatcher_eval(w);
    return reset;
}

static inline void clock_work_group_dispatcher(void) {
    work_group_dispatcher_clock(&stimulus_dispatcher_of_groups);
}

static const struct stimulus_corner work_group_dispatcher_corner[] = {
    {"the last work-group is taken", NULL},
    {"a request when none is left", NULL},
    {"the first dimension ends", NULL},
    {"the second dimension ends", NULL},
    {"a launch begins while one is under way", NULL},
    {"a number of 256 or above", NULL},
    {NULL, NULL},
};

static inline uint64_t corners_work_group_dispatcher(void) {
    const struct work_group_dispatcher *w = &stimulus_dispatcher_of_groups;
    return STIMULUS_CORNERS(w->in.take && w->out.valid && w->q.left && w->out.x == w->q.count_x - 1 &&
                                w->out.y == w->q.count_y - 1 && w->out.z == w->q.count_z - 1,
                            w->in.take && !w->out.valid,
                            w->in.take && w->out.valid && w->out.x == w->q.count_x - 1 && w->q.count_x > 1,
                            w->in.take && w->out.valid && w->out.x == w->q.count_x - 1 &&
                                w->out.y == w->q.count_y - 1 && w->q.count_y > 1,
                            w->in.begin && w->q.left, w->out.valid && w->out.number >= 256);
}

static const struct stimulus_block work_group_dispatcher_stimulus = {
    "work_group_dispatcher",           "work_group_dispatcher",          CLUSTER_BLOCK_GROUPS,
    &stimulus_dispatcher_of_groups.in, &stimulus_dispatcher_of_groups.q, &stimulus_dispatcher_of_groups.out,
    start_work_group_dispatcher,       drive_work_group_dispatcher,      clock_work_group_dispatcher,
    work_group_dispatcher_corner,      corners_work_group_dispatcher,
};

#endif

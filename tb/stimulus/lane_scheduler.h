/* Warps with an instruction for one unit or another, few or many; groups with and without free collectors. */
#ifndef TB_STIMULUS_LANE_SCHEDULER_H
#define TB_STIMULUS_LANE_SCHEDULER_H

#include "model/control/lane_scheduler.h"
#include "tb/stimulus/stimulus.h"

static struct lane_scheduler stimulus_lane_scheduler;

static inline void start_lane_scheduler(struct seed *s, const struct rtl_size *size) {
    (void)s;
    lane_scheduler_init(&stimulus_lane_scheduler,
                        &(struct lane_scheduler_config){.warps = rtl_size_of(size, "WARPS"),
                                                        .groups = rtl_size_of(size, "LANE_GROUPS"),
                                                        .bound = rtl_size_of(size, "BOUND")});
}

static inline bool drive_lane_scheduler(struct seed *s) {
    struct lane_scheduler *l = &stimulus_lane_scheduler;
    const unsigned groups = l->cfg.groups;
    l->in = (struct lane_scheduler_in){
        .sp = stimulus_warps(s, l->cfg.warps),
        .sfu = stimulus_warps(s, l->cfg.warps),
        .ldst = stimulus_warps(s, l->cfg.warps),
        .sp_room = (uint32_t)stimulus_mask(s, groups),
        .sfu_room = (uint32_t)stimulus_mask(s, groups),
        .ldst_room = (uint32_t)stimulus_mask(s, groups),
        .registers = (uint32_t)stimulus_mask(s, groups),
    };
    if (stimulus_rare(s, 32)) l->in.sp_room = l->in.sfu_room = l->in.ldst_room = 0;
    lane_scheduler_eval(l);
    return false;
}

static const struct stimulus_corner lane_scheduler_corner[] = {
    {"the last warp is eligible", NULL},
    {"a warp of 64 or above is eligible", "WARPS>64"},
    {"the last group gets a request", NULL},
    {"more than two conflicts", "LANE_GROUPS>3"},
    {"no group has room", NULL},
    {NULL, NULL},
};

static inline uint64_t corners_lane_scheduler(void) {
    const struct lane_scheduler *l = &stimulus_lane_scheduler;
    return STIMULUS_CORNERS(l->out.eligible >> (l->cfg.warps - 1) & 1, (l->out.eligible >> 63) > 1,
                            l->out.groups >> (l->cfg.groups - 1) & 1, l->out.conflicts == 3,
                            !(l->in.sp_room | l->in.sfu_room | l->in.ldst_room));
}

static const struct stimulus_block lane_scheduler_stimulus = {
    "lane_scheduler",
    "lane_scheduler",
    CLUSTER_BLOCK_LANES,
    &stimulus_lane_scheduler.in,
    NULL,
    &stimulus_lane_scheduler.out,
    start_lane_scheduler,
    drive_lane_scheduler,
    NULL,
    lane_scheduler_corner,
    corners_lane_scheduler,
};

#endif

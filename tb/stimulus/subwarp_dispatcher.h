/* Instructions of any number of rounds and beats, most short, some slow; offered at any time, the lanes hold
 * any beat. Now and then a reset. */
#ifndef TB_STIMULUS_SUBWARP_DISPATCHER_H
#define TB_STIMULUS_SUBWARP_DISPATCHER_H

#include "tb/stimulus/stimulus.h"

static struct subwarp_dispatcher stimulus_dispatcher;
static bool stimulus_dispatcher_rests; /* nothing is offered for some cycles */
static bool stimulus_dispatcher_ended; /* the cycle before had the last beat of an instruction */

static inline void start_subwarp_dispatcher(struct seed *s, const struct rtl_size *size) {
    (void)s;
    stimulus_dispatcher_ended = false;
    subwarp_dispatcher_init(&stimulus_dispatcher, rtl_size_of(size, "WARPS"), rtl_size_of(size, "WARP_SIZE"),
                            rtl_size_of(size, "LANES"));
}

/* 1 … most; 1 or the most often. */
static inline unsigned stimulus_some(struct seed *s, unsigned most) {
    switch (seed_below(s, 4)) {
    case 0: return 1;
    case 1: return most;
    default: return 1 + seed_below(s, most);
    }
}

static inline bool drive_subwarp_dispatcher(struct seed *s) {
    struct subwarp_dispatcher *d = &stimulus_dispatcher;
    const bool reset = seed_below(s, d->q.wait > 64 ? 64 : 512) == 0, slow = seed_below(s, 64) == 0;
    if (reset) subwarp_dispatcher_reset(d);
    if (seed_below(s, 32) == 0) stimulus_dispatcher_rests = seed_below(s, 4) == 0;
    d->in.valid = !stimulus_dispatcher_rests && seed_below(s, 8);
    d->in.warp = stimulus_one_of(s, d->cfg.warps);
    d->in.rounds = stimulus_some(s, d->cfg.rounds);
    d->in.beats = seed_below(s, 2) ? 1 : stimulus_some(s, slow ? 63 : 4);
    d->in.occupancy = seed_below(s, 2) ? 1 : stimulus_some(s, slow ? 1023 : 6);
    d->in.hold = seed_below(s, 4) == 0;
    subwarp_dispatcher_eval(d);
    return reset;
}

static inline void clock_subwarp_dispatcher(void) {
    stimulus_dispatcher_ended = stimulus_dispatcher.out.last;
    subwarp_dispatcher_clock(&stimulus_dispatcher);
}

static const struct stimulus_corner subwarp_dispatcher_corner[] = {
    {"the last warp", NULL},
    {"the last context", NULL},
    {"63 beats", NULL},
    {"1,023 cycles of a beat", NULL},
    {"the last beat is held", NULL},
    {"an instruction follows without a gap", NULL},
    {NULL, NULL},
};

static inline uint64_t corners_subwarp_dispatcher(void) {
    const struct subwarp_dispatcher *d = &stimulus_dispatcher;
    return STIMULUS_CORNERS(d->out.first && d->out.warp == d->cfg.warps - 1,
                            d->out.valid && d->out.context == d->cfg.warps * d->cfg.rounds - 1,
                            d->out.first && d->in.beats == 63, d->out.first && d->in.occupancy == 1023,
                            d->out.valid && d->q.active && !d->q.left && d->q.beat == d->q.last_beat &&
                                d->in.hold,
                            d->out.first && stimulus_dispatcher_ended);
}

static const struct stimulus_block subwarp_dispatcher_stimulus = {
    "subwarp_dispatcher",     "subwarp_dispatcher",      CLUSTER_BLOCK_DISPATCHER,   &stimulus_dispatcher.in,
    &stimulus_dispatcher.q,   &stimulus_dispatcher.out,  start_subwarp_dispatcher,   drive_subwarp_dispatcher,
    clock_subwarp_dispatcher, subwarp_dispatcher_corner, corners_subwarp_dispatcher,
};

#endif

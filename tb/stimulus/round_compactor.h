/* Instructions of few or many active threads, whose rounds start now and then; an instruction replaces the
 * rest of another. Includes occasional resets. */
#ifndef TB_STIMULUS_ROUND_COMPACTOR_H
#define TB_STIMULUS_ROUND_COMPACTOR_H

#include "model/control/round_compactor.h"
#include "tb/stimulus/stimulus.h"

static struct round_compactor stimulus_compactor;

static inline void start_round_compactor(struct seed *s, const struct rtl_size *size) {
    (void)s;
    round_compactor_init(&stimulus_compactor,
                         &(struct round_compactor_config){.warp_size = rtl_size_of(size, "WARP_SIZE"),
                                                          .lanes = rtl_size_of(size, "LANES")});
}

static inline bool drive_round_compactor(struct seed *s) {
    struct round_compactor *r = &stimulus_compactor;
    const bool reset = seed_below(s, 512) == 0;
    if (reset) round_compactor_init(r, &(struct round_compactor_config){r->cfg.warp_size, r->cfg.lanes});
    r->in.load = seed_below(s, r->q.left ? 16 : 2) == 0;
    r->in.active = stimulus_mask(s, r->cfg.warp_size);
    r->in.take = seed_below(s, 4) != 0;
    round_compactor_eval(r);
    return reset;
}

static inline void clock_round_compactor(void) {
    round_compactor_clock(&stimulus_compactor);
}

static const struct stimulus_corner round_compactor_corner[] = {
    {"the last thread is active alone", "WARP_SIZE>1"},
    {"the last round", NULL},
    {"no thread is active", NULL},
    {"an instruction takes the place of one with rounds left", NULL},
    {NULL, NULL},
};

static inline uint64_t corners_round_compactor(void) {
    const struct round_compactor *r = &stimulus_compactor;
    const unsigned rounds = r->cfg.warp_size / r->cfg.lanes;
    return STIMULUS_CORNERS(r->in.load && r->in.active == UINT64_C(1) << (r->cfg.warp_size - 1),
                            r->out.valid && r->out.round == rounds - 1, r->in.load && !r->in.active,
                            r->in.load && r->q.left);
}

static const struct stimulus_block round_compactor_stimulus = {
    "round_compactor",     "round_compactor",       CLUSTER_BLOCK_COMPACTOR, &stimulus_compactor.in,
    &stimulus_compactor.q, &stimulus_compactor.out, start_round_compactor,   drive_round_compactor,
    clock_round_compactor, round_compactor_corner,  corners_round_compactor,
};

#endif

/* Few or many ready threads, the same for some cycles; consecutive cycle numbers with gaps; occasional
 * resets. */
#ifndef TB_STIMULUS_SCALAR_SCHEDULER_H
#define TB_STIMULUS_SCALAR_SCHEDULER_H

#include "model/control/scalar_scheduler.h"
#include "tb/stimulus/stimulus.h"

static struct scalar_scheduler stimulus_scalar;
static unsigned stimulus_scalar_long, stimulus_scalar_ready; /* as in the stimulus of warp_scheduler */

static inline void start_scalar_scheduler(struct seed *s, const struct rtl_size *size) {
    (void)s;
    stimulus_scalar_long = stimulus_scalar_ready = 0;
    scalar_scheduler_init(&stimulus_scalar,
                          &(struct scalar_scheduler_config){.threads = rtl_size_of(size, "THREADS"),
                                                            .divisor = rtl_size_of(size, "DIVISOR")});
}

static inline bool drive_scalar_scheduler(struct seed *s) {
    struct scalar_scheduler *r = &stimulus_scalar;
    const bool reset = !stimulus_scalar_long && seed_below(s, 512) == 0;
    if (reset) scalar_scheduler_init(r, &(struct scalar_scheduler_config){r->cfg.threads, r->cfg.divisor});
    r->in.cycle = (uint32_t)((r->in.cycle + (seed_below(s, 8) ? 1 : seed_below(s, 8))) & 7);
    if (seed_below(s, 2)) r->in.ready = stimulus_mask(s, r->cfg.threads);
    if (!stimulus_scalar_long && stimulus_rare(s, 8192))
        stimulus_scalar_long = 65 * r->cfg.threads * r->cfg.divisor;
    stimulus_scalar_ready = stimulus_scalar_long ? stimulus_scalar_ready + 1 : 0;
    if (stimulus_scalar_long) {
        --stimulus_scalar_long;
        r->in.ready = stimulus_all(r->cfg.threads);
    }
    scalar_scheduler_eval(r);
    return reset;
}

static inline void clock_scalar_scheduler(void) {
    scalar_scheduler_clock(&stimulus_scalar);
}

static const struct stimulus_corner scalar_scheduler_corner[] = {
    {"the last thread issues", NULL},
    {"all threads are ready", "THREADS>1"},
    {"threads are ready in a cycle that is not the unit's", "DIVISOR>1"},
    {"all threads are ready for 64 turns", NULL},
    {NULL, NULL},
};

static inline uint64_t corners_scalar_scheduler(void) {
    const struct scalar_scheduler *r = &stimulus_scalar;
    return STIMULUS_CORNERS(r->out.valid && r->out.thread == r->cfg.threads - 1,
                            r->out.tick && r->in.ready == stimulus_all(r->cfg.threads),
                            !r->out.tick && r->in.ready,
                            stimulus_scalar_ready >= 64 * r->cfg.threads * r->cfg.divisor);
}

static const struct stimulus_block scalar_scheduler_stimulus = {
    "scalar_scheduler",     "scalar_scheduler",      CLUSTER_BLOCK_SCALAR,     &stimulus_scalar.in,
    &stimulus_scalar.q,     &stimulus_scalar.out,    start_scalar_scheduler,   drive_scalar_scheduler,
    clock_scalar_scheduler, scalar_scheduler_corner, corners_scalar_scheduler,
};

#endif

/* Few or many ready threads, the same for some cycles; cycles one after the other, some left out; a reset now
 * and then. */
#ifndef TB_STIMULUS_SCALAR_SCHEDULER_H
#define TB_STIMULUS_SCALAR_SCHEDULER_H

#include "model/control/scalar_scheduler.h"
#include "tb/stimulus/stimulus.h"

static struct scalar_scheduler stimulus_scalar;

static inline void start_scalar_scheduler(struct seed *s, const struct rtl_size *size) {
    (void)s;
    scalar_scheduler_init(&stimulus_scalar,
                          &(struct scalar_scheduler_config){.threads = rtl_size_of(size, "THREADS"),
                                                            .divisor = rtl_size_of(size, "DIVISOR")});
}

static inline bool drive_scalar_scheduler(struct seed *s) {
    struct scalar_scheduler *r = &stimulus_scalar;
    const bool reset = seed_below(s, 512) == 0;
    if (reset) scalar_scheduler_init(r, &(struct scalar_scheduler_config){r->cfg.threads, r->cfg.divisor});
    r->in.cycle = (uint32_t)((r->in.cycle + (seed_below(s, 8) ? 1 : seed_below(s, 8))) & 7);
    if (seed_below(s, 2)) r->in.ready = stimulus_mask(s, r->cfg.threads);
    scalar_scheduler_eval(r);
    return reset;
}

static inline void clock_scalar_scheduler(void) {
    scalar_scheduler_clock(&stimulus_scalar);
}

static const struct stimulus_block scalar_scheduler_stimulus = {
    "scalar_scheduler",     "scalar_scheduler",     CLUSTER_BLOCK_SCALAR,
    &stimulus_scalar.in,    &stimulus_scalar.q,     &stimulus_scalar.out,
    start_scalar_scheduler, drive_scalar_scheduler, clock_scalar_scheduler,
};

#endif

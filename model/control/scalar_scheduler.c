#include "model/control/scalar_scheduler.h"

#include "sim/error.h"

void scalar_scheduler_init(struct scalar_scheduler *s, const struct scalar_scheduler_config *config) {
    invariant(config->threads >= 1 && config->threads <= 64, "a scalar scheduler of %u threads",
              config->threads);
    *s = (struct scalar_scheduler){.cfg = *config, .q.last = config->threads - 1};
}

void scalar_scheduler_eval(struct scalar_scheduler *s) {
    const uint64_t later = s->in.ready & ~((UINT64_C(2) << s->q.last) - 1);
    s->out = (struct scalar_scheduler_out){.tick = !(s->in.cycle & (s->cfg.divisor - 1))};
    s->out.valid = s->out.tick && s->in.ready;
    if (s->out.valid) s->out.thread = (uint32_t)__builtin_ctzll(later ? later : s->in.ready);
    s->d.last = s->out.valid ? s->out.thread : s->q.last;
}

void scalar_scheduler_clock(struct scalar_scheduler *s) {
    s->q = s->d;
}

/* round_robin, loose: the first ready-to-run warp after the one picked last. A warp that stays ready waits
 * for at most warps − 1 picks of others. */
#include "model/control/warp_scheduler.h"

static void reset(struct warp_scheduler *s) {
    s->q.round_robin.last = s->cfg.warps - 1; /* warp 0 is first in turn */
}

static void clock(struct warp_scheduler *s) {
    s->q.round_robin = s->d.round_robin;
}

const struct scheduler_policy scheduler_policy_round_robin = {
    .doc = "the next in turn",
    .code = 0,
    .reset = reset,
    .eval = round_robin_scheduler_eval,
    .clock = clock,
};

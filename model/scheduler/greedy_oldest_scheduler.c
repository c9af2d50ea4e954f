/* greedy_oldest: the warp picked last while it is ready-to-run, else the oldest ready-to-run warp. Warps of a
 * work-group start in the order of their numbers: the lowest-numbered is the oldest. The cost is a fixed
 * priority and the number of the last warp. A warp may wait for ever behind older ones. */
#include "model/control/warp_scheduler.h"

static void eval(struct warp_scheduler *s) {
    const warp_set same = s->in.ready & warp_bit(s->q.greedy_oldest.last);
    warp_scheduler_grant(s, same ? same : warp_scheduler_first(s->in.ready));
    s->d.greedy_oldest.last = s->out.valid ? s->out.warp : s->q.greedy_oldest.last;
}

static void clock(struct warp_scheduler *s) {
    s->q.greedy_oldest = s->d.greedy_oldest;
}

const struct scheduler_policy scheduler_policy_greedy_oldest = {
    .doc = "the last one again, else the oldest",
    .code = 1,
    .eval = eval,
    .clock = clock,
};

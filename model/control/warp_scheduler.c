#include "model/control/greedy_oldest_scheduler.h"
#include "model/control/two_level_scheduler.h"

#include "sim/error.h"

void warp_scheduler_init(struct warp_scheduler *s, enum scheduler_policy policy, unsigned warps,
                         unsigned active_warps) {
    invariant(warps >= 1 && warps <= TDT_MAX_WARPS, "warp scheduler of %u warps", warps);
    invariant(active_warps >= 1, "warp scheduler of no active warp");
    *s = (struct warp_scheduler){.cfg = {policy, warps, active_warps < warps ? active_warps : warps}};
    switch (policy) { /* warp 0 is first in turn */
    case SCHEDULER_ROUND_ROBIN: s->q.round_robin.last = warps - 1; break;
    case SCHEDULER_GREEDY_OLDEST: break;
    case SCHEDULER_TWO_LEVEL: s->q.two_level.last = s->q.two_level.entered = warps - 1; break;
    }
    s->d = s->q;
}

void warp_scheduler_eval(struct warp_scheduler *s) {
    switch (s->cfg.policy) {
    case SCHEDULER_ROUND_ROBIN: round_robin_scheduler_eval(s); break;
    case SCHEDULER_GREEDY_OLDEST: greedy_oldest_scheduler_eval(s); break;
    case SCHEDULER_TWO_LEVEL: two_level_scheduler_eval(s); break;
    }
}

void warp_scheduler_clock(struct warp_scheduler *s) {
    switch (s->cfg.policy) { /* not the whole union: its load would wait for the store of a part */
    case SCHEDULER_ROUND_ROBIN: s->q.round_robin = s->d.round_robin; break;
    case SCHEDULER_GREEDY_OLDEST: s->q.greedy_oldest = s->d.greedy_oldest; break;
    case SCHEDULER_TWO_LEVEL: s->q.two_level = s->d.two_level; break;
    }
}

#include "model/control/warp_scheduler.h"

#include "sim/error.h"

void warp_scheduler_init(struct warp_scheduler *s, const struct scheduler_policy *policy, unsigned warps,
                         unsigned active_warps) {
    invariant(warps >= 1 && warps <= TDT_MAX_WARPS, "warp scheduler of %u warps", warps);
    invariant(active_warps >= 1, "warp scheduler of no active warp");
    *s = (struct warp_scheduler){.cfg = {policy, warps, active_warps < warps ? active_warps : warps, {0}}};
    if (policy->reset) policy->reset(s);
    s->d = s->q;
}

void warp_scheduler_init_of(struct warp_scheduler *s, const struct machine_config *c, unsigned warps) {
    const struct scheduler_policy *policy = scheduler_policies[c->simt.scheduler];
    warp_scheduler_init(s, policy, warps, c->simt.active_warps);
    if (policy->configure) policy->configure(s, c);
}

void warp_scheduler_eval(struct warp_scheduler *s) {
    s->cfg.policy->eval(s);
}

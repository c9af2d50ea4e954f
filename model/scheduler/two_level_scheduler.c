/* two_level: of `active_warps` active warps the first ready-to-run one after the one picked last. The others
 * are pending and are not picked. An active warp leaves when it stalls (`stalled_i`: it waits for memory or
 * at a barrier, or has ended). Where there is room, one pending warp that is not stalled enters in a cycle,
 * the first after the one that entered last. So a cycle may be lost while only pending warps are ready. */
#include "model/control/warp_scheduler.h"

static void reset(struct warp_scheduler *s) {
    s->q.two_level.last = s->q.two_level.entered = s->cfg.warps - 1; /* warp 0 is first in turn */
}

static void eval(struct warp_scheduler *s) {
    const struct two_level_scheduler_state *q = &s->q.two_level;
    struct two_level_scheduler_state *d = &s->d.two_level;
    const warp_set all = warp_set_all(s->cfg.warps);
    const warp_set stay = q->active & ~s->in.stalled, pending = all & ~q->active & ~s->in.stalled;
    const bool room = warp_set_count(stay) < s->cfg.active_warps;
    const warp_set enter = room ? warp_scheduler_first_after(pending, q->entered) : 0;
    warp_scheduler_grant(s, warp_scheduler_first_after(s->in.ready & q->active, q->last));
    d->last = s->out.valid ? s->out.warp : q->last;
    d->active = stay | enter;
    d->entered = enter ? warp_set_first(enter) : q->entered;
}

static void clock(struct warp_scheduler *s) {
    s->q.two_level = s->d.two_level;
}

static bool moves(const struct warp_scheduler *s) {
    return s->d.two_level.active != s->q.two_level.active || s->d.two_level.entered != s->q.two_level.entered;
}

const struct scheduler_policy scheduler_policy_two_level = {
    .doc = "the next in turn of a few active ones (simt.active_warps)",
    .code = 2,
    .reset = reset,
    .eval = eval,
    .clock = clock,
    .moves = moves,
};

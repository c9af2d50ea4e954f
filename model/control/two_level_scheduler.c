#include "model/control/two_level_scheduler.h"

void two_level_scheduler_eval(struct warp_scheduler *s) {
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

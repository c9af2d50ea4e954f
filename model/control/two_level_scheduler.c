#include "model/control/two_level_scheduler.h"

void two_level_scheduler_eval(struct warp_scheduler *s) {
    const struct two_level_scheduler_state *q = &s->q.two_level;
    struct two_level_scheduler_state *d = &s->d.two_level;
    const uint64_t all = ~0ull >> (64 - s->cfg.warps);
    const uint64_t stay = q->active & ~s->in.stalled, pending = all & ~q->active & ~s->in.stalled;
    const bool room = (unsigned)__builtin_popcountll(stay) < s->cfg.active_warps;
    const uint64_t enter = room ? warp_scheduler_first_after(pending, q->entered) : 0;
    warp_scheduler_grant(s, warp_scheduler_first_after(s->in.ready & q->active, q->last));
    d->last = s->out.valid ? s->out.warp : q->last;
    d->active = stay | enter;
    d->entered = enter ? (unsigned)__builtin_ctzll(enter) : q->entered;
}

#include "model/control/greedy_oldest_scheduler.h"

void greedy_oldest_scheduler_eval(struct warp_scheduler *s) {
    const warp_set same = s->in.ready & warp_bit(s->q.greedy_oldest.last);
    warp_scheduler_grant(s, same ? same : warp_scheduler_first(s->in.ready));
    s->d.greedy_oldest.last = s->out.valid ? s->out.warp : s->q.greedy_oldest.last;
}

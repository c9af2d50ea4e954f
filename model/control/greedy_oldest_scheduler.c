#include "model/control/greedy_oldest_scheduler.h"

void greedy_oldest_scheduler_eval(struct warp_scheduler *s) {
    const uint64_t same = s->in.ready & 1ull << s->q.greedy_oldest.last;
    warp_scheduler_grant(s, same ? same : warp_scheduler_first(s->in.ready));
    s->d.greedy_oldest.last = s->out.valid ? s->out.warp : s->q.greedy_oldest.last;
}

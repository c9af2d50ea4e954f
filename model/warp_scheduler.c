#include "model/warp_scheduler.h"

#include "sim/error.h"

void warp_scheduler_init(struct warp_scheduler *s, unsigned warps) {
    invariant(warps >= 1 && warps <= 64, "warp scheduler of %u warps", warps);
    *s = (struct warp_scheduler){.cfg.warps = warps};
    s->q.last = s->d.last = warps - 1; /* warp 0 is first */
}

void warp_scheduler_eval(struct warp_scheduler *s) {
    const uint64_t after = s->in.ready & ~((2ull << s->q.last) - 1);
    const uint64_t from = after ? after : s->in.ready;
    s->out.valid = s->in.take && from != 0;
    s->out.warp = s->out.valid ? (unsigned)__builtin_ctzll(from) : 0;
    s->out.grant = s->out.valid ? 1ull << s->out.warp : 0;
    s->d.last = s->out.valid ? s->out.warp : s->q.last;
}

void warp_scheduler_clock(struct warp_scheduler *s) {
    s->q = s->d;
}

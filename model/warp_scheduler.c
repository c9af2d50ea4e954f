#include "model/warp_scheduler.h"

#include "sim/error.h"

void warp_scheduler_init(struct warp_scheduler *s, enum scheduler_policy policy, unsigned warps,
                         unsigned active_warps) {
    invariant(warps >= 1 && warps <= 64, "warp scheduler of %u warps", warps);
    invariant(active_warps >= 1, "warp scheduler of no active warp");
    *s = (struct warp_scheduler){.cfg = {policy, warps, active_warps < warps ? active_warps : warps}};
    switch (policy) { /* warp 0 is first */
    case SCHEDULER_ROUND_ROBIN: s->q.round_robin.last = warps - 1; break;
    case SCHEDULER_GREEDY_OLDEST: break;
    case SCHEDULER_TWO_LEVEL: s->q.two_level.last = s->q.two_level.entered = warps - 1; break;
    }
    s->d = s->q;
}

static uint64_t first_of(uint64_t warps) {
    return warps & -warps;
}

/* In turn: the first after warp `last`, round the end. */
static uint64_t first_after(uint64_t warps, unsigned last) {
    const uint64_t after = warps & ~((2ull << last) - 1);
    return first_of(after ? after : warps);
}

static void grant(struct warp_scheduler *s, uint64_t choice) {
    s->out.valid = s->in.take && choice != 0;
    s->out.warp = s->out.valid ? (unsigned)__builtin_ctzll(choice) : 0;
    s->out.grant = s->out.valid ? choice : 0;
}

static void eval_round_robin(struct warp_scheduler *s) {
    grant(s, first_after(s->in.ready, s->q.round_robin.last));
    s->d.round_robin.last = s->out.valid ? s->out.warp : s->q.round_robin.last;
}

static void eval_greedy_oldest(struct warp_scheduler *s) {
    const uint64_t same = s->in.ready & 1ull << s->q.greedy_oldest.last;
    grant(s, same ? same : first_of(s->in.ready));
    s->d.greedy_oldest.last = s->out.valid ? s->out.warp : s->q.greedy_oldest.last;
}

static void eval_two_level(struct warp_scheduler *s) {
    const struct two_level_scheduler_state *q = &s->q.two_level;
    struct two_level_scheduler_state *d = &s->d.two_level;
    const uint64_t all = ~0ull >> (64 - s->cfg.warps);
    const uint64_t stay = q->active & ~s->in.stalled, pending = all & ~q->active & ~s->in.stalled;
    const bool room = (unsigned)__builtin_popcountll(stay) < s->cfg.active_warps;
    const uint64_t enter = room ? first_after(pending, q->entered) : 0;
    grant(s, first_after(s->in.ready & q->active, q->last));
    d->last = s->out.valid ? s->out.warp : q->last;
    d->active = stay | enter;
    d->entered = enter ? (unsigned)__builtin_ctzll(enter) : q->entered;
}

void warp_scheduler_eval(struct warp_scheduler *s) {
    switch (s->cfg.policy) {
    case SCHEDULER_ROUND_ROBIN: eval_round_robin(s); break;
    case SCHEDULER_GREEDY_OLDEST: eval_greedy_oldest(s); break;
    case SCHEDULER_TWO_LEVEL: eval_two_level(s); break;
    }
}

void warp_scheduler_clock(struct warp_scheduler *s) {
    s->q = s->d;
}

/* pipelined: round robin in two cycles. In the first, a ready-to-run warp is chosen: the first after the one
 * chosen last. In the second, it is picked if it is still ready to run; at the same time, the next is chosen.
 * So the choice has a whole cycle. A ready warp waits for at least one cycle, and at most for warps − 1 picks
 * of others. None is picked in two cycles in a row. */
#include "model/control/warp_scheduler.h"

static void reset(struct warp_scheduler *s) {
    s->q.pipelined.last = s->cfg.warps - 1; /* warp 0 is first in turn */
}

static void eval(struct warp_scheduler *s) {
    const struct pipelined_scheduler_state *q = &s->q.pipelined;
    const warp_set waiting = q->pending ? warp_bit(q->last) : 0;
    const bool held = (s->in.ready & waiting) && !s->in.take;
    const warp_set choice = held ? waiting : warp_scheduler_first_after(s->in.ready & ~waiting, q->last);
    warp_scheduler_grant(s, s->in.ready & waiting);
    s->d.pipelined.pending = choice != 0;
    s->d.pipelined.last = choice ? warp_set_first(choice) : q->last;
}

static void clock(struct warp_scheduler *s) {
    s->q.pipelined = s->d.pipelined;
}

static bool moves(const struct warp_scheduler *s) {
    return s->d.pipelined.pending != s->q.pipelined.pending || s->d.pipelined.last != s->q.pipelined.last;
}

const struct scheduler_policy scheduler_policy_pipelined = {
    .doc = "the next in turn, a cycle after it was chosen",
    .code = 3,
    .reset = reset,
    .eval = eval,
    .clock = clock,
    .moves = moves,
};

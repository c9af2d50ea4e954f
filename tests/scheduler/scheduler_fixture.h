/* scheduler_fixture: a scheduler of any policy, a cycle of it, and the definition of round robin, one warp at
 * a time. */
#ifndef TESTS_SCHEDULER_SCHEDULER_FIXTURE_H
#define TESTS_SCHEDULER_SCHEDULER_FIXTURE_H

#include "model/control/warp_scheduler.h"
#include "tests/panic.h"
#include "tests/seed.h"

static struct warp_scheduler scheduler;

/* Steps one cycle. Returns the picked warp, −1 if none. */
static inline int cycle(warp_set ready, bool take) {
    scheduler.in.ready = ready;
    scheduler.in.take = take;
    warp_scheduler_eval(&scheduler);
    const int warp = scheduler.out.valid ? (int)scheduler.out.warp : -1;
    assert_true(scheduler.out.grant == (warp < 0 ? 0 : warp_bit((unsigned)warp)));
    warp_scheduler_clock(&scheduler);
    return warp;
}

/* The definition, a warp at a time. */
static inline int naive_pick(unsigned warps, unsigned last, warp_set ready, bool take) {
    for (unsigned n = 1; take && n <= warps; ++n)
        if (ready >> (last + n) % warps & 1) return (int)((last + n) % warps);
    return -1;
}

#endif

/*
 * warp_scheduler: picks the warp whose instruction is fetched next (dual-mode §3.3; timing.md §S).
 *
 * A warp is ready-to-run when at least one of its threads is Ready, none is in Execution, and it is not
 * already in the front end. At most one pick a cycle, when `take_i` says that the front end can take a warp.
 * Policies (simt.scheduler):
 *
 * - round_robin, loose: the first ready-to-run warp after the one picked last. A warp that stays ready waits
 *   for
 *   at most warps − 1 picks of others.
 * - greedy_oldest: the warp picked last while it is ready-to-run, else the oldest ready-to-run. Warps of a
 *   work-group start in the order of their numbers: the lowest-numbered is the oldest. That costs a fixed
 *   priority and the number of the last warp; and a warp may wait for ever behind older ones.
 * - two_level: of `active_warps` active ones the first ready-to-run after the one picked last; the others are
 *   pending and are not picked. An active warp leaves when it stalls (`stalled_i`: it waits for memory or at
 *   a barrier, or has ended); where there is room, one pending warp that is not stalled comes in a cycle, the
 *   first after the one that came last. So a cycle may be lost while only pending warps are ready.
 */
#ifndef MODEL_CONTROL_WARP_SCHEDULER_H
#define MODEL_CONTROL_WARP_SCHEDULER_H

#include "generated/greedy_oldest_scheduler_ports.h"
#include "generated/two_level_scheduler_ports.h"
#include "generated/warp_scheduler_ports.h"
#include "model/config/machine_config.h"
#include "model/control/warp_set.h"

/* Ports and flip-flops are described in rtl/: warp_scheduler.sv (round robin; all policies have its ports),
 * greedy_oldest_scheduler.sv, two_level_scheduler.sv. */
union warp_scheduler_states {
    struct warp_scheduler_state round_robin;
    struct greedy_oldest_scheduler_state greedy_oldest;
    struct two_level_scheduler_state two_level;
};

/* --- parameters, ports and flip-flops --- */

struct warp_scheduler {
    struct {
        enum scheduler_policy policy;
        unsigned warps;        /* 1–128 */
        unsigned active_warps; /* two_level only: 1 to `warps` */
    } cfg;
    struct warp_scheduler_in in;
    struct warp_scheduler_out out;
    union warp_scheduler_states q, d;
};

/* --- functions --- */

/* `active_warps` is clamped to `warps`. */
void warp_scheduler_init(struct warp_scheduler *s, enum scheduler_policy policy, unsigned warps,
                         unsigned active_warps);
void warp_scheduler_eval(struct warp_scheduler *s);  /* in, q → out, d */
void warp_scheduler_clock(struct warp_scheduler *s); /* d → q: the edge */

/* Returns, after an evaluation, whether the next cycle can have other outputs with the same inputs. */
static inline bool warp_scheduler_moves(const struct warp_scheduler *s) {
    return s->cfg.policy == SCHEDULER_TWO_LEVEL && (s->d.two_level.active != s->q.two_level.active ||
                                                    s->d.two_level.entered != s->q.two_level.entered);
}

/* --- for the policies --- */

/* Set operations: the lowest-numbered of some warps; the first after warp `last`, cyclically; grants a warp
 * (a mask, 0: none) if the front end takes one. */

static inline warp_set warp_scheduler_first(warp_set warps) {
    return warps & -warps;
}

static inline warp_set warp_scheduler_first_after(warp_set warps, unsigned last) {
    if (__builtin_expect(!(warps >> 64) && last < 64, 1)) { /* fast path: all warps in one word */
        const uint64_t few = (uint64_t)warps, later = few & ~((UINT64_C(2) << last) - 1);
        return later ? later & -later : few & -few;
    }
    const warp_set after = warps & ~(((warp_set)2 << last) - 1);
    return warp_scheduler_first(after ? after : warps);
}

static inline void warp_scheduler_grant(struct warp_scheduler *s, warp_set choice) {
    s->out.valid = s->in.take && choice != 0;
    s->out.warp = s->out.valid ? warp_set_first(choice) : 0;
    s->out.grant = s->out.valid ? choice : 0;
}

static inline void round_robin_scheduler_eval(struct warp_scheduler *s) {
    warp_scheduler_grant(s, warp_scheduler_first_after(s->in.ready, s->q.round_robin.last));
    s->d.round_robin.last = s->out.valid ? s->out.warp : s->q.round_robin.last;
}

/* Makes a cycle: evaluation and edge. Returns whether the next cycle can have other outputs with the
 * same inputs. */
static inline bool warp_scheduler_step(struct warp_scheduler *s) {
    if (__builtin_expect(s->cfg.policy == SCHEDULER_ROUND_ROBIN, 1)) {
        round_robin_scheduler_eval(s);
        s->q.round_robin = s->d.round_robin;
        return false;
    }
    warp_scheduler_eval(s);
    const bool moves = warp_scheduler_moves(s);
    warp_scheduler_clock(s);
    return moves;
}

#endif

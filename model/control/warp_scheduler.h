/*
 * warp_scheduler: picks the warp whose instruction is fetched next (dual-mode §3.3; timing.md §S).
 *
 * A warp is ready-to-run when at least one of its threads is Ready, none is in Execution, and it is not
 * already in the front end. At most one pick a cycle, when `take_i` says that the front end can take a warp.
 * The policies are the files of model/scheduler/ (model/config/scheduler_policy.h).
 */
#ifndef MODEL_CONTROL_WARP_SCHEDULER_H
#define MODEL_CONTROL_WARP_SCHEDULER_H

#include "generated/scheduler_twins.h"
#include "generated/warp_scheduler_ports.h"
#include "model/config/machine_config.h"
#include "model/config/scheduler_policy.h"
#include "model/control/warp_set.h"

/* Ports and flip-flops are described in rtl/: warp_scheduler.sv (round robin; all policies have its ports),
 * and NAME_scheduler.sv for each other policy that has Verilog (SCHEDULER_TWINS). */
#define STATE(name, upper) struct name##_scheduler_state name;
union warp_scheduler_states {
    struct warp_scheduler_state round_robin;
    SCHEDULER_TWINS(STATE)
    uint64_t own[4]; /* state of a policy without Verilog */
};
#undef STATE

#define ROW(name, upper) extern const struct scheduler_policy scheduler_policy_##name;
SCHEDULER_TWINS(ROW)
#undef ROW

/* --- parameters, ports and flip-flops --- */

struct warp_scheduler {
    struct {
        const struct scheduler_policy *policy;
        unsigned warps;        /* 1–128 */
        unsigned active_warps; /* simt.active_warps: 1 to `warps` */
        uint32_t own[4];       /* own parameters of a policy, from its configure() */
    } cfg;
    struct warp_scheduler_in in;
    struct warp_scheduler_out out;
    union warp_scheduler_states q, d;
};

/* --- functions --- */

/* `active_warps` is clamped to `warps`. */
void warp_scheduler_init(struct warp_scheduler *s, const struct scheduler_policy *policy, unsigned warps,
                         unsigned active_warps);

/* Initializes the scheduler of a machine. */
void warp_scheduler_init_of(struct warp_scheduler *s, const struct machine_config *c, unsigned warps);

void warp_scheduler_eval(struct warp_scheduler *s);                 /* in, q → out, d */
static inline void warp_scheduler_clock(struct warp_scheduler *s) { /* d → q: the edge */
    s->cfg.policy->clock(s);
}

/* Returns, after an evaluation, whether the next cycle can have other outputs with the same inputs. */
static inline bool warp_scheduler_moves(const struct warp_scheduler *s) {
    return s->cfg.policy->moves && s->cfg.policy->moves(s);
}

/* --- for the policies --- */

/* Operations on sets of warps, each a mask. Return the lowest-numbered warp; the first warp after `last`,
 * cyclically. Grant the warp in a mask (0: none) if the front end takes one. */

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
    if (__builtin_expect(s->cfg.policy == &scheduler_policy_round_robin, 1)) {
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

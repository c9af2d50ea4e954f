/* Stays in SIMT mode, and a cluster's turns in them: computed ahead, or stepped by the unit. */
#include "model/fast/parts.h"

#define STEPS_TOGETHER 64 /* steps between two checks of the interrupt flag */

/* --- a stay --- */

/* Returns whether this pipeline can run the stay: a base machine, and no observer needs single cycles from
 * cycle t on. */
static bool serves(const struct fast *p, uint64_t t) {
    const struct cluster *c = p->cluster;
    const struct machine_config *config = c->config;
    const bool base = !unit_has_stacks(c->unit) && !c->unit->regrouped &&
                      config->simt.mitigation == MITIGATION_NONE && !config->uniform.storage &&
                      !config->simt.multi_issue && !scheduler_policies[config->simt.scheduler]->moves &&
                      c->warps <= 64;
    return base && !p->off && !c->exact && !c->twins && !c->fault && !c->redundancy &&
           !(c->debugger && c->uncore->several) && t < c->trace_first;
}

/* Records that SIMT mode begins in cycle t. */
static void record_start(struct cluster *c, uint64_t t) {
    recorder_mode(c->recorder, t + 1, CLUSTER_SIMT);
    for (unsigned w = 0; w < c->warps; ++w) {
        const uint64_t live = tdt_live(&c->descriptors.warp[w]);
        if (live) recorder_event(c->recorder, RECORD_START, t + 1, w, live, c->launch->thunk);
    }
}

void cluster_set_watched(struct cluster *c) {
    c->watched = c->twins || c->fault || c->redundancy || c->profile || c->executions || c->checks ||
                 c->spin || c->observer || recorder_wants_accesses(c->recorder);
}

void cluster_simt_begin(struct cluster *c, uint64_t t) {
    struct fast *p = &c->fast;
    c->mode = CLUSTER_SIMT;
    if (!c->twins) cluster_rest_scheduler(c, t);
    c->simt_first = t;
    c->left_warp = CLUSTER_NONE;
    c->address_cycle = CLUSTER_NEVER;
    c->barrier_release = CLUSTER_NEVER;
    c->barriers.in.start = true;
    c->barriers.in.start_live = c->live;
    cluster_set_watched(c);
    if (c->recorder) record_start(c, t);
    p->on = serves(p, t);
    if (!p->on) {
        unit_begin(c->unit, t);
        return;
    }
    fast_begin(p, t);
    for (unsigned w = 0; w < p->warps; ++w)
        fast_update_ready(p, w, t, MACHINE_CAUSE_FRONT_END, c->launch->thunk);
}

void cluster_simt_end(struct cluster *c, uint32_t pc, uint64_t free, uint64_t t) {
    const uint64_t end = t + 1;
    simt_charge(&c->simt, MACHINE_CAUSE_LATENCY, pc, end - free);
    c->mode = CLUSTER_LEAVE;
    if (c->recorder) {
        recorder_mode(c->recorder, end, CLUSTER_LEAVE);
        recorder_event(c->recorder, RECORD_GROUP_END, end, 0, 0, 0);
    }
    c->simt_cycles += end - c->simt_first;
    cluster_stop_twins(c);
    c->resume = end + c->config->simt.leave_cycles - 1;
    c->cause[MACHINE_CAUSE_MODE_SWITCH] += c->resume - end;
}

enum machine_cause cluster_lanes_cause(const struct cluster *c, uint64_t t, uint32_t *pc) {
    const struct fast *p = &c->fast;
    if (!p->on) return unit_lanes_cause(c->unit, t, pc);
    const struct fast_flight *f = &p->flight[p->shown_x_flight];
    *pc = f->pc;
    if (fast_flight_accesses_memory(f)) return t < p->x_refused ? MACHINE_CAUSE_MSHR : MACHINE_CAUSE_OCCUPIED;
    return (t - f->x) % fast_occupancy(p, f) ? MACHINE_CAUSE_OCCUPIED : MACHINE_CAUSE_EXECUTE;
}

uint64_t cluster_committed(const struct cluster *c) {
    return c->fast.on ? c->fast.committed : c->unit->committed;
}

/* --- cycles --- */

/* Returns whether no pending event can make a warp ready. */
static bool is_stuck(const struct fast *p) {
    return !p->ready_to_run && p->selected == p->started && p->x_flight == FAST_NONE && !p->landing_count &&
           p->cluster->barrier_release == FAST_NEVER;
}

/* Returns the next cycle with work after cycle t has been stepped. */
static uint64_t due_after(const struct fast *p, uint64_t t) {
    if (p->x_flight != FAST_NONE && p->x_due <= t) return p->x_due; /* beats wait for the cluster's turn */
    uint64_t next = fast_next_due(p, fast_hand_over_due(p));
    earlier(&next, p->committed + p->cluster->livelock_cycles);
    return next > t ? next : t + 1;
}

/* Ends the stay: the last thread has exited, and the lanes are free at the end of cycle t. The exit was the
 * instruction whose rounds started last. */
static uint64_t end_stay(struct fast *p, uint64_t t) {
    struct cluster *c = p->cluster;
    cluster_simt_end(c, p->flight[p->shown_x_flight].pc, p->x_free, t);
    return cluster_skip_to(c, t, c->resume);
}

/* Does the work from cycle t on. Returns the next cycle with work. */
static uint64_t step(struct fast *p, uint64_t t) {
    struct cluster *c = p->cluster;
    c->asks = t;
    t = c->watched ? fast_run(p, t) : c->recorder ? fast_run_recorded(p, t) : fast_run_plain(p, t);
    c->now = t;
    if (__builtin_expect(c->error->status != EXIT_SOUND, 0)) return CLUSTER_NEVER;
    if (__builtin_expect(!c->live, 0)) return t + 1 < p->x_free ? t + 1 : end_stay(p, t);
    if (__builtin_expect(c->fetch_waits, 0)) return t;
    if (__builtin_expect(t - p->committed >= c->livelock_cycles, 0)) {
        cluster_diagnose_livelock(c, t);
        return CLUSTER_NEVER;
    }
    if (__builtin_expect(!p->landing_count, 0) && is_stuck(p)) {
        if (p->stuck) {
            cluster_diagnose_deadlock(c, t);
            return CLUSTER_NEVER;
        }
        p->stuck = true;
        return t + 1;
    }
    return due_after(p, t);
}

/* Makes postponed beats and counts events before cycle `end`, after cycle t has been stepped and if no other
 * work is due before `end`. Returns the next cycle with work, which may now be before `end`. */
static uint64_t settle(struct fast *p, uint64_t t, uint64_t end, uint64_t next) {
    if (p->x_flight != FAST_NONE && p->x_next < end) {
        fast_flush(p, end - 1);
        next = fast_next_due(p, fast_hand_over_due(p));
        if (next <= t) next = t + 1;
        if (next < end) return next;
    }
    fast_catch_up(p, end - 1);
    fast_catch_up_decode(p, end - 1);
    return next;
}

void cluster_catch_up(struct cluster *c, uint64_t end) {
    if (c->mode != CLUSTER_SIMT) return;
    if (!c->fast.on)
        unit_catch_up(c->unit, end);
    else if (c->now < end)
        settle(&c->fast, c->now, end, end);
}

/* --- of several clusters --- */

void cluster_is_asked(void *cluster, uint32_t line) {
    fast_is_asked(&((struct cluster *)cluster)->fast, line);
}

uint64_t cluster_late(const struct cluster *c) {
    return c->fast.x_due;
}

/* Makes the beats of earlier cycles, of a cluster that was asked for a line. Returns false if another
 * cluster's turn comes first. */
static bool make_late_beats(struct cluster *c) {
    struct fast *p = &c->fast;
    while (p->x_flight != FAST_NONE && p->x_due <= c->now) {
        if (p->x_due >= c->until) return false;
        c->asks = p->x_due;
        fast_flush(p, p->x_due);
    }
    return true;
}

/* Takes a turn with postponed work of cycles that have already been stepped. Returns the next cycle with
 * work. */
static uint64_t step_late(struct cluster *c) {
    if (!make_late_beats(c)) return c->fast.x_due;
    if (!c->fetch_waits) return cluster_skip_to(c, c->now, due_after(&c->fast, c->now));
    if (c->now >= c->until) return c->now;
    c->asks = c->now;
    fast_fetch_in_turn(&c->fast, c->now + 1);
    return c->now + 1;
}

/* --- a turn --- */

uint64_t cluster_simt_step(struct cluster *c, uint64_t t) {
    struct fast *p = &c->fast;
    if (!p->on) return unit_simt_step(c->unit, t);
    c->ahead = false;
    if (t <= c->now && (c->fetch_waits || p->x_flight != FAST_NONE)) return step_late(c);
    if (!cluster_skips(c, t)) {
        fast_leave(p, t);
        return unit_simt_step(c->unit, t);
    }
    earlier(&c->until, c->trace_first);
    const uint64_t until = c->until;
    uint64_t next = step(p, t);
    t = c->now;
    for (unsigned n = 1; c->mode == CLUSTER_SIMT && next != CLUSTER_NEVER && !c->fetch_waits; ++n) {
        if (!c->uncore->several && next >= until && t < until) next = settle(p, t, until, next);
        if (n == STEPS_TOGETHER || !fast_may_step(p, next)) break;
        next = step(p, next);
        t = c->now;
    }
    return next == CLUSTER_NEVER || c->mode != CLUSTER_SIMT ? next : cluster_skip_to(c, t, next);
}

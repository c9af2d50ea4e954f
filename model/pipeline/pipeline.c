/* A cycle of the SIMT pipeline, and which one has something to do next. */
#include "model/cluster/cluster_fault.h"
#include "model/pipeline/pipeline.h"

#define STEPS_TOGETHER  64   /* before the machine looks at the world outside; */
#define VISITS_TOGETHER 1024 /* cycles of such a step that are visited */

void cluster_simt_begin(struct cluster *c, uint64_t t) {
    struct path *p = &c->path;
    c->mode = CLUSTER_SIMT;
    c->stepped = c->exact || c->twins || p->alternate;
    if (!c->twins) path_rest_scheduler(p, t);
    c->simt_first = t;
    path_begin(p, t);
    c->left_warp = PATH_NONE;
    c->address_cycle = FLIGHT_NEVER;
    c->fetch_waits = false;
    c->barrier_release = FLIGHT_NEVER;
    c->barriers.in.start = true;
    c->barriers.in.start_live = c->live;
    for (unsigned w = 0; w < c->warps; ++w)
        cluster_update_ready(c, w, t, MACHINE_CAUSE_FRONT_END, c->launch->thunk);
    if (c->uniform.on) cluster_uniform_begin(c, t);
    if (c->redundancy) redundancy_start(c->redundancy, cluster_live_warps(c));
}

/* The last thread has exited, and the lanes are free at the end of cycle t. The instruction that started
 * rounds last was its exit. */
static uint64_t leave_simt(struct cluster *c, uint64_t t) {
    const struct path *p = &c->path;
    const uint64_t end = t + 1;
    cluster_charge(c, MACHINE_CAUSE_LATENCY, p->flight[p->shown_x_flight].pc, end - p->x_free);
    c->mode = CLUSTER_LEAVE;
    c->simt_cycles += t + 1 - c->simt_first;
    cluster_stop_twins(c);
    c->resume = end + c->config->simt.leave_cycles - 1;
    c->cause[MACHINE_CAUSE_MODE_SWITCH] += c->resume - end;
    return cluster_skip_to(c, t, c->resume);
}

/* Every decision as the blocks take it. */
static void step_clocked(struct path *p, uint64_t t) {
    struct cluster *c = p->cluster;
    path_clock_write_back(p, t);
    if (p->mixed) alternate_write(p, t);
    if (t >= p->held_next) path_make_held(p, t);
    path_clock_lanes(p, t);
    path_clock_collector(p, t);
    path_clock_front(p, t);
    if (c->uniform.on) cluster_uniform_step(c, t);
    path_clock_commit(p, t);
    if (p->mixed) alternate_commit(p, t);
    path_step_barriers(p, t);
    path_locate_operand(p, t);
    if (cluster_notes_descriptors(c)) cluster_whole_cycle(c, t);
}

/* What is due in cycle t; all before is done. */
static inline void step_due(struct path *p, uint64_t t) {
    struct cluster *c = p->cluster;
    if (t >= p->landed) path_write_back(p, t);
    if (t >= p->held_next) {
        path_flush(p, t - 1);
        path_make_held(p, t);
    }
    if (p->x_flight != PATH_NONE) {
        if (t >= p->x_due || c->shows) path_flush(p, t);
    } else if (t >= path_rounds_due(p)) {
        path_start_rounds(p, t);
        if (p->x_flight != PATH_NONE && (t >= p->x_due || c->shows)) path_flush(p, t);
    }
    path_catch_up(p, t);
    if (t >= path_front_due(p)) {
        path_hand_over(p, t);
    } else {
        p->scheduler.in.take = false;
        p->scheduler.out.valid = false;
        p->scheduler.out.grant = 0;
        p->arbiter.in.ready = 0;
    }
    path_catch_up_decode(p, t);
    if (c->uniform.on) cluster_uniform_step(c, t);
    if (t >= p->landed) path_commit_landed(p, t);
    if (barrier_table_active(&c->barriers)) path_step_barriers(p, t);
}

/* The next cycle in which something is due. */
static inline uint64_t next_due(const struct path *p, uint64_t front) {
    uint64_t next = path_rounds_due(p);
    earlier(&next, front);
    earlier(&next, p->landed);
    earlier(&next, p->held_next);
    earlier(&next, p->cluster->barrier_release);
    return next;
}

/* Are the beats that are due of a kind that nobody else sees: words in TPMs, or hits of what no other cluster
 * can change? */
static inline bool beats_alone(const struct path *p) {
    return p->x_in_tpm || (p->x_own && p->x_due < p->hits_end);
}

/* Does the step of cycle t touch nothing that clusters share, unless it finds that it must fetch past the L1I
 * (then that waits for its turn)? */
static bool steps_alone(struct path *p, uint64_t t) {
    if (t >= p->held_next) return false;
    if (p->x_flight != PATH_NONE) return t < p->x_due || beats_alone(p);
    if (t < path_rounds_due(p)) return true; /* no rounds start */
    struct flight *f = path_flight(p, p->started);
    return f->i && (!f->i->access_count || (p->cluster->alone && path_execute_own(p, f)));
}

/* May the cluster step cycle t now? Another one's turn may come before: a cluster is ahead of others by steps
 * that nobody else sees. */
static inline bool may_step(struct cluster *c, uint64_t t) {
    c->ahead = t >= c->until;
    return __builtin_expect(!c->ahead, 1) || (t < c->far && steps_alone(&c->path, t));
}

/* Up to which cycle beats that are due are made. Those in TPMs compete with O and W, and put O off: but what
 * else is due is known, and can only be put off, too. */
static uint64_t beats_until(const struct path *p, uint64_t t) {
    const struct cluster *c = p->cluster;
    if (!p->x_in_tpm) return t;
    uint64_t end = c->ahead ? c->far : c->until;
    earlier(&end, path_hand_over_due(p));
    earlier(&end, p->landed);
    earlier(&end, p->held_next);
    earlier(&end, c->barrier_release);
    earlier(&end, p->committed + c->livelock_cycles);
    return end > t ? end - 1 : t;
}

/* What is due from cycle t on, of the base machine where nobody looks. The last cycle that was stepped: after
 * it something else is due. */
static uint64_t run_alone(struct path *p, uint64_t t) {
    struct cluster *c = p->cluster;
    p->scheduler.out.valid = false;
    if (barrier_table_active(&c->barriers)) {
        step_due(p, t);
        return t;
    }
    uint64_t rounds = path_rounds_due(p), front = path_hand_over_due(p);
    for (unsigned visits = 1;; ++visits) {
        c->asks = t;
        if (__builtin_expect(t >= p->held_next || t == c->barrier_release, 0)) {
            step_due(p, t);
            return t;
        }
        bool written = false;
        if (t >= rounds) {
            if (p->landed <= t) { /* W has its ports before stores to the TPM */
                path_write_back(p, t);
                written = true;
            }
            if (p->x_flight == PATH_NONE) path_start_rounds(p, t);
            if (p->x_flight != PATH_NONE && t >= p->x_due && (!c->ahead || beats_alone(p)))
                path_flush(p, beats_until(p, t));
            if (__builtin_expect(c->error->status != EXIT_SOUND, 0)) return t;
            front = path_hand_over_due(p);
        }
        if (t >= front) path_hand_over(p, t);
        if (t >= p->landed) {
            if (written || !path_commit_one(p, t)) {
                if (!written) path_write_back(p, t);
                path_commit_landed(p, t);
            }
            if (barrier_table_active(&c->barriers)) path_step_barriers(p, t);
            if (__builtin_expect(!c->live || c->error->status != EXIT_SOUND, 0)) return t;
        }
        if (__builtin_expect(c->fetch_waits, 0)) return t;
        rounds = path_rounds_due(p);
        front = path_hand_over_due(p);
        uint64_t next = rounds < front ? rounds : front;
        earlier(&next, p->landed);
        earlier(&next, p->held_next);
        earlier(&next, c->barrier_release);
        if (next <= t) next = t + 1;
        if (!may_step(c, next) || next - p->committed >= c->livelock_cycles || visits == VISITS_TOGETHER)
            return t;
        t = next;
    }
}

/* Nothing is under way that could make a warp ready. */
static bool is_stuck(const struct path *p) {
    return !p->ready_to_run && p->selected == p->started && p->x_flight == PATH_NONE && !p->landing_count &&
           !p->mixed && p->cluster->barrier_release == FLIGHT_NEVER;
}

/* After cycle t has been stepped. */
static uint64_t due_after(const struct cluster *c, uint64_t t) {
    const struct path *p = &c->path;
    if (p->x_flight != PATH_NONE && p->x_due <= t) return p->x_due; /* beats wait for their turn */
    uint64_t next = next_due(p, path_front_due(p));
    if (c->uniform.on && cluster_uniform_due(c)) return t + 1;
    if (__builtin_expect(c->fault != NULL, 0)) earlier(&next, cluster_fault_due(c));
    earlier(&next, p->committed + c->livelock_cycles);
    return next > t ? next : t + 1;
}

/* From cycle t on; the next cycle in which something is due. */
static uint64_t step(struct cluster *c, uint64_t t) {
    struct path *p = &c->path;
    c->asks = t;
    if (__builtin_expect(c->fault != NULL, 0)) cluster_fault_step(c, t);
    if (__builtin_expect(c->stepped, 0))
        step_clocked(p, t);
    else if (c->alone) {
        t = run_alone(p, t);
        p->scheduler.in.take = false; /* it has granted what it could */
    } else {
        step_due(p, t);
    }
    c->now = t;
    if (__builtin_expect(c->error->status != EXIT_SOUND, 0)) return CLUSTER_NEVER;
    if (__builtin_expect(!c->live, 0)) return t + 1 < p->x_free ? t + 1 : leave_simt(c, t);
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
    return due_after(c, t);
}

/* Cycle t has been stepped, and nothing is due before cycle `end`: beats that are put off are made, and what
 * follows from stamps is counted. The next cycle in which something is due, which may be before `end` now. */
static uint64_t settle(struct path *p, uint64_t t, uint64_t end, uint64_t next) {
    if (p->x_flight != PATH_NONE && p->x_next < end) {
        path_flush(p, end - 1);
        next = next_due(p, path_front_due(p));
        if (next <= t) next = t + 1;
        if (next < end) return next;
    }
    path_catch_up(p, end - 1);
    path_catch_up_decode(p, end - 1);
    return next;
}

void cluster_catch_up(struct cluster *c, uint64_t end) {
    if (c->mode == CLUSTER_SIMT && !c->stepped && c->now < end) settle(&c->path, c->now, end, end);
}

/* Beats of cycles before the one stepped last, of a cluster that was asked for a line meanwhile. False:
 * another cluster's turn comes before. */
static bool make_late_beats(struct cluster *c) {
    struct path *p = &c->path;
    while (p->x_flight != PATH_NONE && p->x_due <= c->now) {
        if (p->x_due >= c->until) return false;
        c->asks = p->x_due;
        path_flush(p, p->x_due);
    }
    return true;
}

/* A turn in which not more is to be done than what was to be done in cycles that have been stepped. */
static uint64_t step_late(struct cluster *c) {
    if (!make_late_beats(c)) return c->path.x_due;
    if (!c->fetch_waits) return cluster_skip_to(c, c->now, due_after(c, c->now));
    if (c->now >= c->until) return c->now;
    c->asks = c->now;
    path_fetch_in_turn(&c->path, c->now + 1);
    return c->now + 1;
}

uint64_t cluster_simt_step(struct cluster *c, uint64_t t) {
    struct path *p = &c->path;
    c->ahead = false;
    if (t <= c->now && (c->fetch_waits || p->x_flight != PATH_NONE)) return step_late(c);
    c->shows = c->stepped || !cluster_skips(c, t);
    c->watched = c->twins || c->fault || c->redundancy || c->profile || c->executions;
    if (!c->shows) earlier(&c->until, c->trace_first);
    const uint64_t until = c->until;
    c->alone = !c->shows && !c->fault && !c->uniform.on && p->scheduler.cfg.policy != SCHEDULER_TWO_LEVEL;
    uint64_t next = step(c, t);
    t = c->now;
    if (c->shows) return next == CLUSTER_NEVER || c->mode != CLUSTER_SIMT ? next : t + 1;
    for (unsigned n = 1; c->mode == CLUSTER_SIMT && next != CLUSTER_NEVER && !c->fetch_waits; ++n) {
        if (!c->uncore->several && next >= until && t < until) next = settle(p, t, until, next);
        if (n == STEPS_TOGETHER || !may_step(c, next)) break;
        next = step(c, next);
        t = c->now;
    }
    return next == CLUSTER_NEVER || c->mode != CLUSTER_SIMT ? next : cluster_skip_to(c, t, next);
}

/* A cycle of the SIMT pipeline, and which one has something to do next. */
#include "model/cluster/cluster_fault.h"
#include "model/pipeline/pipeline.h"

#define STEPS_TOGETHER 64 /* before the machine looks at the world outside */

void cluster_is_asked(void *cluster, uint32_t line) {
    path_is_asked(&((struct cluster *)cluster)->path, line);
}

enum machine_cause cluster_lanes_cause(const struct cluster *c, uint64_t t) {
    const struct path *p = &c->path;
    const struct flight *f = &p->flight[p->shown_x_flight];
    if (flight_accesses_memory(f)) return t < p->x_refused ? MACHINE_CAUSE_MSHR : MACHINE_CAUSE_OCCUPIED;
    return (t - f->x) % path_occupancy(p, f) ? MACHINE_CAUSE_OCCUPIED : MACHINE_CAUSE_EXECUTE;
}

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
        path_update_ready(p, w, t, MACHINE_CAUSE_FRONT_END, c->launch->thunk);
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

/* Nothing is under way that could make a warp ready. */
static bool is_stuck(const struct path *p) {
    return !p->ready_to_run && p->selected == p->started && p->x_flight == PATH_NONE && !p->landing_count &&
           !p->mixed && p->cluster->barrier_release == FLIGHT_NEVER;
}

/* After cycle t has been stepped. */
static uint64_t due_after(const struct cluster *c, uint64_t t) {
    const struct path *p = &c->path;
    if (p->x_flight != PATH_NONE && p->x_due <= t) return p->x_due; /* beats wait for their turn */
    uint64_t next = path_next_due(p, path_front_due(p));
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
        t = c->base ? path_run_base(p, t) : path_run(p, t);
        p->scheduler.in.take = false; /* it has granted what it could */
    } else {
        path_step_due(p, t);
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
        next = path_next_due(p, path_front_due(p));
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

/* The descriptors of every warp are as the instance of the base machine has them: the threads of an
 * instruction in flight are together. */
static void gather_pcs(struct path *p) {
    struct thread_descriptor_table *table = &p->cluster->descriptors;
    for (unsigned w = 0; w < p->warps; ++w) {
        const uint64_t threads = table->warp[w].execution;
        if (threads) tdt_gather(table, w, threads, table->warp[w].pc[__builtin_ctzll(threads)]);
    }
    p->loose = true;
}

/* They are as other instances have them. */
static void settle_pcs(struct path *p) {
    struct thread_descriptor_table *table = &p->cluster->descriptors;
    for (unsigned w = 0; w < p->warps; ++w) {
        tdt_settle(table, w);
        table->warp[w].one_pc = false;
    }
    p->loose = false;
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
    c->base = c->alone && !c->watched && c->config->simt.mitigation == MITIGATION_NONE && c->warps <= 64;
    if (c->base && !p->loose)
        gather_pcs(p);
    else if (!c->base && p->loose)
        settle_pcs(p);
    uint64_t next = step(c, t);
    t = c->now;
    if (c->shows) return next == CLUSTER_NEVER || c->mode != CLUSTER_SIMT ? next : t + 1;
    for (unsigned n = 1; c->mode == CLUSTER_SIMT && next != CLUSTER_NEVER && !c->fetch_waits; ++n) {
        if (!c->uncore->several && next >= until && t < until) next = settle(p, t, until, next);
        if (n == STEPS_TOGETHER || !path_may_step(p, next)) break;
        next = step(c, next);
        t = c->now;
    }
    return next == CLUSTER_NEVER || c->mode != CLUSTER_SIMT ? next : cluster_skip_to(c, t, next);
}

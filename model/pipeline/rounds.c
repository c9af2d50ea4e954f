/* X of a path, computed ahead: the oldest collected instruction is executed and starts its rounds. */
#include "model/cluster/cluster_fault.h"
#include "model/pipeline/pipeline.h"
#include "model/control/tpo_address.h"

#define MISSES_TOGETHER 4

/* The cycles in which the lanes stood still before this instruction, each charged to what it then waited for.
 * Rare, and so not inlined: the caller keeps its registers. */
static __attribute__((noinline)) void charge_gap(struct path *p, unsigned number, uint64_t until) {
    const struct flight *f = &p->flight[number];
    const struct warp_wait *w = &p->chosen[number];
    uint64_t t = p->x_free;
    const struct {
        uint64_t end;
        enum machine_cause cause;
        uint32_t pc;
    } phase[] = {
        {w->since, w->cause, w->pc},
        {f->f + 1, MACHINE_CAUSE_FRONT_END, f->pc},
        {f->fetched + 1, MACHINE_CAUSE_FETCH, f->pc},
        {f->o, MACHINE_CAUSE_FRONT_END, f->pc},
        {until, MACHINE_CAUSE_OPERANDS, f->pc},
    };
    for (unsigned n = 0; n < sizeof phase / sizeof phase[0] && t < until; ++n) {
        const uint64_t end = phase[n].end < until ? phase[n].end : until;
        if (end <= t) continue;
        cluster_charge(p->cluster, phase[n].cause, phase[n].pc, end - t);
        t = end;
    }
}

/* A result that is there already is in the lanes for a cycle. */
unsigned path_occupancy(const struct path *p, const struct flight *f) {
    return path_is_reused(f) ? 1 : p->cluster->config->core.occupancy_cycles[f->i->class];
}

unsigned path_latency(const struct path *p, const struct flight *f) {
    if (path_is_reused(f)) return 1;
    const unsigned network = f->execution.passed && f->i->destinations ? f->network : 0;
    return p->cluster->config->core.latency_cycles[f->i->class] + network;
}

/* Of an instruction without memory accesses. */
void path_charge_rounds(struct path *p, const struct flight *f) {
    const unsigned occupancy = path_occupancy(p, f);
    cluster_charge(p->cluster, MACHINE_CAUSE_EXECUTE, f->pc, f->rounds);
    if (occupancy > 1)
        cluster_charge(p->cluster, MACHINE_CAUSE_OCCUPIED, f->pc, (uint64_t)f->rounds * (occupancy - 1));
}

/* The last round of the flight in X starts in cycle `last`. */
void path_end_rounds(struct path *p, uint64_t last) {
    p->x_last = p->x_last_at[(p->started - 1) % PATH_RING] = last;
    if (!path_stepped(p) && p->planned != p->arbitrated) path_plan(p);
}

/* An instruction without memory accesses: all its rounds are known now. */
static void run_rounds(struct path *p, unsigned warp, uint64_t t) {
    const struct flight *f = &p->flight[warp];
    const unsigned occupancy = path_occupancy(p, f);
    const uint64_t last = t + (uint64_t)(f->rounds - 1) * occupancy;
    p->x_free = last + occupancy;
    path_charge_rounds(p, f);
    path_land(p, warp, last + path_latency(p, f) - 1);
    path_end_rounds(p, last);
}

void path_enter_lanes(struct path *p, unsigned warp) {
    p->x_flight = (int)warp;
    p->x_last = FLIGHT_NEVER;
    p->x_free = FLIGHT_NEVER;
}

/* A thread alone in its warp accesses its stack: only its lane has it. */
static void run_as_vector(const struct path *p, struct flight *f) {
    f->rounds = path_rounds_of(p, f->participating);
    f->uniform.form = UNIFORM_VECTOR;
}

/* Words in a TPM compete with O and W cycle by cycle. */
void path_await_beats(struct path *p, uint64_t t) {
    const struct flight *f = &p->flight[p->x_flight];
    p->x_next = p->x_due = t;
    if (f->execution.in_stack) return;
    const unsigned beats = (f->rounds - p->x_round) * f->i->access_count - p->x_beat;
    const uint64_t last = t + (uint64_t)(beats - 1) * path_occupancy(p, f);
    if (!p->cluster->uncore->several)
        p->x_due = last;
    else if (!path_stepped(p) && path_find_hits(p, last))
        p->x_due = p->hits_end < last ? p->hits_end : last;
}

/* Is all that an instruction accesses in TPMs? And is it a word of each thread in each beat? */
static void look_for_tpm(struct path *p, const struct flight *f) {
    const struct cluster *c = p->cluster;
    const struct arm_execution *x = &f->execution;
    const struct arm_threads *t = &c->threads[f->warp];
    uint32_t unaligned = p->x_bytes ^ 4, beyond = 0;
    p->x_in_tpm = p->x_one_word = false;
    if (x->in_stack != x->passed) return;
    for (uint64_t rest = x->passed; rest; rest &= rest - 1) {
        const uint32_t address = x->address[__builtin_ctzll(rest)];
        unaligned |= address & 3;
        beyond |= tpo_stack_index(t->stack_size, address) >= t->stack_objects;
    }
    p->x_in_tpm = !beyond;
    p->x_one_word = !beyond && !unaligned && !path_stepped(p) && !path_is_scalar(f) && !path_saves_rounds(p);
}

__attribute__((noinline)) void path_begin_accesses(struct path *p, unsigned warp, uint64_t t) {
    struct flight *f = &p->flight[warp];
    if (path_is_scalar(f) && f->execution.in_stack) run_as_vector(p, f);
    p->cluster->memory_instructions += (unsigned)__builtin_popcountll(f->execution.passed);
    path_enter_lanes(p, warp);
    p->x_round = p->x_beat = p->x_words = 0;
    p->x_refused = 0;
    p->x_own = f->executed;
    p->x_rows.sought = false;
    f->held = 0;
    p->x_bytes = f->i->access_bytes / f->i->access_count;
    look_for_tpm(p, f);
    f->result = t;
    path_await_beats(p, t);
}

static inline bool take_collected(struct path *p, uint64_t t) {
    struct cluster *c = p->cluster;
    const unsigned warp = path_flight_number(p, p->started);
    if (p->x_free < t) charge_gap(p, warp, t);
    if (p->decoded == p->started || p->collecting == p->started) path_pass(p, p->started);
    ++p->started;
    p->flight[warp].x = t;
    if (c->own && (PATH_IS_BASE || c->alone)) path_execute_own(p, &p->flight[warp]);
    p->shown_x_flight = (int)warp;
    if (!path_execute(p, warp, t)) return false;
    if (path_fault(p) && !path_uniform(p)) cluster_fault_executed(c, &p->flight[warp]);
    return true;
}

bool path_take_collected(struct path *p, uint64_t t) {
    return take_collected(p, t);
}

/* An instruction that neither loads nor stores writes all its results at once. */
void path_execute_uniform(struct path *p, unsigned warp) {
    struct cluster *c = p->cluster;
    if (p->flight[warp].execution.passed) cluster_uniform_write(c, warp, 0);
    if (path_fault(p)) cluster_fault_executed(c, &p->flight[warp]);
    cluster_uniform_executed(c, warp);
}

void path_start_rounds(struct path *p, uint64_t t) {
    const unsigned warp = path_flight_number(p, p->started);
    if (!take_collected(p, t)) return;
    if (flight_accesses_memory(&p->flight[warp])) {
        path_begin_accesses(p, warp, t);
    } else {
        if (path_uniform(p)) path_execute_uniform(p, warp);
        run_rounds(p, warp, t);
    }
}

static void run_beat(struct path *p) {
    struct flight *f = &p->flight[p->x_flight];
    const uint64_t t = p->x_next;
    const bool made = path_access_beat(p, f, t);
    if (made && ++p->x_beat == f->i->access_count) {
        p->x_beat = 0;
        if (++p->x_round == f->rounds) {
            path_end_accesses(p, (unsigned)p->x_flight, t);
            return;
        }
    }
    path_await_beats(p, p->x_next);
}

void path_flush(struct path *p, uint64_t t) {
    if (path_stepped(p)) return;
    unsigned misses = 0; /* what follows one may be hits, but there is an end to looking for them */
    while (p->x_flight != PATH_NONE && p->x_next <= t) {
        if (p->held_next <= p->x_next) {
            path_make_held(p, p->held_next);
        } else if (p->x_next < p->hits_end) {
            path_make_hits(p, t);
        } else if (p->x_in_tpm || misses > MISSES_TOGETHER || p->x_next == p->x_miss ||
                   !path_find_hits(p, t)) {
            if (!path_make_words(p, t)) run_beat(p);
            ++misses;
        }
    }
    while (p->held_next <= t) path_make_held(p, p->held_next);
}

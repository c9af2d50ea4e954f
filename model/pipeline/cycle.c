/* A cycle of a path, and those that follow it where nobody looks. */
#include "model/pipeline/pipeline.h"

#define VISITS_TOGETHER 1024 /* cycles that are visited before the machine looks at the world outside */

void path_step_due(struct path *p, uint64_t t) {
    struct cluster *c = p->cluster;
    if (t >= p->landed) path_write_back(p, t);
    if (t >= p->held_next) {
        path_flush(p, t - 1);
        path_make_held(p, t);
    }
    if (p->x_flight != PATH_NONE) {
        if (t >= p->x_due || path_shows(p)) path_flush(p, t);
    } else if (t >= path_rounds_due(p)) {
        path_start_rounds(p, t);
        if (p->x_flight != PATH_NONE && (t >= p->x_due || path_shows(p))) path_flush(p, t);
    }
    path_catch_up(p, t);
    if (t >= path_front_due(p)) {
        path_hand_over(p, t);
    } else {
        p->scheduler.in.take = false;
        p->scheduler.out.valid = false;
        p->arbiter.in.ready = 0;
    }
    path_catch_up_decode(p, t);
    if (path_uniform(p)) cluster_uniform_step(c, t);
    if (t >= p->landed) path_commit_landed(p, t);
    if (barrier_table_active(&c->barriers)) path_step_barriers(p, t);
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
    return f->i && (!f->i->access_count || ((PATH_IS_BASE || p->cluster->alone) && path_execute_own(p, f)));
}

static inline bool may_step(struct path *p, uint64_t t) {
    struct cluster *c = p->cluster;
    c->ahead = t >= c->until;
    return __builtin_expect(!c->ahead, 1) || (t < c->far && steps_alone(p, t));
}

bool path_may_step(struct path *p, uint64_t t) {
    return may_step(p, t);
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

/* The first cycle in which an access is made that has waited for its translation, or a barrier releases. */
static inline uint64_t others_due(const struct path *p) {
    const uint64_t release = p->cluster->barrier_release;
    return p->held_next < release ? p->held_next : release;
}

/* May what is in X store to a TPM, or what begins there next? That has not been executed: which of its
 * threads pass is not known. */
static inline bool may_store(struct path *p) {
    if (p->x_flight != PATH_NONE) return true;
    const struct arm_instruction *i = path_flight(p, p->started)->i;
    return i && i->is_store;
}

uint64_t path_run(struct path *p, uint64_t t) {
    struct cluster *c = p->cluster;
    p->scheduler.out.valid = false;
    if (barrier_table_active(&c->barriers)) {
        path_step_due(p, t);
        return t;
    }
    uint64_t rounds = path_rounds_due(p), front = path_hand_over_due(p), other = others_due(p);
    for (unsigned visits = 1;; ++visits) {
        c->asks = t;
        if (__builtin_expect(t >= other, 0)) {
            path_step_due(p, t);
            return t;
        }
        bool written = false, stops = false;
        if (t >= rounds) {
            if (p->landed <= t && may_store(p)) { /* W has its ports before stores to the TPM */
                path_write_back(p, t);
                written = true;
            }
            if (p->x_flight == PATH_NONE) path_start_rounds(p, t);
            if (p->x_flight != PATH_NONE && t >= p->x_due && (!c->ahead || beats_alone(p)))
                path_flush(p, beats_until(p, t));
            front = path_hand_over_due(p);
        }
        if (t >= front) {
            path_hand_over(p, t);
            stops = c->fetch_waits;
        }
        if (t >= p->landed) {
            if (written || !path_commit_one(p, t)) {
                if (!written) path_write_back(p, t);
                path_commit_landed(p, t);
            }
            if (__builtin_expect(p->leaves, 0)) {
                path_step_barriers(p, t);
                stops |= !c->live;
            }
        }
        if (__builtin_expect(stops || c->error->status != EXIT_SOUND, 0)) return t;
        rounds = path_rounds_due(p);
        front = path_hand_over_due(p);
        other = others_due(p);
        uint64_t next = rounds < front ? rounds : front;
        earlier(&next, p->landed);
        earlier(&next, other);
        if (next <= t) next = t + 1;
        if (!may_step(p, next) || next - p->committed >= c->livelock_cycles || visits == VISITS_TOGETHER)
            return t;
        t = next;
    }
}

/* A cycle of the fast pipeline, and runs of cycles of a base machine without an observer. */
#include "model/fast/parts.h"

#define VISITS_TOGETHER 1024 /* cycles visited between two checks of the interrupt flag */

void fast_step_due(struct fast *p, uint64_t t) {
    struct cluster *c = p->cluster;
    if (t >= p->landed) fast_write_back(p, t);
    if (t >= p->held.next) {
        fast_flush(p, t - 1);
        fast_make_held(p, t);
    }
    if (p->x_flight != FAST_NONE) {
        if (t >= p->x_due) fast_flush(p, t);
    } else if (t >= fast_rounds_due(p)) {
        fast_start_rounds(p, t);
        if (p->x_flight != FAST_NONE && t >= p->x_due) fast_flush(p, t);
    }
    fast_catch_up(p, t);
    if (t >= fast_hand_over_due(p)) {
        fast_hand_over(p, t);
    } else {
        p->cluster->blocks.scheduler.in.take = false;
        p->cluster->blocks.scheduler.out.valid = false;
        p->cluster->blocks.arbiter.in.ready = 0;
    }
    fast_catch_up_decode(p, t);
    if (t >= p->landed) fast_commit_landed(p, t);
    if (barrier_table_active(&c->barriers)) fast_step_barriers(p, t);
}

/* Returns whether the next beats have no effect on other clusters: they access words of TPMs, or hit memory
 * that no other cluster can change. */
static inline bool beats_alone(const struct fast *p) {
    return p->x_in_tpm || (p->x_own && p->x_due < p->hits_end);
}

/* Returns whether the step of cycle t accesses no state that clusters share. A fetch that misses the L1I
 * waits for the cluster's turn. */
static bool steps_alone(struct fast *p, uint64_t t) {
    if (t >= p->held.next) return false;
    if (p->x_flight != FAST_NONE) return t < p->x_due || beats_alone(p);
    if (t < fast_rounds_due(p)) return true; /* no rounds start */
    struct fast_flight *f = fast_flight(p, p->started);
    return f->i && (!f->i->access_count || fast_execute_own(p, f));
}

static inline bool may_step(struct fast *p, uint64_t t) {
    struct cluster *c = p->cluster;
    c->ahead = t >= c->until;
    return __builtin_expect(!c->ahead, 1) || (t < c->far && steps_alone(p, t));
}

bool fast_may_step(struct fast *p, uint64_t t) {
    return may_step(p, t);
}

/* Returns the last cycle whose beats can be made together with those of cycle t. Beats in TPMs compete with O
 * and W and delay O. All other due cycles are known and can only become later. */
static uint64_t beats_until(const struct fast *p, uint64_t t) {
    const struct cluster *c = p->cluster;
    if (!p->x_in_tpm) return t;
    uint64_t end = c->ahead ? c->far : c->until;
    earlier(&end, fast_hand_over_due(p));
    earlier(&end, p->landed);
    earlier(&end, p->held.next);
    earlier(&end, c->barrier_release);
    earlier(&end, p->committed + c->livelock_cycles);
    return end > t ? end - 1 : t;
}

/* Returns the first cycle in which a held access is retried or a barrier releases its threads. */
static inline uint64_t others_due(const struct fast *p) {
    const uint64_t release = p->cluster->barrier_release;
    return p->held.next < release ? p->held.next : release;
}

/* Returns whether the instruction in X, or the next one there, may store to a TPM. The next one has not been
 * executed, so the threads that pass are unknown. */
static inline bool may_store(struct fast *p) {
    if (p->x_flight != FAST_NONE) return true;
    const struct arm_instruction *i = fast_flight(p, p->started)->i;
    return i && i->is_store;
}

uint64_t fast_run(struct fast *p, uint64_t t) {
    struct cluster *c = p->cluster;
    p->cluster->blocks.scheduler.out.valid = false;
    if (barrier_table_active(&c->barriers)) {
        fast_step_due(p, t);
        return t;
    }
    uint64_t rounds = fast_rounds_due(p), front = fast_hand_over_due(p), other = others_due(p);
    for (unsigned visits = 1;; ++visits) {
        c->asks = t;
        if (__builtin_expect(t >= other, 0)) {
            fast_step_due(p, t);
            return t;
        }
        bool written = false, stops = false;
        if (t >= rounds) {
            if (p->landed <= t && may_store(p)) { /* W has priority over stores to the TPM */
                fast_write_back(p, t);
                written = true;
            }
            if (p->x_flight == FAST_NONE) fast_start_rounds(p, t);
            if (p->x_flight != FAST_NONE && t >= p->x_due && (!c->ahead || beats_alone(p)))
                fast_flush(p, beats_until(p, t));
            front = fast_hand_over_due(p);
        }
        if (t >= front) {
            fast_hand_over(p, t);
            stops |= c->fetch_waits;
        }
        if (t >= p->landed) {
            if (written || !fast_commit_one(p, t)) {
                if (!written) fast_write_back(p, t);
                fast_commit_landed(p, t);
            }
            if (__builtin_expect(p->leaves, 0)) {
                fast_step_barriers(p, t);
                stops |= !c->live;
            }
        }
        if (__builtin_expect(stops || c->error->status != EXIT_SOUND, 0)) return t;
        rounds = fast_rounds_due(p);
        front = fast_hand_over_due(p);
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

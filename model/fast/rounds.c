/* X of the fast pipeline: executes the oldest collected instruction and starts its rounds. */
#include "model/fast/parts.h"
#include "model/control/tpo_address.h"

#define MISSES_TOGETHER 4

/* Charges the cycles in which the lanes were idle before this instruction. Rare, and so not inlined: the
 * caller keeps its registers. */
static __attribute__((noinline)) void charge_gap(struct fast *p, unsigned number, uint64_t until) {
    const struct fast_flight *f = &p->flight[number];
    const struct lane_gap gap = {p->chosen[number], f->f, f->fetched, f->o, f->pc};
    cluster_charge_gap(p->cluster, p->x_free, until, &gap);
}

unsigned fast_occupancy(const struct fast *p, const struct fast_flight *f) {
    return p->cluster->config->core.occupancy_cycles[f->i->class];
}

unsigned fast_latency(const struct fast *p, const struct fast_flight *f) {
    return p->cluster->config->core.latency_cycles[f->i->class];
}

/* Notes that the last round of the flight in X starts in cycle `last`. */
void fast_end_rounds(struct fast *p, struct fast_flight *f, uint64_t last) {
    f->last = last;
    p->x_last = p->x_last_at[(p->started - 1) % FAST_RING] = last;
    if (p->planned != p->arbitrated) fast_plan(p);
}

/* Runs an instruction without memory accesses, whose rounds are all known. */
static void run_rounds(struct fast *p, unsigned warp, uint64_t t) {
    struct fast_flight *f = &p->flight[warp];
    const unsigned occupancy = fast_occupancy(p, f);
    const uint64_t last = t + (uint64_t)(f->rounds - 1) * occupancy;
    p->x_free = last + occupancy;
    simt_charge_rounds(&p->cluster->simt, f->pc, f->rounds, occupancy);
    fast_land(p, warp, last + fast_latency(p, f) - 1);
    fast_end_rounds(p, f, last);
}

void fast_enter_lanes(struct fast *p, unsigned warp) {
    p->x_flight = (int)warp;
    p->x_last = FAST_NEVER;
    p->x_free = FAST_NEVER;
}

/* Beats with words in a TPM are made cycle by cycle, since they compete with O and W. */
void fast_await_beats(struct fast *p, uint64_t t) {
    const struct fast_flight *f = &p->flight[p->x_flight];
    p->x_next = p->x_due = t;
    if (f->execution.in_stack) return;
    const unsigned beats = (f->rounds - p->x_round) * f->i->access_count - p->x_beat;
    const uint64_t last = t + (uint64_t)(beats - 1) * fast_occupancy(p, f);
    if (!p->cluster->uncore->several)
        p->x_due = last;
    else if (fast_find_hits(p, last))
        p->x_due = p->hits_end < last ? p->hits_end : last;
}

static inline bool take_collected(struct fast *p, uint64_t t) {
    struct cluster *c = p->cluster;
    const unsigned warp = fast_flight_number(p, p->started);
    if (p->x_free < t) charge_gap(p, warp, t);
    if (p->decoded == p->started || p->collecting == p->started) fast_pass(p, p->started);
    ++p->started;
    p->flight[warp].x = t;
    if (c->own) fast_execute_own(p, &p->flight[warp]);
    p->shown_x_flight = (int)warp;
    return fast_execute(p, warp, t);
}

void fast_start_rounds(struct fast *p, uint64_t t) {
    const unsigned warp = fast_flight_number(p, p->started);
    if (!take_collected(p, t)) return;
    if (fast_flight_accesses_memory(&p->flight[warp]))
        fast_begin_accesses(p, warp, t);
    else
        run_rounds(p, warp, t);
}

static void run_beat(struct fast *p) {
    struct fast_flight *f = &p->flight[p->x_flight];
    const uint64_t t = p->x_next;
    const bool made = fast_access_beat(p, f, t);
    if (made && ++p->x_beat == f->i->access_count) {
        p->x_beat = 0;
        if (++p->x_round == f->rounds) {
            fast_end_accesses(p, (unsigned)p->x_flight, t);
            return;
        }
    }
    fast_await_beats(p, p->x_next);
}

void fast_flush(struct fast *p, uint64_t t) {
    unsigned misses = 0; /* hits may follow a miss; the search ends after some misses */
    while (p->x_flight != FAST_NONE && p->x_next <= t) {
        if (p->held.next <= p->x_next) {
            fast_make_held(p, p->held.next);
        } else if (p->x_next < p->hits_end) {
            fast_make_hits(p, t);
        } else if (p->x_in_tpm || misses > MISSES_TOGETHER || p->x_next == p->x_miss ||
                   !fast_find_hits(p, t)) {
            if (!fast_make_words(p, t)) run_beat(p);
            ++misses;
        }
    }
    while (p->held.next <= t) fast_make_held(p, p->held.next);
}

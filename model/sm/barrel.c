/*
 * Barrel issue (gpu-like.md §3; timing.md): a warp has one instruction in flight. Each scheduler has lanes of
 * its own, in which it executes loads and stores, too: S select, A arbitrate, F fetch, D decode, the dispatch
 * queue, O and X as elsewhere, W simt.pipeline_depth − 6 cycles after X, C at its end, when the threads go
 * on.
 */
#include "model/sm/sm_divergence.h"
#include "model/sm/sm_ldst.h"
#include "model/sm/sm_parts.h"

void sm_barrel_launch(struct sm *s) {
    for (unsigned n = 0; n < s->schedulers; ++n) {
        s->front[n] = (struct sm_front){0};
        for (unsigned k = 0; k < SM_STAGES; ++k) s->front[n].stage[k].warp = SM_NO_WARP;
    }
}

/* The oldest of the dispatch queue goes into a collector in cycle t, which is its first in O, and is carried
 * out. */
static bool collect_next(struct sm *s, struct sm_front *f, struct sm_unit *u, uint64_t t) {
    if (!f->queued || u->taken >= s->config->simt.collectors) return true;
    struct sm_selected next = f->queue[0];
    const bool more = s->divergence->next_flight && s->divergence->next_flight(s, &next);
    f->queued -= !more;
    for (unsigned n = 0; !more && n < f->queued; ++n) f->queue[n] = f->queue[n + 1];
    return sm_begin_flight(s, &next, u, t);
}

/* F asks the L1I in its first cycle and holds the warp until the instruction is there. */
static void fetch(struct sm *s, struct sm_front *f, uint64_t t) {
    struct sm_selected *x = &f->stage[SM_F];
    if (x->warp == SM_NO_WARP) return;
    if (!x->asked) x->asked = sm_ldst_fetch(s, x->warp, x->pc, t);
}

static void move(struct sm_front *f, enum sm_stage from, enum sm_stage to) {
    f->stage[to] = f->stage[from];
    f->stage[from].warp = SM_NO_WARP;
}

static bool holds(const struct sm_front *f, enum sm_stage stage) {
    return f->stage[stage].warp != SM_NO_WARP;
}

/* A: where the warp stands, and which of its threads take part, is decided when F takes it. */
static void arbitrate(struct sm *s, struct sm_selected *x) {
    if (s->divergence->arbitrate) s->divergence->arbitrate(s, x);
    x->asked = false;
    x->there = SM_NEVER;
}

static bool select_warp(struct sm *s, unsigned scheduler, uint64_t t) {
    struct sm_front *f = &s->front[scheduler];
    struct sm_selected x = {.selected = t};
    if (!s->divergence->select(s, scheduler, t, !holds(f, SM_A), &x)) return false;
    const struct arm_instruction *i = sm_instruction(s, x.pc);
    sm_note_issue(s, scheduler, x.warp, x.pc, i ? sm_kind_of(s, i) : SM_SP, t);
    f->stage[SM_A] = x;
    return true;
}

/* The stages give to each other from the last to the first, so that all move in one cycle. */
static bool step_front(struct sm *s, unsigned scheduler, uint64_t t) {
    struct sm_front *f = &s->front[scheduler];
    if (!collect_next(s, f, &s->unit[scheduler], t)) return false;
    fetch(s, f, t);
    if (holds(f, SM_D) && f->queued < s->config->simt.queue_entries) {
        f->queue[f->queued++] = f->stage[SM_D];
        f->stage[SM_D].warp = SM_NO_WARP;
    }
    if (holds(f, SM_F) && f->stage[SM_F].there <= t && !holds(f, SM_D)) move(f, SM_F, SM_D);
    if (holds(f, SM_A) && f->stage[SM_A].selected < t && !holds(f, SM_F)) {
        move(f, SM_A, SM_F);
        arbitrate(s, &f->stage[SM_F]);
    }
    if (!select_warp(s, scheduler, t)) sm_note_idle(s, scheduler);
    return true;
}

/* What do the front end and what it has given to the collectors in cycle t do next? */
static uint64_t next_of(const struct sm *s, unsigned scheduler, uint64_t t) {
    const struct sm_front *f = &s->front[scheduler];
    if (s->unit[scheduler].collected || f->queued || holds(f, SM_D) ||
        (holds(f, SM_F) && (!f->stage[SM_F].asked || f->stage[SM_F].there != SM_NEVER)))
        return t + 1;
    if (holds(f, SM_A) && !holds(f, SM_F)) return t + 1;
    return s->divergence->moves(s, scheduler, !holds(f, SM_A)) ? t + 1 : SM_NEVER;
}

uint64_t sm_step_barrel(struct sm *s, uint64_t t) {
    uint64_t next = SM_NEVER;
    for (unsigned n = 0; n < s->schedulers; ++n) {
        if (!step_front(s, n, t)) return SM_NEVER;
        sm_earlier(&next, next_of(s, n, t));
    }
    s->charged = t + 1;
    return next;
}

void sm_barrel_fetched(struct sm *s, unsigned warp, uint64_t t) {
    struct sm_selected *x = &s->front[warp % s->schedulers].stage[SM_F];
    if (x->warp == warp) x->there = t;
}

enum machine_cause sm_barrel_idle_cause(const struct sm *s, unsigned scheduler) {
    const struct sm_front *f = &s->front[scheduler];
    if (holds(f, SM_A))
        return holds(f, SM_F) && f->stage[SM_F].there == SM_NEVER ? MACHINE_CAUSE_FETCH
                                                                  : MACHINE_CAUSE_COLLECTOR;
    for (unsigned w = scheduler; w < s->warps; w += s->schedulers)
        if (s->warp[w].loads && s->warp[w].live) return MACHINE_CAUSE_AWAITS_LOAD;
    return MACHINE_CAUSE_AWAITS_SP;
}

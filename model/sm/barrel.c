/* Barrel issue (gpu-like.md §3; timing.md): a warp has at most one instruction in flight, with
 * simt.mitigation dpe two of different threads. Each scheduler has its own lanes, which execute loads and
 * stores, too. The stages are S (select), A (arbitrate), F (fetch), D (decode), the dispatch queue, and O and
 * X as in the other pipeline. W follows simt.pipeline_depth − 6 cycles after X. At the end of C, the warp can
 * be selected again.
 *
 * If uniform_copies_first() holds, a copy instruction takes the place of the warp's next instruction from O
 * to C; afterwards the warp is selected again for the instruction itself. A second instruction of the warp
 * (simt.mitigation dpe) stays in the dispatch queue until then. Regrouped threads stay in the
 * dispatch queue until all copy instructions that they need have been written (sm_scalars_wait()). */
#include "model/sm/sm_divergence.h"
#include "model/sm/sm_ldst.h"
#include "model/sm/sm_parts.h"

void sm_barrel_launch(struct sm *s) {
    for (unsigned n = 0; n < s->schedulers; ++n) {
        struct sm_front *f = &s->front[n];
        f->selected = f->queue = f->queued = 0;
        f->busy = 0;
        for (unsigned k = 0; k < SM_STAGES; ++k) f->stage[k] = SM_NO_ITEM;
    }
}

static bool holds(const struct sm_front *f, enum sm_stage stage) {
    return f->stage[stage] != SM_NO_ITEM;
}

/* Returns the item of an occupied stage. */
static struct sm_selected *in_stage(struct sm_front *f, enum sm_stage stage) {
    return &f->item[f->stage[stage]];
}

/* Returns the unit with a free collector for the oldest item of a scheduler's dispatch queue, or NULL. Scalar
 * instructions go to the scalar units if there are any (lanes.md §4), all others to the scheduler's lanes. */
static struct sm_unit *unit_of_next(struct sm *s, unsigned scheduler) {
    const struct sm_front *f = &s->front[scheduler];
    struct sm_unit *u = &s->unit[scheduler];
    if (!f->queued) return NULL;
    const struct sm_selected *next = &f->item[f->queue];
    if (warp_set_has(s->copying, next->warp)) return NULL;
    const struct arm_instruction *i = s->lanes.scalar_unit ? sm_instruction(s, next->pc) : NULL;
    if (i && sm_kind_of(s, i) == SM_SCALAR) return sm_free_unit(s, next->warp, SM_SCALAR);
    if (s->lanes.reading >> u->group & 1) return NULL; /* the instruction register of the lane group */
    return u->taken < u->collectors ? u : NULL;
}

/* Moves the oldest item of the dispatch queue into a collector and executes it. Cycle t is its first cycle in
 * O. */
static bool collect_next(struct sm *s, unsigned scheduler, uint64_t t) {
    struct sm_front *f = &s->front[scheduler];
    struct sm_unit *u = unit_of_next(s, scheduler);
    if (!u) return true;
    struct sm_selected *next = &f->item[f->queue];
    if (!next->split) next->more = s->divergence->next_flight && s->divergence->next_flight(s, next);
    next->split = s->uniform.on && s->regroups;
    if (next->split && sm_scalars_wait(s, next, u, t)) return s->error->status == EXIT_SOUND;
    next->split = false;
    if (!next->more) {
        f->queue = (uint8_t)((f->queue + 1) % SM_ITEMS);
        --f->queued;
    }
    return sm_begin_flight(s, next, u, t);
}

/* F requests the instruction from the L1I in its first cycle and holds the warp until the answer comes. */
static void fetch(struct sm *s, struct sm_front *f, uint64_t t) {
    if (!holds(f, SM_F)) return;
    struct sm_selected *x = in_stage(f, SM_F);
    if (!x->asked) x->asked = sm_ldst_fetch(s, x->warp, x->pc, t);
}

static void move(struct sm_front *f, enum sm_stage from, enum sm_stage to) {
    f->stage[to] = f->stage[from];
    f->stage[from] = SM_NO_ITEM;
}

/* A: the PC and the participating threads are determined when F takes the warp. */
static void arbitrate(struct sm *s, struct sm_selected *x) {
    if (s->divergence->arbitrate) s->divergence->arbitrate(s, x);
    x->asked = false;
    x->there = SM_NEVER;
}

static bool select_warp(struct sm *s, unsigned scheduler, uint64_t t) {
    struct sm_front *f = &s->front[scheduler];
    struct sm_selected *x = &f->item[f->selected];
    x->threads.regrouped = x->threads.in_place = x->split = false;
    if (!s->divergence->select(s, scheduler, t, !holds(f, SM_A), x)) return false;
    const struct arm_instruction *i = sm_instruction(s, x->pc);
    x->selected = t;
    sm_note_issue(s, scheduler, x->warp, x->pc, i ? sm_kind_of(s, i) : SM_SP, t);
    f->stage[SM_A] = f->selected;
    f->selected = (uint8_t)((f->selected + 1) % SM_ITEMS);
    return true;
}

/* Returns whether the dispatch queue has room for F's instruction behind the one in D. */
static bool has_room(const struct sm *s, const struct sm_front *f) {
    return f->queued + (uint32_t)holds(f, SM_D) < s->config->simt.queue_entries;
}

/* Steps the stages from the last to the first, so that all items move in the same cycle. */
static bool step_front(struct sm *s, unsigned scheduler, bool renames, uint64_t t) {
    struct sm_front *f = &s->front[scheduler];
    if (!renames && !collect_next(s, scheduler, t)) return false;
    fetch(s, f, t);
    if (holds(f, SM_D)) {
        ++f->queued; /* behind the entries that the queue holds */
        f->stage[SM_D] = SM_NO_ITEM;
    }
    if (holds(f, SM_F) && in_stage(f, SM_F)->there <= t && has_room(s, f)) move(f, SM_F, SM_D);
    if (holds(f, SM_A) && in_stage(f, SM_A)->selected < t && !holds(f, SM_F)) {
        move(f, SM_A, SM_F);
        arbitrate(s, in_stage(f, SM_F));
    }
    if (!select_warp(s, scheduler, t)) sm_note_idle(s, scheduler);
    return true;
}

/* Returns the next cycle after t in which the front end, or a collector filled in cycle t, acts. Freed
 * collectors and answers of the L1I wake the SM elsewhere. */
static uint64_t next_of(struct sm *s, unsigned scheduler, uint64_t t) {
    const struct sm_front *f = &s->front[scheduler];
    const struct sm_unit *u = &s->unit[scheduler];
    uint64_t next = u->collected ? u->next : SM_NEVER;
    if (s->divergence->moves(s, scheduler, !holds(f, SM_A))) return t + 1;
    if (unit_of_next(s, scheduler)) return t + 1;
    if (f->queued && s->lanes.reading >> u->group & 1) return t + 1; /* O follows in this cycle */
    if (holds(f, SM_D)) return t + 1;
    if (holds(f, SM_A) && !holds(f, SM_F)) return t + 1;
    if (holds(f, SM_F) && !f->item[f->stage[SM_F]].asked) return t + 1;
    if (holds(f, SM_F) && has_room(s, f)) sm_earlier(&next, f->item[f->stage[SM_F]].there);
    return next > t ? next : t + 1;
}

uint64_t sm_step_barrel(struct sm *s, uint64_t t) {
    uint64_t next = SM_NEVER;
    const bool renames = s->renaming != SM_NO_FLIGHT;
    for (unsigned n = 0; n < s->schedulers; ++n) {
        if (!step_front(s, n, renames, t)) return SM_NEVER;
        sm_earlier(&next, next_of(s, n, t));
    }
    for (unsigned n = s->first_unit[SM_SCALAR]; n < s->first_unit[SM_SCALAR + 1]; ++n)
        if (s->unit[n].collected) sm_earlier(&next, s->unit[n].next > t ? s->unit[n].next : t + 1);
    if (renames) sm_rename_next(s);
    if (s->renaming != SM_NO_FLIGHT) next = t + 1;
    if (s->lanes.apart) sm_lanes_count(s, 1);
    s->charged = t + 1;
    return next;
}

void sm_barrel_fetched(struct sm *s, unsigned warp, uint64_t t) {
    struct sm_front *f = &s->front[warp % s->schedulers];
    if (holds(f, SM_F) && in_stage(f, SM_F)->warp == warp) in_stage(f, SM_F)->there = t;
}

enum machine_cause sm_barrel_idle_cause(const struct sm *s, unsigned scheduler) {
    const struct sm_front *f = &s->front[scheduler];
    if (holds(f, SM_A))
        return holds(f, SM_F) && f->item[f->stage[SM_F]].there == SM_NEVER ? MACHINE_CAUSE_FETCH
                                                                           : MACHINE_CAUSE_COLLECTOR;
    return s->scheduler[scheduler].loading & s->scheduler[scheduler].live ? MACHINE_CAUSE_AWAITS_LOAD
                                                                          : MACHINE_CAUSE_AWAITS_SP;
}

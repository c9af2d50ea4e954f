/* Barrel issue (gpu-like.md §3; timing.md): a warp has at most one instruction in flight, with
 * simt.mitigation dpe two of different threads. Each scheduler has its own lanes, which execute loads and
 * stores, too. S (select), A (arbitrate), F (fetch), D (decode) and the dispatch queue are the front of a
 * unit (model/unit/front.h), with rows of this file. O and X are as in the other pipeline. W follows
 * simt.pipeline_depth − 6 cycles after X. At the end of C, the warp can be selected again.
 *
 * If uniform_copies_first() holds, a copy instruction takes the place of the warp's next instruction from O
 * to C; afterwards the warp is selected again for the instruction itself. A second instruction of the warp
 * (simt.mitigation dpe) stays in the dispatch queue until then. Regrouped threads stay in the dispatch queue
 * until all copy instructions that they need have been written (sm_scalars_wait()). */
#include "model/sm/sm_divergence.h"
#include "model/sm/sm_ldst.h"
#include "model/sm/sm_parts.h"

#include <stdlib.h>
#include <string.h>

#define UNIT_SERVICE static __attribute__((unused))
#define UNIT_STAGE   static inline __attribute__((always_inline))
#define UNIT_ROW     static
#define UNIT_GENERAL false
#define SLOTS(u)     (&front_rows)
static const struct slots front_rows;

#include "model/unit/flights.c"             // NOLINT(bugprone-suspicious-include): it is meant
#include "model/slots/front/select_first.c" // NOLINT(bugprone-suspicious-include): it is meant

/* --- rows of the front --- */

static struct sm *sm_of(const struct unit *u) {
    return (struct sm *)u->simt;
}

/* Returns what the SM adds to a flight of the front. */
static struct sm_selected *selected_of(const struct unit *u, const struct unit_flight *f) {
    return &sm_of(u)->front[u->path].selected[f - u->flight];
}

/* Returns whether the engine selects in each cycle, even if A is not free. */
static bool always_selects(const struct sm *s) {
    return s->formed && s->formed->commits;
}

/* The engine selects. */
static int select_warp(struct unit *u, warp_set ready, bool free, uint64_t t, uint64_t *next) {
    struct sm *s = sm_of(u);
    struct sm_selected *x = selected_of(u, &u->flight[u->free]);
    (void)ready, (void)next;
    if (!free && !always_selects(s)) return UNIT_NONE;
    x->flight = &u->flight[u->free];
    x->threads.regrouped = x->threads.in_place = x->split = false;
    return s->divergence->select(s, u->path, t, free, x) ? x->flight->warp : UNIT_NONE;
}

static void note_selected(struct unit *u, struct unit_flight *f) {
    struct sm *s = sm_of(u);
    const struct arm_instruction *i = sm_instruction(s, f->pc);
    sm_note_issue(s, u->path, f->warp, f->pc, i ? sm_kind_of(s, i) : SM_SP, f->s);
}

static void arbitrate(struct unit *u, struct unit_flight *f, uint64_t t) {
    struct sm *s = sm_of(u);
    (void)t;
    if (s->divergence->arbitrate) s->divergence->arbitrate(s, selected_of(u, f));
}

static void leave_arbitrate(struct unit *u, struct unit_flight *f, uint64_t t) {
    (void)u, (void)f, (void)t; /* the warp is busy until C */
}

/* F asks the L1I from its first cycle on (ask()), and holds the warp until the answer comes. */
static void enter_fetch(struct unit *u, struct unit_flight *f, uint64_t t) {
    u->fetch_waits = sm_of(u)->front[u->path].fetching = true;
    f->f = t;
    f->fetched = f->left = UNIT_NEVER;
}

static const struct scheduler_slot front_scheduler = {.pick = select_warp, .looks = true};
static const struct issue_slot front_issue = {.take = note_selected, .arbitrated = leave_arbitrate};
static const struct divergence_slot front_divergence = {.next = arbitrate};
static const struct home_slot front_home = {.fetch = enter_fetch};
static const struct slots front_rows = {.scheduler = &front_scheduler,
                                        .issue = &front_issue,
                                        .divergence = &front_divergence,
                                        .home = &front_home};

/* --- life --- */

void sm_barrel_create(struct sm *s) {
    const unsigned flights =
        s->config->simt.queue_entries + 3; /* A, F, and one that A takes in their stead */
    for (unsigned n = 0; s->barrel && n < s->schedulers; ++n) {
        s->front[n].unit = unit_create_path(&s->simt, n, flights);
        const size_t bytes = flights * sizeof *s->front[n].selected;
        s->front[n].selected = aligned_alloc(64, bytes);
        require_memory(s->front[n].selected);
        memset(s->front[n].selected, 0, bytes);
    }
}

void sm_barrel_free(struct sm *s) {
    for (unsigned n = 0; n < s->schedulers; ++n) {
        unit_free(s->front[n].unit);
        free(s->front[n].selected);
    }
}

void sm_barrel_launch(struct sm *s) {
    for (unsigned n = 0; s->barrel && n < s->schedulers; ++n) {
        unit_begin_flights(s->front[n].unit);
        s->front[n].busy = 0;
        s->front[n].fetching = false;
    }
}

/* --- the cycle --- */

/* Returns the unit with a free collector for the oldest flight of a scheduler's dispatch queue, or NULL.
 * Scalar instructions go to the scalar units if there are any (lanes.md §4), all others to the scheduler's
 * lanes. */
static inline __attribute__((always_inline)) struct sm_unit *unit_of_next(struct sm *s, unsigned scheduler) {
    const struct unit *front = s->front[scheduler].unit;
    struct sm_unit *u = &s->unit[scheduler];
    if (front->collecting == front->decoded) return NULL;
    const struct unit_flight *next = unit_nth(front, front->collecting);
    if (s->copying && warp_set_has(s->copying, next->warp)) return NULL;
    const struct arm_instruction *i = s->lanes.scalar_unit ? sm_instruction(s, next->pc) : NULL;
    if (i && sm_kind_of(s, i) == SM_SCALAR) return sm_free_unit(s, next->warp, SM_SCALAR);
    if (s->lanes.reading >> u->group & 1) return NULL; /* the instruction register of the lane group */
    return u->taken < u->collectors ? u : NULL;
}

/* Moves the oldest flight of the dispatch queue into a collector and executes it. Cycle t is its first cycle
 * in O. */
static bool collect_next(struct sm *s, unsigned scheduler, uint64_t t) {
    struct unit *front = s->front[scheduler].unit;
    struct sm_unit *u = unit_of_next(s, scheduler);
    if (!u) return true;
    struct sm_selected *next = selected_of(front, nth(front, front->collecting));
    if (!next->split) next->more = s->divergence->next_flight && s->divergence->next_flight(s, next);
    next->split = s->uniform.on && s->regroups;
    if (next->split && sm_scalars_wait(s, next, u, t)) return s->error->status == EXIT_SOUND;
    next->split = false;
    if (!sm_begin_flight(s, next, u, t)) return false;
    if (next->more) return true;
    front->started = ++front->collecting;
    unit_drop(front, next->flight);
    return true;
}

/* Requests the instruction of F from the L1I, until the L1I accepts. */
static void ask(struct sm *s, struct unit *u, uint64_t t) {
    const struct unit_flight *f = unit_nth(u, u->left);
    if (u->fetch_waits) u->fetch_waits = !sm_ldst_fetch(s, f->warp, f->pc, t);
}

/* Returns the next cycle after t in which the front, or a collector filled in cycle t, acts. `next`: that of
 * the stages S to D. Freed collectors and answers of the L1I wake the SM elsewhere. */
static uint64_t next_of(struct sm *s, unsigned scheduler, uint64_t next, uint64_t t) {
    const struct unit *front = s->front[scheduler].unit;
    const struct sm_unit *u = &s->unit[scheduler];
    if (s->divergence->moves(s, scheduler, front->arbitrated == front->selected)) return t + 1;
    if (unit_of_next(s, scheduler)) return t + 1;
    if (front->collecting != front->decoded && s->lanes.reading >> u->group & 1)
        return t + 1; /* O follows in this cycle */
    if (front->fetch_waits) return t + 1;
    if (u->collected) sm_earlier(&next, u->next);
    return next > t ? next : t + 1;
}

/* Returns whether no stage from S to D does anything: A and F keep their flights, D has none. */
static inline bool is_blocked(const struct sm *s, const struct sm_front *front) {
    const struct unit *u = front->unit;
    return u->arbitrated != u->selected && u->left != u->arbitrated && u->decoded == u->left &&
           (front->fetching || u->left - u->collecting >= u->queue_entries) && !always_selects(s);
}

/* Steps the stages from the last to the first. */
static uint64_t step_front(struct sm *s, unsigned scheduler, bool renames, uint64_t t) {
    struct unit *u = s->front[scheduler].unit;
    const uint32_t selected = u->selected;
    if (s->error->status != EXIT_SOUND || (!renames && !collect_next(s, scheduler, t))) {
        sm_note_idle(s, scheduler); /* the launch has failed: its last cycle has a cause, too */
        return SM_NEVER;
    }
    ask(s, u, t);
    const uint64_t next = is_blocked(s, &s->front[scheduler]) ? SM_NEVER : select_first_step(u, t);
    if (u->selected == selected) sm_note_idle(s, scheduler);
    return next_of(s, scheduler, next, t);
}

uint64_t sm_step_barrel(struct sm *s, uint64_t t) {
    uint64_t next = SM_NEVER;
    const bool renames = s->renaming != SM_NO_FLIGHT;
    for (unsigned n = 0; n < s->schedulers; ++n) sm_earlier(&next, step_front(s, n, renames, t));
    for (unsigned n = s->first_unit[SM_SCALAR]; n < s->first_unit[SM_SCALAR + 1]; ++n)
        if (s->unit[n].collected) sm_earlier(&next, s->unit[n].next > t ? s->unit[n].next : t + 1);
    if (renames) sm_rename_next(s);
    if (s->renaming != SM_NO_FLIGHT) next = t + 1;
    if (s->lanes.apart) sm_lanes_count(s, 1);
    s->charged = t + 1;
    return next;
}

void sm_barrel_fetched(struct sm *s, unsigned warp, uint64_t t) {
    struct sm_front *front = &s->front[warp % s->schedulers];
    struct unit *u = front->unit;
    struct unit_flight *f = nth(u, u->left);
    if (u->left == u->arbitrated || f->warp != warp) return;
    f->fetched = t;
    front->fetching = false;
}

enum machine_cause sm_barrel_idle_cause(const struct sm *s, unsigned scheduler) {
    const struct sm_front *front = &s->front[scheduler];
    const struct unit *u = front->unit;
    if (u->arbitrated != u->selected)
        return u->left != u->arbitrated && front->fetching ? MACHINE_CAUSE_FETCH : MACHINE_CAUSE_COLLECTOR;
    return s->scheduler[scheduler].loading & s->scheduler[scheduler].live ? MACHINE_CAUSE_AWAITS_LOAD
                                                                          : MACHINE_CAUSE_AWAITS_SP;
}

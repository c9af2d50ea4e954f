/* The end of a cycle: branches diverge, threads arrive at barriers or exit, barriers open,
 * instructions leave the pipeline (gpu-like.md §3). */
#include "model/arm/coprocessor.h"
#include "model/sm/regrouped.h"
#include "model/sm/scalar_units.h"
#include "model/sm/sm_divergence.h"
#include "model/sm/sm_parts.h"

#include "sim/error.h"

#include <string.h>

void sm_exit_threads(struct sm *s, unsigned warp, uint64_t threads) {
    struct sm_warp *w = &s->warp[warp];
    w->live &= ~threads;
    simt_record(&s->simt, RECORD_EXIT, s->now + 1, warp, threads, s->exit_pc);
    s->group[w->group].live -= (unsigned)__builtin_popcountll(threads);
    const struct exclusive_monitor *m = &s->shared->monitor;
    for (uint64_t rest = threads; rest && (m->reserved || m->asking); rest &= rest - 1)
        exclusive_monitor_clear(&s->shared->monitor,
                                w->threads.first_thread + (unsigned)__builtin_ctzll(rest));
}

void sm_end_warp(struct sm *s, unsigned warp) {
    struct sm_scheduler *q = sm_scheduler_of(s, warp);
    const uint64_t bit = sm_scheduler_bit(s, warp);
    if (s->uniform.on) sm_scalars_release(s, warp);
    sm_count_residents(s);
    q->live &= ~bit;
    q->decoded &= ~bit;
    q->decoding &= ~bit;
    q->barrier &= ~bit;
    q->unresolved &= ~bit;
    warp_set_remove(&s->wants_fetch, warp);
}

void sm_update_warp(struct sm *s, unsigned warp) {
    const struct sm_warp *w = &s->warp[warp];
    struct sm_scheduler *q = sm_scheduler_of(s, warp);
    if (!w->live)
        sm_end_warp(s, warp);
    else
        q->barrier = w->waiting == w->live ? q->barrier | w->bit : q->barrier & ~w->bit;
}

/* --- barriers and exits, one warp a cycle --- */

void sm_wait(struct sm *s, unsigned warp, uint64_t threads, uint32_t pc) {
    s->warp[warp].waiting |= threads;
    s->warp[warp].barrier_pc = pc;
    simt_record(&s->simt, RECORD_ARRIVE, s->now + 1, warp, threads, pc);
}

void sm_tell_arrival(struct sm *s, unsigned group, unsigned count, const struct arm_instruction *i) {
    s->barriers.in.arrive_count = count;
    s->barriers.in.arrive_group = group;
    s->barriers.in.arrive_pc = i->pc;
    s->barriers.in.arrive_scalar = coprocessor_decode(i).operation == COPROCESSOR_SYNC;
}

void sm_tell_exit(struct sm *s, unsigned group, unsigned count) {
    s->barriers.in.exit_count = count;
    s->barriers.in.exit_group = group;
}

uint16_t sm_next_leaver(const struct sm *s) {
    unsigned oldest = 0;
    if (!s->leavers) return SM_NO_FLIGHT;
    for (unsigned n = 1; n < s->leavers; ++n)
        if (s->flight[s->leaving[n]].age < s->flight[s->leaving[oldest]].age) oldest = n;
    return s->leaving[oldest];
}

void sm_leave(struct sm *s, struct sm_flight *f) {
    const uint16_t number = (uint16_t)(f - s->flight);
    unsigned n = 0;
    while (s->leaving[n] != number) ++n;
    s->leaving[n] = s->leaving[--s->leavers];
    s->finished[s->finishes++] = number;
}

/* Commits the oldest flight that waits to arrive at a barrier or to exit. */
static void leave_one(struct sm *s) {
    const uint16_t number = sm_next_leaver(s);
    s->divergence->commit(s, &s->flight[number]);
    sm_leave(s, &s->flight[number]);
}

static void check_barrier(struct sm *s, unsigned group) {
    for (warp_set rest = s->group[group].warps; rest; rest &= rest - 1) {
        const struct sm_warp *w = &s->warp[warp_set_first(rest)];
        if (!w->waiting) continue;
        checks_barrier(s->checks, sm_check_slot(s, group), w->barrier_pc);
        return;
    }
}

static void release_group(struct sm *s, unsigned group) {
    if (s->checks) check_barrier(s, group);
    for (warp_set rest = s->group[group].warps; rest; rest &= rest - 1) {
        const unsigned warp = warp_set_first(rest);
        struct sm_warp *w = &s->warp[warp];
        if (!w->waiting) continue;
        if (s->barriers.out.exited & bit_of(group)) sm_note_short_barrier(s, warp);
        simt_record(&s->simt, RECORD_RELEASE, s->now + 1, warp, w->waiting, w->barrier_pc);
        w->waiting = 0;
        warp_set_add(&s->changed, warp);
        sm_scheduler_of(s, warp)->barrier &= ~sm_scheduler_bit(s, warp);
        sm_redirect(s, warp);
    }
    if (s->divergence->release) s->divergence->release(s, group);
}

/* Steps the barrier table. Returns the next cycle in which the table acts. */
static uint64_t step_barriers(struct sm *s, uint64_t t) {
    struct barrier_table *b = &s->barriers;
    const bool active = barrier_table_active(b);
    if (!active && !s->twins[0]) return SM_NEVER;
    barrier_table_eval(b);
    block_twins_cycle(s->twins[0], CLUSTER_BLOCK_BARRIERS, t);
    for (uint64_t rest = b->out.release; rest; rest &= rest - 1)
        release_group(s, (unsigned)__builtin_ctzll(rest));
    if (b->out.release_scalar) scalar_units_release(s, b->out.release_scalar, t);
    barrier_table_clock(b);
    return active || barrier_table_active(b) ? t + 1 : SM_NEVER;
}

/* --- the end of a cycle --- */

/* Frees the warps of a work-group after its last SIMT thread has exited. The work-group ends at the same time
 * unless its scalar thread is live. */
static void end_warps(struct sm *s, unsigned group) {
    struct sm_group *g = &s->group[group];
    if (!scalar_units_live(s, group)) sm_end_group(s, group);
    for (warp_set rest = g->warps; rest; rest &= rest - 1) sm_free_warp(s, warp_set_first(rest));
    g->warps = 0;
}

void sm_end_group(struct sm *s, unsigned group) {
    struct sm_group *g = &s->group[group];
    s->ended = s->now;
    if (s->divergence->ended) s->divergence->ended(s, group);
    g->used = s->crowded = false;
    simt_record(&s->simt, RECORD_GROUP_END, s->now + 1, group, 0, 0);
    s->local_left += s->launch->local_bytes;
    --s->groups_used;
    ++s->groups_done;
}

/* Records a flight that leaves the pipeline. The machine has no fetch stage per instruction; in the record, D
 * lasts until O begins. */
static __attribute__((noinline)) void record_flight(struct sm *s, const struct sm_flight *f) {
    const struct simt_instruction n = {(struct arm_instruction *)f->i, f->warp, f->pc, f->participating};
    const uint64_t answer = f->from_memory && f->w_first < s->now ? f->w_first : s->now,
                   left = f->o_from > f->issue ? f->o_from - 1 : f->issue,
                   collected = f->x_first > f->issue ? f->x_first - 1 : f->issue;
    struct record *r = recorder_add(s->recorder);
    simt_fill_flight(r, &n, f->passed, f->uniform.form, f->issue);
    record_stamps(r, f->issue, f->issue, left, f->o_from, collected, f->x_first, f->x_last, answer, s->now);
}

/* Lets a warp be selected again after a copy instruction: its PC has not changed. */
static void end_copy(struct sm *s, struct sm_flight *f) {
    const struct sm_warp *w = &s->warp[f->warp];
    warp_set_remove(&s->copying, f->warp);
    if (s->divergence->copied)
        s->divergence->copied(s, f);
    else
        s->front[w->scheduler].busy &= ~w->bit;
}

static void free_flight(struct sm *s, uint16_t number) {
    struct sm_flight *f = &s->flight[number];
    if (__builtin_expect(s->recorder != NULL, 0)) record_flight(s, f);
    struct sm_warp *w = &s->warp[f->warp];
    --w->in_flight;
    if (s->uniform.on) uniform_insert(&s->uniform, f->pc, f->age, &f->uniform);
    if (s->regroups && f->uniform.form == UNIFORM_COPY)
        --s->copies;
    else if (s->barrel && f->uniform.form == UNIFORM_COPY)
        end_copy(s, f);
    else if (s->barrel && f->commits && f->effect == SM_NO_EFFECT)
        s->divergence->commit(s, f);
    if (f->kind == SM_LDST && f->i->is_load && !--w->loads) s->scheduler[w->scheduler].loading &= ~w->bit;
    if (f->kind == SM_LDST && f->i->is_store) --w->stores;
    if (w->next.drains != SM_DRAINS_NOTHING || sm_concerns(s, w, 0)) warp_set_add(&s->changed, f->warp);
    struct sm_group *g = &s->group[w->group];
    if (!w->live && !w->in_flight && g->used && !g->live) {
        end_warps(s, w->group);
    } else if (!w->live && !w->in_flight && s->config->lanes.free_on_warp_exit) {
        warp_set_remove(&g->warps, f->warp);
        sm_free_warp(s, f->warp);
    }
    f->next = s->flight_free;
    s->flight_free = number;
    --s->flights;
}

void sm_end_flight(struct sm *s, struct sm_flight *f) {
    const uint16_t number = (uint16_t)(f - s->flight);
    const bool copy = f->uniform.form == UNIFORM_COPY;
    if (s->barrel) f->commits = !copy && (!s->divergence->written || s->divergence->written(s, f));
    if (s->barrel && f->commits && (f->effect == SM_BARRIER || f->effect == SM_EXIT)) {
        s->leaving[s->leavers++] = number;
        return;
    }
    s->finished[s->finishes++] = number;
    if (f->effect == SM_BRANCH && (s->barrel ? f->commits : f->kind == SM_LDST && f->passed))
        s->parting[s->partings++] = number;
}

static inline __attribute__((always_inline)) uint64_t end_cycle(struct sm *s, uint64_t t, bool plain) {
    uint64_t next = SM_NEVER;
    for (unsigned n = 0; n < s->partings; ++n) s->divergence->commit(s, &s->flight[s->parting[n]]);
    s->partings = 0;
    if (!plain && s->formed && s->formed->commits)
        sm_formed_commits(s, t);
    else if (s->leavers)
        leave_one(s);
    if (s->leavers) next = t + 1;
    if (!plain && s->scalar) sm_earlier(&next, scalar_units_end_cycle(s, t));
    if (!plain || barrier_table_active(&s->barriers)) sm_earlier(&next, step_barriers(s, t));
    if (plain || !s->barrel) s->wants_fetch |= s->starting;
    if (s->starting) next = t + 1;
    s->starting = 0;
    const bool moved = s->finishes || s->given_back || s->changed;
    for (unsigned n = 0; n < s->finishes; ++n) free_flight(s, s->finished[n]);
    s->finishes = 0;
    if (!plain && s->formed && s->formed->end) sm_formed_end_cycle(s, t);
    for (; s->given_back; s->given_back &= s->given_back - 1) {
        struct sm_unit *u = &s->unit[__builtin_ctzll(s->given_back)];
        u->taken = u->collected;
        s->room[u->kind] = ~UINT64_C(0);
    }
    for (; s->changed; s->changed &= s->changed - 1) sm_refresh(s, warp_set_first(s->changed));
    return moved ? t + 1 : next;
}

uint64_t sm_end_cycle(struct sm *s, uint64_t t) {
    return s->plain ? end_cycle(s, t, true) : end_cycle(s, t, false);
}

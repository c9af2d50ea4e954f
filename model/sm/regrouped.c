#include "model/sm/regrouped.h"

#include <string.h>

static void advance_threads(struct sm *s, const struct sm_flight *f, unsigned warp, uint64_t mask,
                            uint64_t passed) {
    struct arm_threads *t = &s->warp[warp].threads;
    const uint32_t next = f->pc + 4;
    if (f->effect != SM_EXIT && !f->i->writes_pc) {
        if (f->threads.in_place && regrouped_first_lanes(f->participating) == s->positions)
            for (unsigned k = 0; k < s->positions; ++k) t->pc[f->threads.first + k] = next;
        else
            for (uint64_t rest = mask; rest; rest &= rest - 1) t->pc[__builtin_ctzll(rest)] = next;
        return;
    }
    if (f->effect == SM_EXIT) s->exit_pc = f->pc;
    for (uint64_t rest = mask; rest; rest &= rest - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(rest);
        const bool acts = passed >> k & 1;
        t->pc[k] = acts && f->effect == SM_EXIT ? 0 : acts && f->i->writes_pc ? t->next_pc[k] : next;
    }
}

/* Returns, for threads in some positions of the flight, their positions in their warp of the
 * register file. */
static uint64_t in_warp(const struct sm *s, const struct sm_flight *f, uint64_t positions) {
    uint64_t mask = 0;
    if (f->threads.in_place) return positions << f->threads.first;
    for (uint64_t rest = positions; rest; rest &= rest - 1)
        mask |= bit_of(f->threads.at[__builtin_ctzll(rest)] % s->warp_size);
    return mask;
}

/* Stores the results of the threads in some positions of the flight. */
static void note_positions(const struct sm *s, struct sm_flight *f, uint64_t positions,
                           const struct arm_execution *x) {
    if (f->threads.in_place) {
        const unsigned first = f->threads.first;
        f->passed = x->passed >> first & positions;
        f->in_stack = x->in_stack >> first & positions;
        if (f->kind == SM_LDST) memcpy(f->address, &x->address[first], s->positions * sizeof f->address[0]);
        return;
    }
    for (uint64_t rest = positions; rest; rest &= rest - 1) {
        const unsigned p = (unsigned)__builtin_ctzll(rest), k = f->threads.at[p] % s->warp_size;
        f->passed |= (x->passed >> k & 1) << p;
        if (f->kind != SM_LDST) continue;
        f->address[p] = x->address[k];
        f->in_stack |= (x->in_stack >> k & 1) << p;
    }
}

/* Executes the threads in some positions of the flight, all from one warp of the register file. */
static bool execute(struct sm *s, struct sm_flight *f, unsigned warp, uint64_t positions, uint64_t t) {
    const uint64_t mask = in_warp(s, f, positions);
    const struct simt_instruction n = {(struct arm_instruction *)f->i, warp, f->pc, mask};
    struct arm_execution x;
    x.in_stack = 0;
    if (__builtin_expect(s->checks != NULL, 0)) simt_watch_before(&s->simt, &n);
    sm_execute_threads(s, &n, &x);
    if (!sm_executed(s, &n, &x, t)) return false;
    advance_threads(s, f, warp, mask, x.passed);
    note_positions(s, f, positions, &x);
    if (s->uniform.on && positions != f->participating) sm_scalars_part(s, f, warp, x.passed, t);
    return true;
}

/* Returns those of `positions` whose threads are in a given warp of the register file. */
static uint64_t in_one_warp(const struct sm *s, const struct sm_flight *f, uint64_t positions,
                            unsigned warp) {
    uint64_t its = 0;
    if (f->threads.in_place) return positions;
    for (uint64_t rest = positions; rest; rest &= rest - 1)
        if (f->threads.at[__builtin_ctzll(rest)] / s->warp_size == warp) its |= rest & -rest;
    return its;
}

bool sm_execute_regrouped(struct sm *s, struct sm_flight *f, uint64_t t) {
    f->passed = f->in_stack = 0;
    for (uint64_t rest = f->participating, positions; rest; rest &= ~positions) {
        const unsigned warp = sm_thread_of(s, f, (unsigned)__builtin_ctzll(rest)).warp;
        positions = in_one_warp(s, f, rest, warp);
        if (!execute(s, f, warp, positions, t)) return false;
    }
    if (f->effect == SM_BARRIER && f->passed != f->participating) {
        const struct sm_thread first = sm_thread_of(s, f, (unsigned)__builtin_ctzll(f->participating));
        simt_diagnose(&s->simt, first.warp, first.position, f->pc, "%s", REGROUPED_PARTIAL_BARRIER);
        return false;
    }
    return true;
}

uint32_t sm_regrouped_where(const struct sm *s, unsigned warp) {
    const struct sm_warp *w = &s->warp[warp];
    return w->live ? w->threads.pc[__builtin_ctzll(w->live)] : 0;
}

#include "model/sm/regrouped.h"

#include "model/arm/coprocessor.h"
#include "model/divergence/re_convergence_stack.h"

#include <string.h>

/* --- thread numbers --- */

/* Returns the thread in a row and lane of a scheduler. */
static struct sm_thread thread_at(const struct sm *s, unsigned scheduler, unsigned row, unsigned lane) {
    const unsigned size = s->warp_size;
    if (s->positions == size) return (struct sm_thread){row * s->schedulers + scheduler, lane};
    const unsigned n = row * s->positions + lane, warp = n / size;
    return (struct sm_thread){warp * s->schedulers + scheduler, n - warp * size};
}

/* Returns the number of a thread, as in struct sm_threads. */
static uint16_t number_of(const struct sm *s, struct sm_thread thread) {
    return (uint16_t)(thread.warp * s->warp_size + thread.position);
}

static struct sm_thread thread_in(const struct sm *s, unsigned scheduler, const struct regrouped_warp *w,
                                  unsigned lane) {
    return thread_at(s, scheduler, w->row[lane], lane);
}

/* Returns whether all threads of a warp are contiguous in one warp of the register file. */
static bool is_in_place(const struct sm *s, const struct regrouped_warp *w) {
    return w->in_row && s->rows_whole;
}

void sm_select_regrouped(const struct sm *s, unsigned scheduler, const struct regrouped_warp *w,
                         struct sm_selected *x) {
    const unsigned lane = (unsigned)__builtin_ctzll(w->valid);
    const struct sm_thread first = thread_in(s, scheduler, w, lane);
    x->flight->warp = (uint16_t)first.warp;
    x->flight->pc = w->pc;
    x->flight->participating = w->valid;
    x->threads.regrouped = true;
    x->threads.in_place = is_in_place(s, w);
    x->threads.first = (uint8_t)(first.position - lane);
    for (uint64_t rest = x->threads.in_place ? 0 : w->valid; rest; rest &= rest - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(rest);
        x->threads.at[k] = number_of(s, thread_in(s, scheduler, w, k));
    }
}

void sm_start_regrouped(struct sm *s, unsigned group,
                        void (*begin)(struct sm *s, unsigned scheduler, const struct regrouped_warp *w)) {
    for (warp_set rest = s->group[group].warps; rest; rest &= rest - 1) {
        const unsigned warp = warp_set_first(rest), scheduler = warp % s->schedulers;
        const unsigned rows = s->warp_size / s->positions, first = warp / s->schedulers * rows;
        for (unsigned k = 0; k < s->warp_size; ++k) s->warp[warp].threads.pc[k] = s->launch->thunk;
        for (unsigned n = 0; n < rows; ++n) {
            const uint64_t live = s->warp[warp].live >> n * s->positions;
            struct regrouped_warp w = {.pc = s->launch->thunk, .group = group, .in_row = true};
            w.valid = s->positions == 64 ? live : live & (bit_of(s->positions) - 1);
            for (unsigned lane = 0; lane < s->positions; ++lane) w.row[lane] = (uint16_t)(first + n);
            if (w.valid) begin(s, scheduler, &w);
        }
    }
}

/* --- execution --- */

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

/* --- commit --- */

void sm_outcome(const struct sm *s, unsigned scheduler, const struct regrouped_warp *w,
                struct regrouped_outcome *o) {
    const struct arm_instruction *i = sm_instruction(s, w->pc);
    const enum coprocessor_operation op =
        i->is_coprocessor ? coprocessor_decode(i).operation : COPROCESSOR_UNDEFINED;
    o->meeting = machine_meeting(s->launch->code, w->pc);
    o->waits = op == COPROCESSOR_BARRIER || op == COPROCESSOR_SYNC;
    o->together = i->writes_pc || op == COPROCESSOR_EXIT ? 0 : w->pc + 4;
    if (o->together) return;
    if (is_in_place(s, w)) {
        const struct sm_thread first =
            thread_at(s, scheduler, w->row[__builtin_ctzll(w->valid)], 0); /* first thread of the row */
        memcpy(o->next, &s->warp[first.warp].threads.pc[first.position], s->positions * sizeof o->next[0]);
        return;
    }
    for (uint64_t rest = w->valid; rest; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctzll(rest);
        const struct sm_thread thread = thread_in(s, scheduler, w, lane);
        o->next[lane] = s->warp[thread.warp].threads.pc[thread.position];
    }
}

static void wait_at_barrier(struct sm *s, unsigned scheduler, const struct regrouped_warp *w) {
    for (uint64_t rest = w->valid; rest; rest &= rest - 1) {
        const struct sm_thread thread = thread_in(s, scheduler, w, (unsigned)__builtin_ctzll(rest));
        sm_wait(s, thread.warp, bit_of(thread.position), w->pc);
        sm_update_warp(s, thread.warp);
    }
    sm_tell_arrival(s, w->group, (unsigned)__builtin_popcountll(w->valid), sm_instruction(s, w->pc));
}

static void end_threads(struct sm *s, unsigned scheduler, const struct regrouped_warp *w, uint64_t lanes) {
    for (uint64_t rest = lanes; rest; rest &= rest - 1) {
        const struct sm_thread thread = thread_in(s, scheduler, w, (unsigned)__builtin_ctzll(rest));
        sm_exit_threads(s, thread.warp, bit_of(thread.position));
        sm_update_warp(s, thread.warp);
    }
    sm_tell_exit(s, w->group, (unsigned)__builtin_popcountll(lanes));
}

void sm_commit_regrouped(struct sm *s, unsigned scheduler, const struct regrouped_warp *w,
                         const struct regrouped_outcome *o) {
    const uint64_t ended = w->valid & ~regrouped_living(w, o);
    if (o->waits)
        wait_at_barrier(s, scheduler, w);
    else if (ended)
        end_threads(s, scheduler, w, ended);
}

/* --- for waves and diagnoses --- */

void sm_visit_regrouped(const struct sm *s, unsigned scheduler, const struct regrouped_warp *w,
                        uint64_t lanes, enum thread_place_state state, const char *table, unsigned entry,
                        thread_place_visitor *visit, void *context) {
    struct thread_place p = {.state = state, .table = table, .entry = entry, .warp = -1, .pc = w->pc};
    for (uint64_t rest = lanes; rest; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctzll(rest);
        p.thread[p.count++] = number_of(s, thread_in(s, scheduler, w, lane));
    }
    if (p.count) visit(context, &p);
}

uint32_t sm_regrouped_where(const struct sm *s, unsigned warp) {
    const struct sm_warp *w = &s->warp[warp];
    return w->live ? w->threads.pc[__builtin_ctzll(w->live)] : 0;
}

/* pc: a PC for each thread (divergence.md §1; dual-mode §4.1). The threads with the smallest PC run, among
 * the threads of a warp that can (simt.pc_policy min_pc). Diverged threads reconverge when the slower ones
 * reach the PC of the others.
 *
 * While all live threads of a warp have the same PC, the engine stores that PC once and does not write the
 * rows `pc`. */
#include "model/config/divergence_engine.h"
#include "model/sm/sm_divergence.h"
#include "model/sm/sm_parts.h"

#include "sim/error.h"

#include <stdlib.h>

struct thread_pcs {
    uint32_t together[SM_MAX_WARPS]; /* common PC of all live threads of a warp; 0 if the PCs differ and the
                                      * rows hold them */
};

static uint32_t *together_of(const struct sm *s, unsigned warp) {
    return &((struct thread_pcs *)s->engine)->together[warp];
}

static void create(struct sm *s) {
    s->engine = calloc(1, sizeof(struct thread_pcs));
    require_memory(s->engine);
}

static void destroy(struct sm *s) {
    free(s->engine);
}

static void start(struct sm *s, unsigned group) {
    for (warp_set rest = s->group[group].warps; rest; rest &= rest - 1)
        *together_of(s, warp_set_first(rest)) = s->launch->thunk;
}

/* --- selection of threads --- */

/* Returns those of `threads` (at least one) that have the smallest PC, and stores that PC. */
static uint64_t least_of(const struct sm *s, unsigned warp, uint64_t threads, uint32_t *pc) {
    const uint32_t *row = s->warp[warp].threads.pc;
    uint64_t its = 0;
    *pc = *together_of(s, warp);
    if (*pc) return threads;
    *pc = UINT32_MAX;
    for (uint64_t rest = threads; rest; rest &= rest - 1) {
        const uint32_t its_pc = row[__builtin_ctzll(rest)];
        if (its_pc > *pc) continue;
        its = its_pc < *pc ? rest & -rest : its | (rest & -rest);
        *pc = its_pc;
    }
    return its;
}

static uint64_t can_run(const struct sm *s, unsigned warp) {
    return s->warp[warp].live & ~s->warp[warp].waiting;
}

static uint64_t runs(const struct sm *s, unsigned warp) {
    uint32_t pc;
    return can_run(s, warp) ? least_of(s, warp, can_run(s, warp), &pc) : 0;
}

static bool select_warp(struct sm *s, unsigned scheduler, uint64_t t, bool free, struct sm_selected *x) {
    unsigned n;
    if (!free || !sm_pick(s, scheduler, sm_ready(s, scheduler), t, &n)) return false;
    x->warp = (uint16_t)(n * s->schedulers + scheduler);
    x->participating = least_of(s, x->warp, can_run(s, x->warp), &x->pc);
    s->front[scheduler].busy |= bit_of(n);
    return true;
}

/* --- next PCs --- */

/* Copies the common PC of a warp into the rows, which hold the PCs from then on. */
static void part(struct sm *s, unsigned warp) {
    uint32_t *together = together_of(s, warp), *row = s->warp[warp].threads.pc;
    for (unsigned k = 0; *together && k < s->warp_size; ++k) row[k] = *together;
    *together = 0;
}

static void go(struct sm *s, unsigned warp, uint64_t threads, uint32_t pc) {
    uint32_t *row = s->warp[warp].threads.pc;
    if (threads == s->warp[warp].live) {
        *together_of(s, warp) = pc;
        return;
    }
    part(s, warp);
    for (uint64_t rest = threads; rest; rest &= rest - 1) row[__builtin_ctzll(rest)] = pc;
}

/* Sets the PC of each thread to the target of its branch. */
static void branch(struct sm *s, unsigned warp, uint64_t threads) {
    const struct arm_threads *t = &s->warp[warp].threads;
    if (!threads) return;
    const uint32_t first = t->next_pc[__builtin_ctzll(threads)];
    uint64_t others = 0;
    for (uint64_t rest = threads; rest; rest &= rest - 1)
        if (t->next_pc[__builtin_ctzll(rest)] != first) others |= rest & -rest;
    if (!others) {
        go(s, warp, threads, first);
        return;
    }
    part(s, warp);
    for (uint64_t rest = threads; rest; rest &= rest - 1)
        t->pc[__builtin_ctzll(rest)] = t->next_pc[__builtin_ctzll(rest)];
}

static void arrive(struct sm *s, const struct sm_flight *f) {
    if (!f->passed) return;
    sm_wait(s, f->warp, f->passed, f->pc);
    sm_tell_arrival(s, s->warp[f->warp].group, (unsigned)__builtin_popcountll(f->passed), f->i);
}

static void leave(struct sm *s, const struct sm_flight *f) {
    sm_exit_threads(s, f->warp, f->passed);
    sm_tell_exit(s, s->warp[f->warp].group, (unsigned)__builtin_popcountll(f->passed));
}

static void commit(struct sm *s, struct sm_flight *f) {
    const uint64_t passed = f->effect == SM_BRANCH || f->effect == SM_EXIT ? f->passed : 0;
    if (f->effect == SM_EXIT) leave(s, f);
    if (f->effect == SM_BARRIER) arrive(s, f);
    if (f->effect == SM_BRANCH) branch(s, f->warp, passed);
    if (f->participating & ~passed) go(s, f->warp, f->participating & ~passed, f->pc + 4);
    if (f->effect == SM_EXIT || f->effect == SM_BARRIER) sm_update_warp(s, f->warp);
    s->front[f->warp % s->schedulers].busy &= ~sm_scheduler_bit(s, f->warp);
}

/* --- for waves and diagnoses --- */

static uint32_t where(const struct sm *s, unsigned warp) {
    uint32_t pc = 0;
    if (s->warp[warp].live) least_of(s, warp, s->warp[warp].live, &pc);
    return pc;
}

static void visit(const struct sm *s, unsigned warp, uint64_t threads, struct sm_place p, sm_place_visitor *v,
                  void *context) {
    for (; threads; threads &= threads - 1)
        p.thread[p.count++] = (uint16_t)(warp * s->warp_size + (unsigned)__builtin_ctzll(threads));
    if (p.count) v(context, &p);
}

static enum sm_place_state state_of_first(const struct sm *s, unsigned warp) {
    if (!(s->front[warp % s->schedulers].busy & sm_scheduler_bit(s, warp))) return SM_PLACE_READY;
    return s->warp[warp].loads || s->warp[warp].stores ? SM_PLACE_MEMORY : SM_PLACE_FLIGHT;
}

/* Visits the PCs of a warp as entries, in ascending order. */
static void places_of(const struct sm *s, unsigned warp, sm_place_visitor *v, void *context) {
    struct sm_place p = {.state = state_of_first(s, warp), .table = "pcs", .warp = (int)warp};
    for (uint64_t rest = can_run(s, warp), its; rest; rest &= ~its, ++p.entry) {
        its = least_of(s, warp, rest, &p.pc);
        visit(s, warp, its, p, v, context);
        p.state = SM_PLACE_INACTIVE;
    }
    p.state = SM_PLACE_BARRIER;
    for (uint64_t rest = s->warp[warp].live & s->warp[warp].waiting, its; rest; rest &= ~its, ++p.entry) {
        its = least_of(s, warp, rest, &p.pc);
        visit(s, warp, its, p, v, context);
    }
}

static void places(const struct sm *s, unsigned scheduler, sm_place_visitor *v, void *context) {
    for (unsigned w = scheduler; w < s->warps; w += s->schedulers) places_of(s, w, v, context);
}

static const char *const tables[] = {"pcs", NULL};

const struct divergence_engine divergence_engine_pc = {
    .doc = "the PC of each thread, and simt.pc_policy",
    .picks = true,
};

const struct sm_divergence sm_divergence_pc = {
    .create = create,
    .free = destroy,
    .start = start,
    .select = select_warp,
    .moves = sm_ready_moves,
    .commit = commit,
    .where = where,
    .runs = runs,
    .tables = tables,
    .places = places,
};

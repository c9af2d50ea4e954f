/* pc: a PC for each thread (divergence.md §1; dual-mode §4). simt.pc_policy chooses the PC of a warp in A,
 * and all threads of the warp that are ready at this PC run. Diverged threads reconverge when their PCs meet.
 *
 * A thread is ready if it waits at no barrier and has no instruction in flight. The operations of kernels
 * change the levels of threads at the commit. With simt.mitigation dpe a warp may have a second instruction
 * in flight, for other threads: ready ones, on a level as high as the highest in flight. It is selected in
 * the cycle after A of the first one at the earliest.
 *
 * While all live threads of a warp have the same PC, the engine stores that PC once and does not write the
 * rows `pc`. */
#include "model/arm/coprocessor.h"
#include "model/config/divergence_engine.h"
#include "model/control/warp_pc_arbiter.h"
#include "model/sm/sm_divergence.h"
#include "model/sm/sm_parts.h"

#include "sim/error.h"

#include <stdlib.h>

struct thread_pcs {
    uint32_t together[SM_MAX_WARPS]; /* common PC of all live threads of a warp; 0 if the PCs differ and the
                                      * rows hold them */
    uint64_t flying[SM_MAX_WARPS];   /* threads with an instruction in flight, between S and C */
    uint8_t paths[SM_MAX_WARPS];     /* instructions in flight */
    uint64_t second_paths;
    struct warp_pc_arbiter arbiter[SM_MAX_SCHEDULERS];
    uint64_t priority[SM_MAX_WARPS][TDT_MAX_LEVELS];
    uint8_t level[SM_MAX_WARPS][TDT_MAX_WARP_SIZE];
};

static struct thread_pcs *pcs_of(const struct sm *s) {
    return s->engine;
}

static uint32_t *together_of(const struct sm *s, unsigned warp) {
    return &pcs_of(s)->together[warp];
}

static struct thread_levels levels_of(const struct sm *s, unsigned warp) {
    struct thread_pcs *p = pcs_of(s);
    return (struct thread_levels){s->config->simt.priority_levels, s->warp_size, p->priority[warp],
                                  p->level[warp]};
}

static void create(struct sm *s) {
    struct thread_pcs *p = s->engine = calloc(1, sizeof(struct thread_pcs));
    require_memory(p);
    for (unsigned n = 0; n < s->schedulers; ++n)
        warp_pc_arbiter_init(&p->arbiter[n], s->config->simt.pc_policy, s->warp_size,
                             s->config->simt.priority_levels);
}

static void destroy(struct sm *s) {
    free(s->engine);
}

static void start(struct sm *s, unsigned group) {
    for (warp_set rest = s->group[group].warps; rest; rest &= rest - 1) {
        const unsigned warp = warp_set_first(rest);
        const struct thread_levels l = levels_of(s, warp);
        *together_of(s, warp) = s->launch->thunk;
        pcs_of(s)->flying[warp] = 0;
        pcs_of(s)->paths[warp] = 0;
        thread_levels_reset(&l, s->whole);
    }
}

/* Copies the common PC of a warp into the rows, which hold the PCs from then on. */
static void part(struct sm *s, unsigned warp) {
    uint32_t *together = together_of(s, warp), *row = s->warp[warp].threads.pc;
    for (unsigned k = 0; *together && k < s->warp_size; ++k) row[k] = *together;
    *together = 0;
}

/* --- selection of threads --- */

static uint64_t can_run(const struct sm *s, unsigned warp) {
    return s->warp[warp].live & ~s->warp[warp].waiting;
}

static uint64_t ready(const struct sm *s, unsigned warp) {
    return can_run(s, warp) & ~pcs_of(s)->flying[warp];
}

/* Sets the inputs of an arbiter for a warp whose threads have no common PC: ready threads, levels, PCs. */
static void read_warp(const struct sm *s, unsigned warp, struct warp_pc_arbiter *a) {
    a->in = (struct warp_pc_arbiter_in){
        .ready = ready(s, warp), .priority = pcs_of(s)->priority[warp], .pc = s->warp[warp].threads.pc};
}

/* Returns the ready threads of a warp that the arbiter chooses (at least one is ready), and stores their
 * PC. */
static uint64_t choose(const struct sm *s, unsigned warp, uint32_t *pc) {
    struct warp_pc_arbiter *a = &pcs_of(s)->arbiter[s->warp[warp].scheduler];
    *pc = *together_of(s, warp);
    if (*pc) return ready(s, warp);
    read_warp(s, warp, a);
    warp_pc_arbiter_eval(a);
    *pc = a->out.pc;
    return a->out.participating;
}

static uint64_t runs(const struct sm *s, unsigned warp) {
    uint32_t pc;
    const uint64_t flying = pcs_of(s)->flying[warp];
    return flying ? flying : ready(s, warp) ? choose(s, warp, &pc) : 0;
}

/* Returns whether a warp can be selected. While it is in A, no warp is: A has room for one. */
static bool is_selectable(const struct sm *s, unsigned warp) {
    const struct thread_pcs *p = pcs_of(s);
    const struct thread_levels l = levels_of(s, warp);
    if (!p->paths[warp]) return true;
    return s->config->simt.mitigation == MITIGATION_DPE && p->paths[warp] == 1 && ready(s, warp) &&
           thread_levels_highest(&l, ready(s, warp)) >= thread_levels_highest(&l, p->flying[warp]);
}

/* Notes whether a warp can be selected, after its threads or instructions in flight have changed. */
static void update(struct sm *s, unsigned warp) {
    uint64_t *busy = &s->front[s->warp[warp].scheduler].busy;
    *busy = is_selectable(s, warp) ? *busy & ~s->warp[warp].bit : *busy | s->warp[warp].bit;
}

/* Returns the warp in A, as a bit: S does not select it in A's last cycle. */
static uint64_t in_arbitrate(const struct sm *s, unsigned scheduler) {
    const struct unit *u = s->front[scheduler].unit;
    return u->arbitrated == u->selected ? 0 : s->warp[unit_nth(u, u->arbitrated)->warp].bit;
}

static bool select_warp(struct sm *s, unsigned scheduler, uint64_t t, bool free, struct sm_selected *x) {
    struct thread_pcs *p = pcs_of(s);
    const uint64_t ready_warps = sm_ready(s, scheduler) & ~in_arbitrate(s, scheduler);
    unsigned n;
    (void)free;
    if (!sm_pick(s, scheduler, ready_warps, t, &n)) return false;
    x->flight->warp = (uint16_t)(n * s->schedulers + scheduler);
    /* preliminary, for the account of the cycle */
    x->flight->participating = choose(s, x->flight->warp, &x->flight->pc);
    p->flying[x->flight->warp] |= x->flight->participating;
    p->second_paths += p->paths[x->flight->warp]++ != 0;
    s->front[scheduler].busy |= bit_of(n);
    return true;
}

/* Evaluates the arbiter as a block with a twin. */
static void ask_twin(struct sm *s, struct sm_selected *x, struct sm_clocked_block *b) {
    struct warp_pc_arbiter *a = b->model;
    part(s, x->flight->warp);
    read_warp(s, x->flight->warp, a);
    warp_pc_arbiter_eval(a);
    sm_clocked_cycle(b);
    x->flight->pc = a->out.pc;
    x->flight->participating = a->out.participating;
}

/* A: what has been committed since S is known. */
static void arbitrate(struct sm *s, struct sm_selected *x) {
    struct thread_pcs *p = pcs_of(s);
    const unsigned scheduler = s->warp[x->flight->warp].scheduler;
    struct sm_clocked_block *twin = &s->clocked[scheduler][CLUSTER_BLOCK_ARBITER];
    p->flying[x->flight->warp] &= ~x->flight->participating;
    if (twin->model)
        ask_twin(s, x, twin);
    else
        x->flight->participating = choose(s, x->flight->warp, &x->flight->pc);
    p->flying[x->flight->warp] |= x->flight->participating;
    update(s, x->flight->warp);
}

/* --- next PCs --- */

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
    const struct thread_levels l = levels_of(s, f->warp);
    const struct simt_instruction n = {(struct arm_instruction *)f->i, f->warp, f->pc, f->participating};
    if (s->check_levels) simt_check_levels(&s->simt, &n, &l, f->passed);
    sm_exit_threads(s, f->warp, f->passed);
    sm_tell_exit(s, s->warp[f->warp].group, (unsigned)__builtin_popcountll(f->passed));
}

static void operate(struct sm *s, const struct sm_flight *f) {
    const struct thread_levels l = levels_of(s, f->warp);
    const struct simt_instruction n = {(struct arm_instruction *)f->i, f->warp, f->pc, f->participating};
    if (coprocessor_changes_level(coprocessor_decode(f->i).operation))
        simt_change_level(&s->simt, &n, &l, f->passed);
}

/* Ends the flight of a warp: its threads are ready again, and the warp may be selected. */
static void end_path(struct sm *s, struct sm_flight *f) {
    pcs_of(s)->flying[f->warp] &= ~f->participating;
    --pcs_of(s)->paths[f->warp];
    update(s, f->warp);
}

static void commit(struct sm *s, struct sm_flight *f) {
    const uint64_t passed = f->effect == SM_BRANCH || f->effect == SM_EXIT ? f->passed : 0;
    if (f->effect == SM_EXIT) leave(s, f);
    if (f->effect == SM_BARRIER) arrive(s, f);
    if (f->effect == SM_BRANCH) branch(s, f->warp, passed);
    if (f->participating & ~passed) go(s, f->warp, f->participating & ~passed, f->pc + 4);
    if (f->i->is_coprocessor) operate(s, f);
    if (f->effect == SM_EXIT || f->effect == SM_BARRIER) sm_update_warp(s, f->warp);
    end_path(s, f);
}

/* --- for waves and diagnoses --- */

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

static uint32_t where(const struct sm *s, unsigned warp) {
    uint32_t pc = 0;
    if (s->warp[warp].live) least_of(s, warp, s->warp[warp].live, &pc);
    return pc;
}

static void visit(const struct sm *s, unsigned warp, uint64_t threads, struct thread_place p,
                  thread_place_visitor *v, void *context) {
    for (; threads; threads &= threads - 1)
        p.thread[p.count++] = (uint16_t)(warp * s->warp_size + (unsigned)__builtin_ctzll(threads));
    if (p.count) v(context, &p);
}

/* Visits threads by their PCs, as entries in ascending order. */
static void visit_all(const struct sm *s, unsigned warp, uint64_t threads, struct thread_place *p,
                      thread_place_visitor *v, void *context) {
    for (uint64_t rest = threads, its; rest; rest &= ~its, ++p->entry) {
        its = least_of(s, warp, rest, &p->pc);
        visit(s, warp, its, *p, v, context);
    }
}

static void places_of(const struct sm *s, unsigned warp, thread_place_visitor *v, void *context) {
    const struct sm_warp *w = &s->warp[warp];
    const bool selectable = !(s->front[w->scheduler].busy & w->bit);
    const uint64_t its = ready(s, warp);
    uint32_t pc;
    const uint64_t next = selectable && its ? choose(s, warp, &pc) : 0;
    struct thread_place p = {
        .state = w->loads || w->stores ? PLACE_MEMORY : PLACE_FLIGHT, .table = "pcs", .warp = (int)warp};
    visit_all(s, warp, pcs_of(s)->flying[warp], &p, v, context);
    p.state = PLACE_READY;
    visit_all(s, warp, next, &p, v, context);
    p.state = PLACE_INACTIVE;
    visit_all(s, warp, its & ~next, &p, v, context);
    p.state = PLACE_BARRIER;
    visit_all(s, warp, w->live & w->waiting, &p, v, context);
}

static void places(const struct sm *s, unsigned scheduler, thread_place_visitor *v, void *context) {
    for (unsigned w = scheduler; w < s->warps; w += s->schedulers) places_of(s, w, v, context);
}

static void *clocked(struct sm *s, struct sm_clocked_block *b) {
    if (b->block != CLUSTER_BLOCK_ARBITER) return NULL;
    struct warp_pc_arbiter *a = malloc(sizeof *a);
    require_memory(a);
    *a = pcs_of(s)->arbiter[b->scheduler];
    return a;
}

static void register_counters(struct sm *s, const char *scope, struct counter_registry *r) {
    if (s->config->simt.mitigation != MITIGATION_DPE) return;
    counter_register(r, scope, "second_paths", "instructions",
                     "selected while another instruction of the warp was in flight",
                     &pcs_of(s)->second_paths);
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
    .arbitrate = arbitrate,
    .copied = end_path,
    .commit = commit,
    .register_counters = register_counters,
    .where = where,
    .runs = runs,
    .tables = tables,
    .places = places,
    .clocked = clocked,
};

/* lwm: large warps (divergence.md §4; Narasiman et al. 2011). A re-convergence stack controls lwm.threads
 * threads of a work-group. The lanes execute an instruction in sub-warps (subwarp_packer.h), one after the
 * other; the large warp is selected again after all of them have been written.
 *
 * A large warp consists of several warps of the register file and has the number of the first. */
#include "model/divergence/subwarp_packer.h"
#include "model/config/divergence_engine.h"
#include "model/config/own_fields.h"
#include "model/sm/regrouped.h"
#include "model/sm/stacks.h"

#include "sim/error.h"

#include <stdlib.h>

struct lwm {
    struct large_warp {
        uint8_t part[SM_STACK_MAX_PARTS], parts;
        unsigned flights;                                /* number of sub-warps in flight */
        re_convergence_mask rest, participating, passed; /* threads of the instruction: not yet started, all,
                                                          * with a true condition */
    } warp[SM_MAX_WARPS];
    uint8_t number[SM_MAX_WARPS], place[SM_MAX_WARPS]; /* for each warp of the register file: its large warp,
                                                        * and its index in that */
    uint64_t ready[SM_MAX_SCHEDULERS];                 /* large warps with threads that can run */
};

static struct lwm *lwm_of(const struct sm *s) {
    return s->engine;
}

static void create(struct sm *s) {
    re_convergence_stack_init(&s->stack, s->warps, own_fields(s->config)->lwm.threads,
                              s->config->simt.stack_calls);
    s->engine = calloc(1, sizeof(struct lwm));
    require_memory(s->engine);
}

static void destroy(struct sm *s) {
    re_convergence_stack_free(&s->stack);
    free(s->engine);
}

static void launch(struct sm *s) {
    for (unsigned n = 0; n < s->schedulers; ++n) lwm_of(s)->ready[n] = 0;
}

/* --- large warps --- */

/* Returns the threads at the top of a large warp's stack that do not wait at a barrier. */
static re_convergence_mask runs(const struct sm *s, unsigned warp) {
    const struct large_warp *w = &lwm_of(s)->warp[warp];
    return s->stack.warp[warp].top.mask & ~sm_stack_waiting(s, w->part, w->parts);
}

static void update(struct sm *s, unsigned warp) {
    uint64_t *ready = &lwm_of(s)->ready[warp % s->schedulers];
    const uint64_t bit = sm_scheduler_bit(s, warp);
    *ready = runs(s, warp) ? *ready | bit : *ready & ~bit;
}

/* Makes large warps of these warps, which have one scheduler. */
static void form(struct sm *s, warp_set rest) {
    struct lwm *l = lwm_of(s);
    const unsigned parts = own_fields(s->config)->lwm.threads / s->warp_size;
    while (rest) {
        const unsigned first = warp_set_first(rest);
        struct large_warp *w = &l->warp[first];
        *w = (struct large_warp){.parts = 0};
        for (; w->parts < parts && rest; rest &= rest - 1) {
            const unsigned part = warp_set_first(rest);
            l->number[part] = (uint8_t)first;
            l->place[part] = w->parts;
            w->part[w->parts++] = (uint8_t)part;
            for (unsigned k = 0; k < s->warp_size; ++k) s->warp[part].threads.pc[k] = s->launch->thunk;
        }
        re_convergence_stack_start(&s->stack, first, s->launch->thunk, sm_stack_live(s, w->part, w->parts));
        update(s, first);
    }
}

static void start(struct sm *s, unsigned group) {
    for (unsigned n = 0; n < s->shares; ++n) form(s, s->group[group].warps & s->of_share[n]);
}

static void release(struct sm *s, unsigned group) {
    for (warp_set rest = s->group[group].warps; rest; rest &= rest - 1) {
        const unsigned warp = warp_set_first(rest);
        if (lwm_of(s)->number[warp] == warp) update(s, warp);
    }
}

static uint64_t ready(const struct sm *s, unsigned scheduler) {
    return lwm_of(s)->ready[scheduler] & ~s->front[scheduler].busy;
}

static bool select_warp(struct sm *s, unsigned scheduler, uint64_t t, bool free, struct sm_selected *x) {
    unsigned n;
    (void)free;
    if (!sm_pick(s, scheduler, ready(s, scheduler), t, &n)) return false;
    x->flight->warp = (uint16_t)(n * s->schedulers + scheduler);
    x->flight->pc = re_convergence_stack_pc(&s->stack, x->flight->warp);
    x->threads.warp = x->flight->warp;
    x->threads.regrouped = true;
    s->front[scheduler].busy |= bit_of(n);
    return true;
}

static bool moves(const struct sm *s, unsigned scheduler, bool free) {
    return free && ready(s, scheduler);
}

/* --- sub-warps --- */

static void arbitrate(struct sm *s, struct sm_selected *x) {
    struct large_warp *w = &lwm_of(s)->warp[x->threads.warp];
    re_convergence_stack_read(&s->stack, x->threads.warp);
    x->flight->pc = re_convergence_stack_pc(&s->stack, x->threads.warp);
    w->participating = w->rest = runs(s, x->threads.warp);
    w->passed = 0;
}

/* Returns the threads of the next sub-warp. If a driving twin of the packer chooses another non-empty set,
 * that set is used; of two threads in one lane only the first is taken. */
static re_convergence_mask pack(struct sm *s, const struct large_warp *w, unsigned scheduler) {
    struct subwarp_packer *p = s->clocked[scheduler][CLUSTER_BLOCK_PACKER].model;
    if (!p) return subwarp_packer_next(w->rest, s->positions);
    subwarp_packer_ask(p, w->rest);
    subwarp_packer_eval(p);
    sm_clocked_cycle(&s->clocked[scheduler][CLUSTER_BLOCK_PACKER]);
    const re_convergence_mask said = subwarp_packer_said(p) & w->rest;
    return subwarp_packer_next(said ? said : w->rest, s->positions);
}

/* Assigns the threads of a sub-warp to their lanes. */
static void spread(const struct sm *s, const struct large_warp *w, re_convergence_mask threads,
                   struct sm_selected *x) {
    x->flight->participating = 0;
    for (re_convergence_mask rest = threads; rest; rest &= rest - 1) {
        const unsigned k = re_convergence_first(rest), lane = k % s->positions;
        x->flight->participating |= bit_of(lane);
        x->threads.at[lane] = (uint16_t)(w->part[k / s->warp_size] * s->warp_size + k % s->warp_size);
    }
    x->flight->warp = (uint16_t)(x->threads.at[__builtin_ctzll(x->flight->participating)] / s->warp_size);
}

static bool next_flight(struct sm *s, struct sm_selected *x) {
    struct large_warp *w = &lwm_of(s)->warp[x->threads.warp];
    const re_convergence_mask threads = pack(s, w, x->threads.warp % s->schedulers);
    const unsigned first = re_convergence_first(threads), row = first - first % s->positions;
    const re_convergence_mask in_row = threads >> row;
    x->threads.in_place = s->rows_whole && !(in_row >> (s->positions - 1) >> 1);
    if (x->threads.in_place) {
        x->flight->warp = w->part[first / s->warp_size];
        x->threads.first = (uint8_t)(row % s->warp_size);
        x->flight->participating = (uint64_t)in_row;
    } else {
        spread(s, w, threads, x);
    }
    w->rest &= ~threads;
    ++w->flights;
    return w->rest != 0;
}

static bool written(struct sm *s, struct sm_flight *f) {
    const struct lwm *l = lwm_of(s);
    struct large_warp *w = &lwm_of(s)->warp[f->threads.warp];
    if (f->threads.in_place)
        w->passed |= (re_convergence_mask)f->passed << (l->place[f->warp] * s->warp_size + f->threads.first);
    for (uint64_t rest = f->threads.in_place ? 0 : f->passed; rest; rest &= rest - 1) {
        const struct sm_thread thread = sm_thread_of(s, f, (unsigned)__builtin_ctzll(rest));
        w->passed |= (re_convergence_mask)1 << (l->place[thread.warp] * s->warp_size + thread.position);
    }
    return !--w->flights && !w->rest;
}

static void commit(struct sm *s, struct sm_flight *f) {
    const unsigned warp = f->threads.warp;
    const struct large_warp *w = &lwm_of(s)->warp[warp];
    const struct sm_stack_commit c = {.warp = warp,
                                      .part = w->part,
                                      .parts = w->parts,
                                      .i = f->i,
                                      .pc = f->pc,
                                      .effect = f->effect,
                                      .participating = w->participating,
                                      .passed = w->passed};
    sm_stack_commit(s, &c);
    s->front[warp % s->schedulers].busy &= ~sm_scheduler_bit(s, warp);
    update(s, warp);
}

static void *clocked(struct sm *s, struct sm_clocked_block *b) {
    if (b->block != CLUSTER_BLOCK_PACKER) return sm_stack_clocked(s, b);
    struct subwarp_packer *p = malloc(sizeof *p);
    require_memory(p);
    subwarp_packer_init(p, s->positions, own_fields(s->config)->lwm.threads / s->positions);
    return p;
}

static void places(const struct sm *s, unsigned scheduler, thread_place_visitor *visit, void *context) {
    const struct lwm *l = lwm_of(s);
    for (unsigned n = scheduler; n < s->warps; n += s->schedulers)
        if (!warp_set_has(s->free_warps, n) && l->number[n] == n)
            sm_stack_places(s, n, l->warp[n].part, l->warp[n].parts, visit, context);
}

static bool check(const struct machine_config *c, struct error *e) {
    return own_fields(c)->lwm.threads % c->simt.warp_size == 0 ||
           error_set(e, EXIT_USER,
                     "lwm.threads %u must be a multiple of simt.warp_size %u, in which the register "
                     "file is given out",
                     own_fields(c)->lwm.threads, c->simt.warp_size);
}

const struct divergence_engine divergence_engine_lwm = {
    .doc = "large warps",
    .regroups = true,
    .as_wide_as_lanes = true,
    .picks = true,
    .check = check,
};

const struct sm_divergence sm_divergence_lwm = {
    .create = create,
    .free = destroy,
    .launch = launch,
    .start = start,
    .select = select_warp,
    .moves = moves,
    .arbitrate = arbitrate,
    .next_flight = next_flight,
    .written = written,
    .commit = commit,
    .release = release,
    .where = sm_regrouped_where,
    .tables = sm_stack_tables,
    .places = places,
    .clocked = clocked,
};

/* Large warps (divergence.md §4.3, §4.10; Narasiman et al. 2011). A re-convergence stack controls lwm.threads
 * threads, those of several warps of the TPMs. It has the number of the first of these. Sub-warps
 * (subwarp_packer.h) are rounds of flights. A large warp is selected again while sub-warps of its instruction
 * are left; all its threads are committed with its last flight. */
#include "model/arm/coprocessor.h"
#include "model/config/own_fields.h"
#include "model/divergence/subwarp_packer.h"
#include "model/slots/divergence/sbr.h"
#include "model/unit/regrouped.h"
#include "model/unit/slots.h"

#include "sim/error.h"

#include <stdlib.h>

struct lwm {
    unsigned parts; /* most warps of a large warp */
    struct large_warp {
        unsigned flights;                          /* number of flights of its instruction */
        re_convergence_mask participating, passed; /* threads of the instruction; with a true condition */
        re_convergence_mask rest;                  /* threads that S has not selected yet */
    } warp[TDT_MAX_WARPS];
};

static struct lwm *lwm_of(const struct unit *u) {
    return u->engine;
}

static void create(struct unit *u) {
    const struct cluster *c = u->cluster;
    const unsigned threads = own_fields(c->config)->lwm.threads;
    re_convergence_stack_init(&u->stack, c->warps, threads, c->config->simt.stack_calls);
    u->engine = calloc(1, sizeof(struct lwm));
    require_memory(u->engine);
    lwm_of(u)->parts = threads / c->descriptors.warp_size;
}

static void destroy(struct unit *u) {
    sbr_free(u);
    free(u->engine);
}

/* --- large warps --- */

/* A large warp's thread n is in lane n mod lanes, whatever simt.lane_map is (subwarp_packer.h). Returns its
 * home. */
static unsigned home_of(const struct unit *u, unsigned warp, unsigned thread) {
    const struct cluster *c = u->cluster;
    const unsigned size = c->descriptors.warp_size, n = thread % size;
    return (warp + thread / size) * size + cluster_position(c, n % c->lanes, n / c->lanes);
}

/* Returns positions of a home warp as thread numbers of the large warp whose n-th warp it is. */
static re_convergence_mask in_large(const struct unit *u, uint64_t positions, unsigned n) {
    const struct cluster *c = u->cluster;
    uint64_t mask = 0;
    if (positions == c->descriptors.all || c->map.kind == LANE_MAP_CYCLIC)
        mask = positions;
    else
        for (uint64_t rest = positions; rest; rest &= rest - 1) {
            const unsigned k = (unsigned)__builtin_ctzll(rest);
            mask |= UINT64_C(1) << (lane_map_round(c->map, k) * c->lanes + lane_map_lane(c->map, k));
        }
    return (re_convergence_mask)mask << n * c->descriptors.warp_size;
}

enum state { READY, BARRIER };

/* Returns the threads of a large warp in a state. */
static re_convergence_mask threads_in(const struct unit *u, unsigned warp, enum state state) {
    re_convergence_mask all = 0;
    for (unsigned n = 0; n < lwm_of(u)->parts && warp + n < u->cluster->warps; ++n) {
        const struct warp_descriptors *w = &u->cluster->descriptors.warp[warp + n];
        all |= in_large(u, state == READY ? w->ready : w->barrier, n);
    }
    return all;
}

/* Notes whether a large warp can be selected: sub-warps are left, or it has no flight and ready threads at
 * the top. */
static void update(struct unit *u, unsigned warp) {
    const struct large_warp *w = &lwm_of(u)->warp[warp];
    if (w->rest || (!w->flights && (u->stack.warp[warp].top.mask & threads_in(u, warp, READY))))
        warp_set_add(&u->ready, warp);
    else
        warp_set_remove(&u->ready, warp);
}

static void begin(struct unit *u) {
    struct cluster *c = u->cluster;
    for (unsigned n = 0; n < c->warps; n += lwm_of(u)->parts) {
        uint32_t pc = 0;
        lwm_of(u)->warp[n] = (struct large_warp){0};
        for (unsigned k = n; k < n + lwm_of(u)->parts && k < c->warps; ++k) {
            const struct warp_descriptors *w = &c->descriptors.warp[k];
            tdt_settle(&c->descriptors, k);
            if (w->ready) pc = w->pc[__builtin_ctzll(w->ready)];
        }
        re_convergence_stack_start(&u->stack, n, pc, threads_in(u, n, READY));
        update(u, n);
    }
}

/* --- S: the threads of a flight --- */

/* Returns the threads of the next sub-warp. If a driving twin of the packer chooses another non-empty set,
 * that set is used; of two threads in one lane only the first is taken. */
static re_convergence_mask pack(struct unit *u, re_convergence_mask rest) {
    struct unit_clocked *b = &u->clocked[CLUSTER_BLOCK_PACKER];
    struct subwarp_packer *p = b->model;
    if (!p) return subwarp_packer_next(rest, u->cluster->lanes);
    subwarp_packer_ask(p, rest);
    subwarp_packer_eval(p);
    unit_clocked_cycle(b);
    const re_convergence_mask said = subwarp_packer_said(p) & rest;
    return subwarp_packer_next(said ? said : rest, u->cluster->lanes);
}

/* Takes as many sub-warps as a flight has rounds. */
static void take(struct unit *u, struct unit_flight *f) {
    const struct cluster *c = u->cluster;
    struct large_warp *w = &lwm_of(u)->warp[f->formed];
    uint16_t home[MACHINE_MAX_WARP_SIZE];
    uint64_t positions = 0;
    if (!w->flights) {
        re_convergence_stack_read(&u->stack, f->formed);
        w->participating = w->rest = u->stack.warp[f->formed].top.mask & threads_in(u, f->formed, READY);
        w->passed = 0;
    }
    for (unsigned round = 0; round < c->rounds && w->rest; ++round) {
        const re_convergence_mask threads = pack(u, w->rest);
        for (re_convergence_mask rest = threads; rest; rest &= rest - 1) {
            const unsigned n = re_convergence_first(rest), k = cluster_position(c, n % c->lanes, round);
            home[k] = (uint16_t)home_of(u, f->formed, n);
            positions |= UINT64_C(1) << k;
        }
        w->rest &= ~threads;
    }
    ++w->flights;
    unit_take_homes(u, f, re_convergence_stack_pc(&u->stack, f->formed), positions, home);
    update(u, f->formed);
}

/* --- C --- */

/* Adds the threads of a flight with a true condition to those of its large warp. */
static void note_passed(struct unit *u, const struct unit_flight *f) {
    for (uint64_t rest = f->participating; rest;) {
        const struct unit_part p = unit_next_part(u, f, &rest);
        lwm_of(u)->warp[f->formed].passed |= in_large(u, unit_part_passed(u, f, &p), p.warp - f->formed);
    }
}

/* Commits the threads of a large warp and moves its stack. */
static void commit_large(struct unit *u, const struct unit_flight *f, uint64_t t) {
    const struct large_warp *w = &lwm_of(u)->warp[f->formed];
    const enum coprocessor_operation op =
        f->i->is_coprocessor ? coprocessor_decode(f->i).operation : COPROCESSOR_UNDEFINED;
    const bool exits = op == COPROCESSOR_EXIT;
    const re_convergence_mask leaving = exits || op == COPROCESSOR_BARRIER ? w->passed : 0;
    const unsigned size = u->cluster->descriptors.warp_size;
    uint64_t threads[LWM_MAX_THREADS] = {0}, gone[LWM_MAX_THREADS] = {0};
    uint32_t pc[LWM_MAX_THREADS];
    for (re_convergence_mask rest = w->participating; rest; rest &= rest - 1) {
        const unsigned n = re_convergence_first(rest), home = home_of(u, f->formed, n);
        pc[n] = u->cluster->descriptors.warp[home / size].pc[home % size];
        threads[n / size] |= UINT64_C(1) << home % size;
        gone[n / size] |= (uint64_t)(leaving >> n & 1) << home % size;
    }
    for (unsigned n = 0; n < lwm_of(u)->parts; ++n) {
        const struct simt_instruction part = {f->i, f->formed + n, f->pc, threads[n]};
        if (threads[n]) unit_commit_part(u, &part, gone[n], t);
    }
    u->committed = t;
    const struct re_convergence_commit c = {.warp = f->formed,
                                            .i = f->i,
                                            .pc = f->pc,
                                            .meeting = machine_meeting(u->cluster->launch->code, f->pc),
                                            .participating = w->participating,
                                            .left = leaving,
                                            .exits = exits && leaving,
                                            .barrier = threads_in(u, f->formed, BARRIER),
                                            .ready = threads_in(u, f->formed, READY),
                                            .next = pc};
    if (!re_convergence_stack_commit(&u->stack, &c))
        simt_diagnose(&u->cluster->simt, f->warp, unit_first_position(u, f), f->pc, RE_CONVERGENCE_STACK_FULL,
                      u->cluster->config->simt.stack_calls);
}

static uint64_t commit(struct unit *u, struct unit_flight *f, uint64_t t) {
    struct large_warp *w = &lwm_of(u)->warp[f->formed];
    note_passed(u, f);
    unit_land_regrouped(u, f);
    if (!--w->flights && !w->rest) commit_large(u, f, t);
    update(u, f->formed);
    return 0;
}

static void release(struct unit *u, unsigned group) {
    (void)group;
    for (unsigned n = 0; n < u->cluster->warps; n += lwm_of(u)->parts) update(u, n);
}

static void *clocked(struct unit *u, enum cluster_block b, void (*evaluated)(void *context), void *context) {
    if (b != CLUSTER_BLOCK_PACKER) return sbr_clocked(u, b, evaluated, context);
    struct subwarp_packer *p = malloc(sizeof *p);
    require_memory(p);
    subwarp_packer_init(p, u->cluster->lanes,
                        own_fields(u->cluster->config)->lwm.threads / u->cluster->lanes);
    return p;
}

const struct divergence_slot divergence_lwm = {.create = create,
                                               .free = destroy,
                                               .launch = sbr_launch,
                                               .begin = begin,
                                               .next = unit_schedule_regrouped,
                                               .commit = commit,
                                               .clocked = clocked,
                                               .take = take,
                                               .release = release};

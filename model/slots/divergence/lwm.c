/* lwm: large warps (divergence.md §4.3, §4.10; Narasiman et al. 2011). A re-convergence stack controls
 * lwm.threads threads of a work-group, those of several home warps. A large warp has the number of the first
 * of these. The lanes execute its instruction in sub-warps (subwarp_packer.h). An SM selects it again after
 * all of them have been written, and makes each a flight when it comes to the operands. In a cluster of cores
 * a flight has as many sub-warps as rounds; a large warp is selected again while sub-warps are left. */
#include "model/config/divergence_engine.h"
#include "model/config/own_fields.h"
#include "model/divergence/re_convergence_stack_cycle.h"
#include "model/divergence/subwarp_packer.h"
#include "model/unit/regrouped_parts.h"
#include "model/unit/slots.h"

#include "sim/error.h"

#include <stdlib.h>

struct lwm {
    struct large_warp {
        struct regrouped_large w;
        bool busy;                /* S has selected all threads of its instruction */
        unsigned flights;         /* number of flights of its instruction */
        re_convergence_mask rest; /* threads of the instruction that are in no flight yet */
    } warp[TDT_MAX_WARPS];
    struct subwarp_packer *packer; /* model with ports, which calls evaluated(context); NULL: none */
    void (*evaluated)(void *context);
    void *context;
};

static struct lwm *lwm_of(const struct unit *u) {
    return u->engine;
}

static struct re_convergence_stack *stacks_of(const struct unit *u) {
    return u->regrouped->machine->stacks(u);
}

static unsigned threads_of(const struct unit *u) {
    return own_fields(u->simt->config)->lwm.threads;
}

/* The stacks are those of all units. */
static void create(struct unit *u) {
    if (!u->path)
        re_convergence_stack_init(stacks_of(u), u->simt->warps, threads_of(u),
                                  u->simt->config->simt.stack_calls);
    u->engine = calloc(1, sizeof(struct lwm));
    require_memory(u->engine);
}

static void destroy(struct unit *u) {
    if (!u->path) re_convergence_stack_free(stacks_of(u));
    free(u->engine);
}

static void launch(struct unit *u) {
    if (!u->path && stacks_of(u)->cycle) re_convergence_stack_cycle_reset(stacks_of(u)->cycle);
}

/* --- large warps --- */

/* Returns the threads at the top of a large warp's stack that can run. */
static re_convergence_mask runs(const struct unit *u, const struct large_warp *w) {
    return stacks_of(u)->warp[w->w.number].top.mask &
           unit_large_threads(u, &w->w, u->regrouped->machine->ready);
}

/* Notes whether a large warp can be selected: sub-warps are left for S, or it has no flight and threads that
 * run. */
static void update(struct unit *u, const struct large_warp *w) {
    const unsigned n = w->w.number / u->regrouped->schedulers;
    if (!w->busy && (w->rest || runs(u, w)))
        warp_set_add(&u->ready, n);
    else
        warp_set_remove(&u->ready, n);
}

static void start_warps(struct unit *u, warp_set rest) {
    const unsigned size = u->regrouped->size, parts = threads_of(u) / size;
    while (rest) {
        const unsigned first = warp_set_first(rest);
        struct large_warp *w = &lwm_of(u)->warp[first];
        uint32_t pc = 0;
        *w = (struct large_warp){.w.number = first};
        for (; w->w.parts < parts && rest; rest &= rest - 1) {
            const unsigned part = warp_set_first(rest);
            const uint64_t ready = u->regrouped->machine->ready(u, part);
            w->w.part[w->w.parts++] = (uint8_t)part;
            if (ready) pc = u->regrouped->machine->pcs(u, part)[__builtin_ctzll(ready)];
        }
        re_convergence_stack_start(stacks_of(u), first, pc,
                                   unit_large_threads(u, &w->w, u->regrouped->machine->ready));
        update(u, w);
    }
}

static void release(struct unit *u, unsigned group) {
    (void)group;
    for (unsigned n = 0; n < u->simt->warps; ++n)
        if (lwm_of(u)->warp[n].w.parts) update(u, &lwm_of(u)->warp[n]);
}

/* --- sub-warps --- */

/* Begins an instruction. */
static uint32_t open(struct unit *u, unsigned number) {
    struct large_warp *w = &lwm_of(u)->warp[number];
    re_convergence_stack_read(stacks_of(u), number);
    w->w.participating = w->rest = runs(u, w);
    w->w.passed = 0;
    return re_convergence_stack_pc(stacks_of(u), number);
}

/* Returns whether sub-warps are formed after S. */
static bool is_late(const struct unit *u) {
    return !u->regrouped->machine->take_subwarps;
}

static void take(struct unit *u, struct unit_flight *f) {
    f->formed = f->formed * u->regrouped->schedulers + u->path;
    struct large_warp *w = &lwm_of(u)->warp[f->formed];
    f->warp = (uint16_t)f->formed;
    if (is_late(u)) {
        f->pc = re_convergence_stack_pc(stacks_of(u), f->formed);
        w->busy = true;
    } else {
        if (!w->flights && !w->rest) open(u, f->formed); /* a flight may commit before S selects the next */
        u->regrouped->machine->take_subwarps(u, f);
        ++w->flights;
        w->busy = !w->rest;
    }
    update(u, w);
}

/* Returns the threads of the next sub-warp. If a driving twin of the packer chooses another non-empty set,
 * that set is used; of two threads in one lane only the first is taken. */
static re_convergence_mask pack(struct unit *u, re_convergence_mask rest) {
    struct subwarp_packer *p = lwm_of(u)->packer;
    if (!p) return subwarp_packer_next(rest, u->regrouped->width);
    subwarp_packer_ask(p, rest);
    subwarp_packer_eval(p);
    lwm_of(u)->evaluated(lwm_of(u)->context);
    const re_convergence_mask said = subwarp_packer_said(p) & rest;
    return subwarp_packer_next(said ? said : rest, u->regrouped->width);
}

static bool subwarp(struct unit *u, unsigned number, uint64_t *lanes, uint16_t *home) {
    struct large_warp *w = &lwm_of(u)->warp[number];
    const re_convergence_mask threads = pack(u, w->rest);
    *lanes = 0;
    for (re_convergence_mask rest = threads; rest; rest &= rest - 1) {
        const unsigned n = re_convergence_first(rest), lane = n % u->regrouped->width;
        home[lane] = (uint16_t)unit_large_home(u, &w->w, n);
        *lanes |= UINT64_C(1) << lane;
    }
    w->rest &= ~threads;
    w->flights += is_late(u);
    return w->rest != 0;
}

/* --- C --- */

static void passed(struct unit *u, unsigned number, unsigned warp, uint64_t threads) {
    struct regrouped_large *w = &lwm_of(u)->warp[number].w;
    unsigned n = 0;
    while (w->part[n] != warp) ++n;
    w->passed |= unit_in_large(u, n, threads);
}

static bool ends(struct unit *u, unsigned number) {
    struct large_warp *w = &lwm_of(u)->warp[number];
    return !--w->flights && !w->rest;
}

static void commit(struct unit *u, unsigned number, uint64_t t) {
    struct large_warp *w = &lwm_of(u)->warp[number];
    u->regrouped->machine->commit_large(u, &w->w, t);
    w->busy = false;
    update(u, w);
}

/* --- waves and twins --- */

static const struct regrouped_large *large(const struct unit *u, unsigned number) {
    return lwm_of(u)->warp[number].w.parts ? &lwm_of(u)->warp[number].w : NULL;
}

static void *clocked(struct unit *u, enum cluster_block b, void (*evaluated)(void *context), void *context) {
    struct lwm *l = lwm_of(u);
    if (b == CLUSTER_BLOCK_STACK && !u->path)
        return re_convergence_stack_cycle_create(stacks_of(u), evaluated, context);
    if (b != CLUSTER_BLOCK_PACKER) return NULL;
    l->packer = malloc(sizeof *l->packer);
    require_memory(l->packer);
    l->evaluated = evaluated;
    l->context = context;
    subwarp_packer_init(l->packer, u->regrouped->width, threads_of(u) / u->regrouped->width);
    return l->packer;
}

static const char *const tables[] = {"stack", NULL};

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

const struct divergence_slot divergence_lwm = {.create = create,
                                               .free = destroy,
                                               .launch = launch,
                                               .start_warps = start_warps,
                                               .next = unit_schedule_regrouped,
                                               .take = take,
                                               .open = open,
                                               .subwarp = subwarp,
                                               .passed = passed,
                                               .ends = ends,
                                               .commit_formed = commit,
                                               .release = release,
                                               .clocked = clocked,
                                               .tables = tables,
                                               .large = large};

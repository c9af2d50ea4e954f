/* Each warp has a re-convergence stack (divergence.md §4.9): the threads of its top entry run together. The
 * descriptors keep the states and the PC of each thread; the stack determines which of them run. */
#include "model/slots/divergence/sbr.h"

#include "model/arm/coprocessor.h"
#include "model/divergence/re_convergence_stack_cycle.h"
#include "model/unit/slots.h"

#include "sim/error.h"

/* --- stays in SIMT mode --- */

void sbr_create(struct unit *u) {
    const struct cluster *c = u->cluster;
    re_convergence_stack_init(&u->stack, c->warps, c->descriptors.warp_size, c->config->simt.stack_calls);
}

void sbr_free(struct unit *u) {
    re_convergence_stack_free(&u->stack);
}

void sbr_launch(struct unit *u) {
    if (u->stack.cycle) re_convergence_stack_cycle_reset(u->stack.cycle);
}

void *sbr_clocked(struct unit *u, enum cluster_block b, void (*evaluated)(void *context), void *context) {
    if (b != CLUSTER_BLOCK_STACK) return NULL;
    return re_convergence_stack_cycle_create(&u->stack, evaluated, context);
}

/* All threads of a work-group begin at one PC. */
void sbr_begin(struct unit *u) {
    const struct cluster *c = u->cluster;
    for (unsigned n = 0; n < c->warps; ++n) {
        const struct warp_descriptors *w = &c->descriptors.warp[n];
        const uint32_t pc = w->ready ? tdt_pc(w, (unsigned)__builtin_ctzll(w->ready)) : 0;
        for (uint64_t rest = w->ready; rest; rest &= rest - 1)
            invariant(tdt_pc(w, (unsigned)__builtin_ctzll(rest)) == pc, "warp %u begins at several PCs", n);
        re_convergence_stack_start(&u->stack, n, pc, w->ready);
    }
}

/* --- A --- */

uint64_t sbr_runs(const struct unit *u, unsigned warp) {
    return re_convergence_stack_mask(&u->stack, warp) & u->cluster->descriptors.warp[warp].ready;
}

void sbr_next(struct unit *u, struct unit_flight *f, uint64_t t) {
    struct cluster *c = u->cluster;
    struct warp_descriptors *w = &c->descriptors.warp[f->warp];
    (void)t;
    re_convergence_stack_read(&u->stack, f->warp);
    f->pc = re_convergence_stack_pc(&u->stack, f->warp);
    f->participating = sbr_runs(u, f->warp);
    invariant(tdt_pc(w, (unsigned)__builtin_ctzll(f->participating)) == f->pc,
              "the top of warp %u is at 0x%x, its threads are elsewhere", f->warp, f->pc);
    if (!u->ports && w->together != f->participating) {
        tdt_settle(&c->descriptors, f->warp);
        tdt_gather(&c->descriptors, f->warp, f->participating, f->pc);
    }
    tdt_schedule(w, f->participating);
    unit_tell_schedule(u, f);
}

/* --- C --- */

uint64_t sbr_commit(struct unit *u, struct unit_flight *f, uint64_t t) {
    const struct cluster *c = u->cluster;
    const uint64_t stay = divergence_pc.commit(u, f, t);
    const struct warp_descriptors *w = &c->descriptors.warp[f->warp];
    uint32_t next[TDT_MAX_WARP_SIZE];
    for (uint64_t rest = f->i->writes_pc ? f->participating : 0; rest; rest &= rest - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(rest);
        next[k] = f->passed >> k & 1 ? c->threads[f->warp].next_pc[k] : f->pc + 4;
    }
    const struct re_convergence_commit x = {.warp = f->warp,
                                            .i = f->i,
                                            .pc = f->pc,
                                            .meeting = machine_meeting(c->launch->code, f->pc),
                                            .participating = f->participating,
                                            .left = f->participating & ~stay,
                                            .exits = stay != f->participating && !(w->barrier & f->passed),
                                            .barrier = w->barrier,
                                            .ready = w->ready | stay,
                                            .next = next};
    if (!re_convergence_stack_commit(&u->stack, &x))
        simt_diagnose(&u->cluster->simt, f->warp, (unsigned)__builtin_ctzll(f->participating), f->pc,
                      RE_CONVERGENCE_STACK_FULL, c->config->simt.stack_calls);
    return stay;
}

const struct divergence_slot divergence_sbr = {.create = sbr_create,
                                               .free = sbr_free,
                                               .begin = sbr_begin,
                                               .launch = sbr_launch,
                                               .next = sbr_next,
                                               .commit = sbr_commit,
                                               .runs = sbr_runs,
                                               .clocked = sbr_clocked};

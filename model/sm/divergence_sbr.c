/* sbr: each warp of the register file has its own re-convergence stack (divergence.md §4). */
#include "model/config/divergence_engine.h"
#include "model/sm/divergence_sbr.h"

void sm_sbr_create(struct sm *s) {
    re_convergence_stack_init(&s->stack, s->warps, s->warp_size, s->config->simt.stack_calls);
}

void sm_sbr_free(struct sm *s) {
    re_convergence_stack_free(&s->stack);
}

void sm_sbr_start(struct sm *s, unsigned group) {
    for (warp_set rest = s->group[group].warps; rest; rest &= rest - 1) {
        const unsigned warp = warp_set_first(rest);
        re_convergence_stack_start(&s->stack, warp, s->launch->thunk, s->warp[warp].live);
    }
}

bool sm_sbr_select(struct sm *s, unsigned scheduler, uint64_t t, bool free, struct sm_selected *x) {
    unsigned n;
    (void)free;
    if (!sm_pick(s, scheduler, sm_ready(s, scheduler), t, &n)) return false;
    x->flight->warp = (uint16_t)(n * s->schedulers + scheduler);
    x->flight->pc = re_convergence_stack_pc(&s->stack, x->flight->warp);
    s->front[scheduler].busy |= bit_of(n);
    return true;
}

void sm_sbr_arbitrate(struct sm *s, struct sm_selected *x) {
    re_convergence_stack_read(&s->stack, x->flight->warp);
    x->flight->pc = re_convergence_stack_pc(&s->stack, x->flight->warp);
    x->flight->participating = sm_participating(s, x->flight->warp);
}

void sm_sbr_commit(struct sm *s, struct sm_flight *f) {
    const struct sm_stack_commit c = {.warp = f->warp,
                                      .part = &f->warp,
                                      .parts = 1,
                                      .i = f->i,
                                      .pc = f->pc,
                                      .effect = f->effect,
                                      .participating = f->participating,
                                      .passed = f->passed};
    sm_stack_commit(s, &c);
    s->front[f->warp % s->schedulers].busy &= ~sm_scheduler_bit(s, f->warp);
}

uint32_t sm_sbr_where(const struct sm *s, unsigned warp) {
    return re_convergence_stack_pc(&s->stack, warp);
}

void sm_sbr_places(const struct sm *s, unsigned scheduler, thread_place_visitor *visit, void *context) {
    for (unsigned w = scheduler; w < s->warps; w += s->schedulers) {
        const uint8_t part = (uint8_t)w;
        if (s->warp[w].live) sm_stack_places(s, w, &part, 1, visit, context);
    }
}

const struct divergence_engine divergence_engine_sbr = {
    .doc = "re-convergence stack",
    .picks = true,
};

const struct sm_divergence sm_divergence_sbr = {
    .create = sm_sbr_create,
    .free = sm_sbr_free,
    .start = sm_sbr_start,
    .select = sm_sbr_select,
    .moves = sm_ready_moves,
    .arbitrate = sm_sbr_arbitrate,
    .commit = sm_sbr_commit,
    .where = sm_sbr_where,
    .runs = sm_participating,
    .tables = sm_stack_tables,
    .places = sm_sbr_places,
    .clocked = sm_stack_clocked,
};

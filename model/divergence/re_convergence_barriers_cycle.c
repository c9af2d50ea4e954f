#include "model/divergence/re_convergence_barriers_cycle.h"

#include "sim/error.h"

#include <string.h>

static void show_barrier(struct re_convergence_barriers_cycle *c, unsigned n) {
    const struct re_convergence_barrier *e = &c->barriers->barrier[n];
    c->rpc[n] = e->warp.pc;
    c->group[n] = e->warp.pc ? e->warp.group : 0;
    c->mask[n] = (uint32_t)e->warp.valid;
    c->reached[n] = (uint32_t)e->reached;
    for (unsigned k = 0; k < c->lanes; ++k)
        c->row[n * c->lanes + k] = e->warp.valid >> k & 1 ? e->warp.row[k] : 0;
}

static void show(struct re_convergence_barriers_cycle *c) {
    for (unsigned n = 0; n < c->barriers->cfg.sets * c->barriers->cfg.ways; ++n) show_barrier(c, n);
}

void re_convergence_barriers_cycle_init(struct re_convergence_barriers_cycle *c,
                                        struct re_convergence_barriers *b, unsigned lanes) {
    invariant(lanes >= 1 && lanes <= MACHINE_MAX_LANES &&
                  b->cfg.sets * b->cfg.ways <= RE_CONVERGENCE_BARRIERS_CYCLE_MAX &&
                  b->cfg.ways <= RE_CONVERGENCE_BARRIERS_CYCLE_MAX_WAYS,
              "cycles of %u sets of %u barriers of %u lanes", b->cfg.sets, b->cfg.ways, lanes);
    memset(c, 0, sizeof *c);
    c->barriers = b;
    c->lanes = lanes;
    c->q = (struct re_convergence_barriers_state){c->rpc, c->group, c->mask, c->reached, c->row};
    b->cycle = c;
    re_convergence_barriers_clear(b);
}

void re_convergence_barriers_cycle_reset(struct re_convergence_barriers_cycle *c) {
    c->in = (struct re_convergence_barriers_in){.rows = c->rows};
    show(c);
}

/* Outputs the threads of the barrier that is complete. */
static void put_out(struct re_convergence_barriers_cycle *c) {
    const int n = re_convergence_barriers_complete(c->barriers);
    c->out = (struct re_convergence_barriers_out){.complete = n >= 0, .rows = c->rows_out};
    memset(c->rows_out, 0, sizeof c->rows_out);
    if (n < 0) return;
    c->out.barrier = (unsigned)n;
    c->out.pc = c->rpc[n];
    c->out.group = c->group[n];
    c->out.mask = c->mask[n];
    memcpy(c->rows_out, &c->row[(unsigned)n * c->lanes], c->lanes * sizeof c->row[0]);
}

/* Reserves lane by lane, since each lane may share, allocate or miss a barrier. */
static void reserve(struct re_convergence_barriers_cycle *c, const struct regrouped_warp *w) {
    struct re_convergence_barriers *b = c->barriers;
    const int gone = c->in.gone ? (int)c->in.gone_barrier : -1;
    for (uint64_t rest = c->in.reserve; rest; rest &= rest - 1) {
        const uint64_t shared = b->counted.shared, missed = b->counted.missed;
        re_convergence_barriers_reserve(b, w, rest & -rest, c->in.rpc, gone);
        if (b->counted.shared > shared) c->out.shared |= (uint32_t)(rest & -rest);
        if (b->counted.missed > missed) c->out.missed |= (uint32_t)(rest & -rest);
    }
}

void re_convergence_barriers_cycle_eval(struct re_convergence_barriers_cycle *c) {
    struct re_convergence_barriers *b = c->barriers;
    const struct re_convergence_barriers_in *in = &c->in;
    struct regrouped_warp w = {.group = in->group};
    for (unsigned k = 0; k < c->lanes; ++k) w.row[k] = (uint16_t)c->rows[k];
    put_out(c);
    b->cycle = NULL; /* operations below act on the barriers at once */
    if (in->fire && c->out.complete) re_convergence_barriers_fire(b, c->out.barrier);
    re_convergence_barriers_exit(b, &w, in->exit);
    reserve(c, &w);
    c->out.waits = (uint32_t)re_convergence_barriers_arrive(b, &w, in->arrive, in->arrive_pc);
    b->cycle = c;
}

void re_convergence_barriers_cycle_clock(struct re_convergence_barriers_cycle *c) {
    show(c);
    c->in.fire = c->in.gone = false;
    c->in.exit = c->in.reserve = c->in.arrive = 0;
}

/* --- operations --- */

static void step(struct re_convergence_barriers_cycle *c, const struct regrouped_warp *w, uint64_t lanes) {
    for (unsigned k = 0; k < c->lanes; ++k) c->rows[k] = lanes >> k & 1 ? w->row[k] : 0;
    re_convergence_barriers_cycle_eval(c);
    if (c->evaluated) c->evaluated(c->context);
    re_convergence_barriers_cycle_clock(c);
}

void re_convergence_barriers_cycle_reserve(struct re_convergence_barriers_cycle *c,
                                           const struct regrouped_warp *w, uint64_t lanes, uint32_t rpc,
                                           int gone) {
    c->in.reserve = (uint32_t)lanes;
    c->in.rpc = rpc;
    c->in.group = w->group;
    c->in.gone = gone >= 0;
    c->in.gone_barrier = gone >= 0 ? (unsigned)gone : 0;
    step(c, w, lanes);
}

uint64_t re_convergence_barriers_cycle_arrive(struct re_convergence_barriers_cycle *c,
                                              const struct regrouped_warp *w, uint64_t lanes, uint32_t pc) {
    c->in.arrive = (uint32_t)lanes;
    c->in.arrive_pc = pc;
    step(c, w, lanes);
    return c->out.waits;
}

void re_convergence_barriers_cycle_exit(struct re_convergence_barriers_cycle *c,
                                        const struct regrouped_warp *w, uint64_t lanes) {
    c->in.exit = (uint32_t)lanes;
    step(c, w, lanes);
}

void re_convergence_barriers_cycle_fire(struct re_convergence_barriers_cycle *c) {
    static const struct regrouped_warp nobody;
    c->in.fire = true;
    step(c, &nobody, 0);
}

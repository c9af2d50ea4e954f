/* PCs of threads in the middle of a launch, for a debugger. */
#include "model/cluster/cluster.h"
#include "model/sm/sm_divergence.h"
#include "model/unit/unit.h"

/* --- SMs --- */

struct search {
    unsigned thread; /* number as in struct thread_place */
    uint32_t pc;
};

static void visit(void *context, const struct thread_place *p) {
    struct search *s = context;
    for (unsigned n = 0; n < p->count; ++n)
        if (p->thread[n] == s->thread) s->pc = p->pc;
}

uint32_t sm_thread_pc(const struct simt *u, unsigned warp, unsigned position) {
    const struct sm *s = (const struct sm *)u;
    struct search search = {warp * s->warp_size + position, 0};
    s->divergence->places(s, warp % s->schedulers, visit, &search);
    return search.pc;
}

/* --- clusters --- */

static bool is_in(const struct unit_flight *f, unsigned warp, unsigned position) {
    return f->warp == warp && f->participating >> position & 1;
}

static uint32_t pc_behind(const struct arm_threads *t, const struct unit_flight *f, unsigned position) {
    return f->i ? arm_next_pc(t, f->i, f->pc, f->passed, position) : f->pc;
}

/* Returns the PC of a thread whose cluster computes ahead. Flights have the numbers of their warps. */
static uint32_t pc_in_fast(const struct cluster *c, unsigned warp, unsigned position) {
    const struct fast *q = &c->fast;
    const struct fast_flight *f = &q->flight[warp];
    bool executed = q->x_flight == (int)warp;
    for (unsigned n = 0; n < q->landing_count; ++n) executed |= q->landing[n] == warp;
    if (executed && f->i && f->participating >> position & 1)
        return arm_next_pc(&c->threads[warp], f->i, f->pc, f->execution.passed, position);
    return tdt_pc(&c->descriptors.warp[warp], position);
}

/* The table of descriptors has the PC of an instruction in flight until its commit. */
uint32_t cluster_thread_pc(const struct simt *s, unsigned warp, unsigned position) {
    const struct cluster *c = (const struct cluster *)s;
    const struct unit *u = c->unit;
    if (c->fast.on) return pc_in_fast(c, warp, position);
    if (u->x_flight != UNIT_NONE && is_in(&u->flight[u->x_flight], warp, position))
        return pc_behind(&c->threads[warp], &u->flight[u->x_flight], position);
    for (unsigned n = 0; n < u->landing_count; ++n) {
        const struct unit_flight *f = &u->flight[u->landing[n]];
        if (is_in(f, warp, position)) return pc_behind(&c->threads[warp], f, position);
    }
    return tdt_pc(&c->descriptors.warp[warp], position);
}

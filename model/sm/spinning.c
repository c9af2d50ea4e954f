/* Detects that the warps of an SM loop without progress (model/core/spin_watch.h), for the engine sbr, by
 * their stacks. */
#include "model/core/spin_watch.h"
#include "model/config/divergence_kind.h"
#include "model/sm/scalar_units.h"
#include "model/sm/sm_parts.h"

#include <string.h>

#define SPIN_INSTRUCTIONS 4096 /* instructions of the longest loop that is found */

bool sm_can_watch_spin(const struct sm *s) {
    return s->config->simt.divergence == DIVERGENCE_sbr && !s->scalar && !s->uniform.on && !s->fault;
}

void sm_watch_spin(struct sm *s, bool strict) {
    if (!s->spin) s->spin = spin_watch_create(s->warps, s->warp_size, SPIN_INSTRUCTIONS);
    spin_watch_begin(s->spin, strict);
}

void sm_end_watch(struct sm *s) {
    spin_watch_destroy(s->spin);
    s->spin = NULL;
}

/* State of a warp's control flow: the running threads, and a hash of its stack. */
struct place {
    uint64_t mask, stack;
};

static struct place place_of(const struct sm *s, const struct sm_flight *f) {
    struct place p = {f->participating, 0};
    for (unsigned n = 0; n < re_convergence_stack_depth(&s->stack, f->warp); ++n) {
        const struct re_convergence_entry e = re_convergence_stack_entry(&s->stack, f->warp, n);
        p.stack = spin_watch_mix(p.stack, (uint64_t)e.pc << 32 | e.rpc);
        p.stack = spin_watch_mix(spin_watch_mix(p.stack, (uint64_t)e.mask), (uint64_t)(e.mask >> 32));
    }
    return p;
}

void sm_spin_before(struct sm *s, const struct sm_flight *f) {
    const struct place p = place_of(s, f);
    spin_watch_before(s->spin, f->warp, (struct arm_instruction *)f->i, &s->warp[f->warp].threads,
                      f->participating, f->pc, &p, sizeof p);
}

void sm_spin_after(struct sm *s, const struct sm_flight *f, const struct arm_execution *x) {
    spin_watch_after(s->spin, &s->warp[f->warp].threads, f->i, x);
}

bool sm_spin_failed(const struct sm *s) {
    return s->spin->failed;
}

bool sm_goes_round(const struct sm *s, bool *any) {
    for (unsigned n = 0; n < s->warps; ++n) {
        const struct sm_warp *w = &s->warp[n];
        const bool waits = s->scheduler[w->scheduler].barrier & w->bit;
        if (!w->live || waits) continue;
        if (!s->spin->warp[n].returned) return false;
        *any = true;
    }
    return true;
}

/* Detects that the warps of a unit, or the cores of a cluster in MIMD mode, loop without progress
 * (model/core/spin_watch.h). */
#include "model/core/spin_watch.h"
#include "model/divergence/re_convergence_stack.h"
#include "model/simt/simt.h"

static void changed(struct simt *u) {
    if (u->kind->spin->changed) u->kind->spin->changed(u);
}

void simt_watch_spin(struct simt *u, bool strict) {
    const unsigned cores = u->config->cluster.lanes, most = u->warps > cores ? u->warps : cores;
    if (!u->spin) u->spin = spin_watch_create(most, u->positions, u->kind->spin->longest);
    spin_watch_begin(u->spin, strict);
    changed(u);
}

void simt_end_watch(struct simt *u) {
    spin_watch_destroy(u->spin);
    u->spin = NULL;
    changed(u);
}

void simt_spin_before(struct simt *u, const struct simt_instruction *n) {
    const uint64_t place[] = {n->participating, u->kind->spin->flow(u, n->warp)};
    spin_watch_before(u->spin, n->warp, n->i, simt_warp_of(u, n->warp).threads, n->participating, n->pc,
                      place, sizeof place);
}

uint64_t simt_hash_of_stack(const struct re_convergence_stack *s, unsigned warp, uint64_t h) {
    for (unsigned n = 0; n < re_convergence_stack_depth(s, warp); ++n) {
        const struct re_convergence_entry e = re_convergence_stack_entry(s, warp, n);
        h = spin_watch_mix(spin_watch_mix(h, (uint64_t)e.pc << 32 | e.rpc), (uint64_t)e.mask);
    }
    return h;
}

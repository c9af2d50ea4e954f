/* Detects that the warps, or in MIMD mode the cores, of a cluster loop without progress
 * (model/core/spin_watch.h). */
#include "model/cluster/cluster.h"
#include "model/config/divergence_kind.h"
#include "model/core/spin_watch.h"
#include "model/unit/unit.h"

/* Instructions of the longest loop that is found: locks and flags. A watch of a launch that goes on ends
 * after as many of one warp. */
#define SPIN_INSTRUCTIONS 256

bool cluster_can_watch_spin(const struct cluster *c) {
    const struct machine_config *config = c->config;
    const enum divergence_kind engine = config->simt.divergence;
    const bool one_flight =
        config->simt.mitigation != MITIGATION_DPE && config->simt.mitigation != MITIGATION_ALT;
    if (config->mode == MODE_MIMD) return true;
    return (engine == DIVERGENCE_pc || engine == DIVERGENCE_sbr) && one_flight && !config->uniform.storage &&
           !c->fault && !c->twins;
}

void cluster_watch_spin(struct cluster *c, bool strict) {
    const unsigned most = c->warps > c->lanes ? c->warps : c->lanes;
    if (!c->spin) c->spin = spin_watch_create(most, c->positions, SPIN_INSTRUCTIONS);
    spin_watch_begin(c->spin, strict);
    if (c->mode == CLUSTER_MIMD) cluster_set_calls(c);
    if (c->mode == CLUSTER_SIMT) cluster_set_watched(c);
}

void cluster_end_watch(struct cluster *c) {
    spin_watch_destroy(c->spin);
    c->spin = NULL;
    if (c->mode == CLUSTER_MIMD) cluster_set_calls(c);
    if (c->mode == CLUSTER_SIMT) cluster_set_watched(c);
}

bool cluster_spin_failed(const struct cluster *c) {
    return c->spin->failed;
}

/* --- warps --- */

/* State of a warp's control flow: the running threads, and a hash of the threads' states, PCs and levels, or
 * of the stack. */
struct place {
    uint64_t mask, state;
};

static uint64_t hash_of_stack(const struct re_convergence_stack *s, unsigned warp, uint64_t h) {
    for (unsigned n = 0; n < re_convergence_stack_depth(s, warp); ++n) {
        const struct re_convergence_entry e = re_convergence_stack_entry(s, warp, n);
        h = spin_watch_mix(spin_watch_mix(h, (uint64_t)e.pc << 32 | e.rpc), (uint64_t)e.mask);
    }
    return h;
}

static struct place place_of(const struct cluster *c, const struct simt_instruction *n) {
    const struct warp_descriptors *w = &c->descriptors.warp[n->warp];
    struct place p = {n->participating, spin_watch_mix(w->ready, w->barrier)};
    if (unit_has_stacks(c->unit)) {
        p.state = hash_of_stack(&c->unit->stack, n->warp, p.state);
        return p;
    }
    for (uint64_t rest = tdt_live(w); rest; rest &= rest - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(rest);
        p.state = spin_watch_mix(p.state, (uint64_t)tdt_pc(w, k) << 32 | w->level[k]);
    }
    return p;
}

void cluster_spin_before(struct cluster *c, const struct simt_instruction *n) {
    const struct place p = place_of(c, n);
    spin_watch_before(c->spin, n->warp, n->i, &c->threads[n->warp], n->participating, n->pc, &p, sizeof p);
}

void cluster_spin_after(struct cluster *c, const struct simt_instruction *n, const struct arm_execution *x) {
    spin_watch_after(c->spin, &c->threads[n->warp], n->i, x);
}

/* --- evaluation --- */

/* Warps at a barrier that opens can run, too: then none of the group's warps repeats. */
static bool warps_go_round(const struct cluster *c) {
    bool any = false;
    for (unsigned w = 0; w < c->warps; ++w) {
        const struct warp_descriptors *d = &c->descriptors.warp[w];
        if (!(d->ready | d->execution)) continue;
        if (!c->spin->warp[w].returned) return false;
        any = true;
    }
    return any;
}

static bool cores_go_round(const struct cluster *c, bool *any) {
    for (unsigned k = 0; k < c->lanes; ++k) {
        if (c->core[k].state == CORE_ASLEEP) continue;
        if (!c->spin->warp[k].returned) return false;
        *any = true;
    }
    return true;
}

bool cluster_goes_round(const struct cluster *c, bool *any) {
    if (c->mode == CLUSTER_IDLE) return true;
    if (c->mode == CLUSTER_MIMD) return cores_go_round(c, any);
    if (c->mode != CLUSTER_SIMT || !warps_go_round(c)) return false;
    *any = true;
    return true;
}

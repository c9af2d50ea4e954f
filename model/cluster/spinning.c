/* The watch for endless repetition (model/simt/spinning.c) of a cluster: of its warps, in MIMD mode of its
 * cores. */
#include "model/cluster/cluster.h"
#include "model/config/divergence_kind.h"
#include "model/core/spin_watch.h"
#include "model/unit/unit.h"

static bool can(const struct simt *u) {
    const struct cluster *c = (const struct cluster *)u;
    const struct machine_config *config = c->config;
    const enum divergence_kind engine = config->simt.divergence;
    const bool one_flight =
        config->simt.mitigation != MITIGATION_DPE && config->simt.mitigation != MITIGATION_ALT;
    if (config->mode == MODE_MIMD) return true;
    return (engine == DIVERGENCE_pc || engine == DIVERGENCE_sbr) && one_flight && !config->uniform.storage &&
           !c->fault && !c->twins;
}

static void changed(struct simt *u) {
    struct cluster *c = (struct cluster *)u;
    if (c->mode == CLUSTER_MIMD) cluster_set_calls(c);
    if (c->mode == CLUSTER_SIMT) cluster_set_watched(c);
}

/* Returns a hash of the threads' states, PCs and levels, or of the stack. */
static uint64_t flow(const struct simt *u, unsigned warp) {
    const struct cluster *c = (const struct cluster *)u;
    const struct warp_descriptors *w = &c->descriptors.warp[warp];
    uint64_t h = spin_watch_mix(w->ready, w->barrier);
    if (unit_has_stacks(c->unit)) return simt_hash_of_stack(&c->unit->stack, warp, h);
    for (uint64_t rest = tdt_live(w); rest; rest &= rest - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(rest);
        h = spin_watch_mix(h, (uint64_t)tdt_pc(w, k) << 32 | w->level[k]);
    }
    return h;
}

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

static bool goes_round(const struct simt *u, bool *any) {
    const struct cluster *c = (const struct cluster *)u;
    if (c->mode == CLUSTER_IDLE) return true;
    if (c->mode == CLUSTER_MIMD) return cores_go_round(c, any);
    if (c->mode != CLUSTER_SIMT || !warps_go_round(c)) return false;
    *any = true;
    return true;
}

const struct simt_spin cluster_spin = {
    .longest = 256, .can = can, .changed = changed, .flow = flow, .goes_round = goes_round};

/* The watch for endless repetition (model/simt/spinning.c) of an SM, for the engine sbr. */
#include "model/config/divergence_kind.h"
#include "model/core/spin_watch.h"
#include "model/sm/sm_parts.h"

static bool can(const struct simt *u) {
    const struct sm *s = (const struct sm *)u;
    return s->config->simt.divergence == DIVERGENCE_sbr && !s->scalar && !s->uniform.on && !s->fault;
}

static uint64_t flow(const struct simt *u, unsigned warp) {
    return simt_hash_of_stack(&((const struct sm *)u)->stack, warp, 0);
}

static bool goes_round(const struct simt *u, bool *any) {
    const struct sm *s = (const struct sm *)u;
    for (unsigned n = 0; n < s->warps; ++n) {
        const struct sm_warp *w = &s->warp[n];
        const bool waits = s->scheduler[w->scheduler].barrier & w->bit;
        if (!w->live || waits) continue;
        if (!s->spin->warp[n].returned) return false;
        *any = true;
    }
    return true;
}

const struct simt_spin sm_spin = {.longest = 4096, .can = can, .flow = flow, .goes_round = goes_round};

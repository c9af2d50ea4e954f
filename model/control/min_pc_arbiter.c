#include "model/control/min_pc_arbiter.h"

uint64_t min_pc_arbiter_candidates(const struct warp_pc_arbiter *a) {
    unsigned best = (unsigned)__builtin_ctzll(a->in.ready);
    for (uint64_t rest = a->in.ready & (a->in.ready - 1); rest; rest &= rest - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(rest);
        if (a->in.pc[k] < a->in.pc[best]) best = k;
    }
    return 1ull << best;
}

#include "model/warp_pc_arbiter.h"

void warp_pc_arbiter_init(struct warp_pc_arbiter *a, enum pc_policy policy, unsigned warp_size,
                          unsigned levels) {
    *a = (struct warp_pc_arbiter){.cfg = {policy, warp_size, levels}};
}

static unsigned highest_level(const struct warp_pc_arbiter *a, const struct warp_descriptors *w,
                              uint64_t threads) {
    unsigned level = a->cfg.levels - 1;
    while (level > 0 && !(w->priority[level] & threads)) --level;
    return level;
}

static unsigned smallest_pc(const struct warp_descriptors *w, uint64_t ready) {
    unsigned best = (unsigned)__builtin_ctzll(ready);
    for (uint64_t rest = ready & (ready - 1); rest; rest &= rest - 1) {
        const unsigned k = (unsigned)__builtin_ctzll(rest);
        if (w->pc[k] < w->pc[best]) best = k;
    }
    return best;
}

static uint64_t threads_at(const struct warp_pc_arbiter *a, const struct warp_descriptors *w, uint32_t pc) {
    uint64_t at = 0;
    for (unsigned k = 0; k < a->cfg.warp_size; ++k) at |= (uint64_t)(w->pc[k] == pc) << k;
    return at;
}

void warp_pc_arbiter_eval(struct warp_pc_arbiter *a, const struct warp_descriptors *w) {
    const uint64_t ready = w->ready;
    if (!ready) {
        a->out.wtid = a->out.participating = 0;
        a->out.pc = 0;
        a->out.level = 0;
        return;
    }
    unsigned level = highest_level(a, w, ready);
    unsigned thread = (unsigned)__builtin_ctzll(w->priority[level] & ready);
    if (a->cfg.policy != PC_ICS_FIRST) {
        thread = a->cfg.policy == PC_MIN_PC ? smallest_pc(w, ready) : (unsigned)__builtin_ctzll(ready);
        level = highest_level(a, w, 1ull << thread);
    }
    a->out.wtid = 1ull << thread;
    a->out.pc = w->pc[thread];
    a->out.level = level;
    a->out.participating = w->one_pc ? ready : ready & threads_at(a, w, a->out.pc);
}

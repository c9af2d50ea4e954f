#include "model/control/first_ready_arbiter.h"
#include "model/control/min_pc_arbiter.h"
#include "model/control/thread_vector.h"

void warp_pc_arbiter_init(struct warp_pc_arbiter *a, enum pc_policy policy, unsigned warp_size,
                          unsigned levels) {
    static const struct warp_descriptors none;
    *a = (struct warp_pc_arbiter){.cfg = {policy, warp_size, levels}};
    warp_pc_arbiter_read(a, &none);
}

void warp_pc_arbiter_read(struct warp_pc_arbiter *a, const struct warp_descriptors *w) {
    a->in = (struct warp_pc_arbiter_in){.ready = w->ready, .priority = w->priority, .pc = w->pc};
}

static unsigned highest_level(const struct warp_pc_arbiter *a, const uint64_t *priority, uint64_t threads) {
    unsigned level = 0, taken = 1;
    for (; level + THREAD_WORDS <= a->cfg.levels; level += THREAD_WORDS)
        taken |= thread_words_meet(priority + level, threads) << level;
    for (; level < a->cfg.levels; ++level) taken |= (unsigned)((priority[level] & threads) != 0) << level;
    return 31 - (unsigned)__builtin_clz(taken);
}

bool warp_pc_arbiter_leads(const struct warp_pc_arbiter *a, const struct warp_descriptors *w,
                           uint64_t threads) {
    uint64_t among = w->ready;
    if (a->cfg.policy == PC_MIN_PC) return false;
    if (a->cfg.policy != PC_FIRST_READY) among &= w->priority[highest_level(a, w->priority, among)];
    return (among & -among & threads) != 0;
}

static uint64_t threads_at(const struct warp_pc_arbiter *a, uint32_t pc) {
    uint64_t at = 0;
    unsigned k = 0;
    for (; k + THREAD_VECTOR <= a->cfg.warp_size; k += THREAD_VECTOR)
        at |= (uint64_t)thread_vector_equal(a->in.pc + k, pc) << k;
    for (; k < a->cfg.warp_size; ++k) at |= (uint64_t)(a->in.pc[k] == pc) << k;
    return at;
}

/* Returns the Ready threads of which the lowest-numbered gives the PC. *level is their level if they have a
 * common one. */
static uint64_t candidates(const struct warp_pc_arbiter *a, int *level) {
    switch (a->cfg.policy) {
    case PC_MIN_PC: return min_pc_arbiter_candidates(a);
    case PC_FIRST_READY: return first_ready_arbiter_candidates(a);
    default:
        *level = (int)highest_level(a, a->in.priority, a->in.ready);
        return a->in.ready & a->in.priority[*level];
    }
}

void warp_pc_arbiter_eval(struct warp_pc_arbiter *a) {
    int level = -1;
    const uint64_t among = a->in.ready ? candidates(a, &level) : 0;
    if (!among) {
        a->out = (struct warp_pc_arbiter_out){0};
        return;
    }
    const unsigned thread = (unsigned)__builtin_ctzll(among);
    a->out.wtid = 1ull << thread;
    a->out.pc = a->in.pc[thread];
    a->out.level = level < 0 ? highest_level(a, a->in.priority, a->out.wtid) : (unsigned)level;
    a->out.participating = a->in.ready & threads_at(a, a->out.pc);
}

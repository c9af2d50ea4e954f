#include "model/control/thread_levels.h"

#include "model/control/thread_vector.h"

void thread_levels_reset(const struct thread_levels *l, uint64_t threads) {
    for (unsigned n = 1; n < l->levels; ++n) l->priority[n] &= ~threads;
    l->priority[0] |= threads;
    for (uint64_t rest = threads; rest; rest &= rest - 1) l->level[__builtin_ctzll(rest)] = 0;
}

/* Moves threads from one level to another. */
static void move(const struct thread_levels *l, uint64_t threads, unsigned old, unsigned level) {
    const unsigned top = l->levels - 1;
    l->priority[old < top ? old : top] &= ~threads;
    l->priority[level < top ? level : top] |= threads;
}

bool thread_levels_change(const struct thread_levels *l, uint64_t threads, enum priority_operation op,
                          unsigned by, unsigned *position) {
    bool good = true;
    for (uint64_t rest = threads; rest;) {
        const unsigned first = (unsigned)__builtin_ctzll(rest), old = l->level[first];
        const unsigned level = op == PRIORITY_RAISE ? old + 1 : op == PRIORITY_LOWER ? old - by : 0;
        const bool may = level <= THREAD_LEVELS_MOST; /* a level below 0 wraps to a large number */
        const uint64_t same = rest & thread_bytes_equal(l->level, l->warp_size, (uint8_t)old);
        rest &= ~same;
        if (may) {
            move(l, same, old, level);
            thread_bytes_put(l->level, same, (uint8_t)level);
        } else {
            if (good) *position = first;
            good = false;
        }
    }
    return good;
}

unsigned thread_levels_highest(const struct thread_levels *l, uint64_t threads) {
    for (unsigned level = l->levels; level-- > 1;)
        if (l->priority[level] & threads) return level;
    return 0;
}

/* regrouped_known: checks the hints that engines store with a warp (regrouped_warp.h): all threads are in one
 * row; all threads continue at one PC. */
#ifndef TESTS_DIVERGENCE_REGROUPED_KNOWN_H
#define TESTS_DIVERGENCE_REGROUPED_KNOWN_H

#include "model/divergence/regrouped_warp.h"

/* Returns whether a warp marked as being in one row is. */
static inline bool regrouped_row_is_right(const struct regrouped_warp *w) {
    bool right = true;
    for (uint64_t rest = w->in_row ? w->valid : 0; rest; rest &= rest - 1)
        right &= w->row[__builtin_ctzll(rest)] == w->row[__builtin_ctzll(w->valid)];
    return right;
}

/* Sets the hint that all threads continue at one PC, for every second instruction for which that is true. */
static inline void regrouped_say_together(const struct regrouped_warp *w, struct regrouped_outcome *o) {
    const uint32_t first = o->next[__builtin_ctzll(w->valid)];
    bool together = first && w->pc & 4;
    for (uint64_t rest = w->valid; rest; rest &= rest - 1)
        together &= o->next[__builtin_ctzll(rest)] == first;
    if (!together) return;
    o->together = first;
    for (unsigned lane = 0; lane < REGROUPED_MAX_LANES; ++lane) o->next[lane] = 0;
}

#endif

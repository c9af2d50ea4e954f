/*
 * regrouped_known: what engines know of a warp beside its threads, held to these (regrouped_warp.h): that
 * they are all in one row, and that all go to one place.
 */
#ifndef TESTS_DIVERGENCE_REGROUPED_KNOWN_H
#define TESTS_DIVERGENCE_REGROUPED_KNOWN_H

#include "model/divergence/regrouped_warp.h"

/* Is it so, if a warp is said to be in one row? */
static inline bool regrouped_row_is_right(const struct regrouped_warp *w) {
    bool right = true;
    for (uint64_t rest = w->in_row ? w->valid : 0; rest; rest &= rest - 1)
        right &= w->row[__builtin_ctzll(rest)] == w->row[__builtin_ctzll(w->valid)];
    return right;
}

/* Where all threads of a warp go to one place it is said so, of every second
 * instruction, and nothing else. */
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

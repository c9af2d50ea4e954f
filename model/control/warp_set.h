/*
 * warp_set: a set of warps of a cluster, or of flights of a unit; bit w stands for number w.
 */
#ifndef MODEL_CONTROL_WARP_SET_H
#define MODEL_CONTROL_WARP_SET_H

#include "model/config/limits.h"

#include <stdbool.h>
#include <stdint.h>

_Static_assert(TDT_MAX_WARPS <= 128 && SM_MAX_WARPS <= 128, "a warp_set has 128 bits");

typedef unsigned __int128 warp_set;
typedef uint64_t warp_set_word __attribute__((may_alias)); /* half of a set in memory */

static inline warp_set warp_bit(unsigned warp) {
    return (warp_set)1 << warp;
}

/* Returns the set of the first `warps` warps. */
static inline warp_set warp_set_all(unsigned warps) {
    return warps ? ~(warp_set)0 >> (128 - warps) : 0;
}

static inline bool warp_set_has(warp_set s, unsigned warp) {
    return (warp < 64 ? (uint64_t)s : (uint64_t)(s >> 64)) >> warp % 64 & 1;
}

static inline unsigned warp_set_count(warp_set s) {
    return (unsigned)__builtin_popcountll((uint64_t)s) + (unsigned)__builtin_popcountll((uint64_t)(s >> 64));
}

/* Returns the lowest number in a set, which is not empty. */
static inline unsigned warp_set_first(warp_set s) {
    return (uint64_t)s ? (unsigned)__builtin_ctzll((uint64_t)s)
                       : 64 + (unsigned)__builtin_ctzll((uint64_t)(s >> 64));
}

/* Add or remove a warp of a set in memory. They write only the word that has its bit. */
static inline void warp_set_add(warp_set *s, unsigned warp) {
    ((warp_set_word *)s)[warp / 64] |= UINT64_C(1) << warp % 64;
}
static inline void warp_set_remove(warp_set *s, unsigned warp) {
    ((warp_set_word *)s)[warp / 64] &= ~(UINT64_C(1) << warp % 64);
}

#endif

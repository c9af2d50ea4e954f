/*
 * turns: which of several clusters is next: the one whose cycle is the earliest, of those with the same cycle
 * the lowest. A tournament: what is next, and what would be without one of them, each takes a few comparisons
 * and no branch.
 */
#ifndef MODEL_MACHINE_TURNS_H
#define MODEL_MACHINE_TURNS_H

#include <stdint.h>

#define TURNS_MAX_BITS 6
#define TURNS_MAX      (1u << TURNS_MAX_BITS)
#define TURNS_NEVER    UINT64_MAX

/* A cycle (below 2^60) and, in the lower bits, a cluster. Smaller ones come first. */
struct turns {
    uint64_t best[2 * TURNS_MAX]; /* of nodes 2n and 2n + 1: n; cluster k: TURNS_MAX + k; all: 1 */
};

static inline uint64_t turns_earlier(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

static inline void turns_init(struct turns *t) {
    for (unsigned n = 0; n < 2 * TURNS_MAX; ++n) t->best[n] = TURNS_NEVER;
}

/* Cluster k is next in a cycle, or TURNS_NEVER. */
static inline void turns_set(struct turns *t, unsigned k, uint64_t cycle) {
    uint64_t best = cycle == TURNS_NEVER ? cycle : cycle << TURNS_MAX_BITS | k;
    unsigned n = TURNS_MAX + k;
    for (unsigned level = 0; level < TURNS_MAX_BITS; ++level, n /= 2) {
        t->best[n] = best;
        best = turns_earlier(best, t->best[n ^ 1]);
    }
    t->best[n] = best;
}

/* The cycle of cluster k, TURNS_NEVER: none. */
static inline uint64_t turns_cycle(const struct turns *t, unsigned k) {
    const uint64_t turn = t->best[TURNS_MAX + k];
    return turn == TURNS_NEVER ? turn : turn >> TURNS_MAX_BITS;
}

/* The earliest of all cycles, and whose it is (of no meaning when there is none). */
static inline uint64_t turns_first(const struct turns *t, unsigned *k) {
    *k = t->best[1] % TURNS_MAX;
    return t->best[1] == TURNS_NEVER ? TURNS_NEVER : t->best[1] >> TURNS_MAX_BITS;
}

/* First cycle in which cluster k is not the first of all: where another one's turn comes before. */
static inline uint64_t turns_limit(const struct turns *t, unsigned k) {
    uint64_t other = TURNS_NEVER;
    unsigned n = TURNS_MAX + k;
    for (unsigned level = 0; level < TURNS_MAX_BITS; ++level, n /= 2)
        other = turns_earlier(other, t->best[n ^ 1]);
    return other == TURNS_NEVER ? other : (other >> TURNS_MAX_BITS) + (other % TURNS_MAX > k);
}

#endif

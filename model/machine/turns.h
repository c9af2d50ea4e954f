/*
 * turns: selects the cluster with the earliest next cycle; of equal cycles, the lowest cluster. A tournament
 * tree: the first of all clusters, and the first without a given one, each take a few comparisons and no
 * branch.
 */
#ifndef MODEL_MACHINE_TURNS_H
#define MODEL_MACHINE_TURNS_H

#include <stdint.h>

#define TURNS_MAX_BITS 6
#define TURNS_MAX      (1u << TURNS_MAX_BITS)
#define TURNS_NEVER    UINT64_MAX

/* A cycle (below 2^60) with a cluster in the lower bits; the smallest is next. */
struct turns {
    uint64_t best[2 * TURNS_MAX]; /* node n: the earlier of nodes 2n and 2n + 1; cluster k: node TURNS_MAX +
                                     k; first of all: node 1 */
};

static inline uint64_t turns_earlier(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

static inline void turns_init(struct turns *t) {
    for (unsigned n = 0; n < 2 * TURNS_MAX; ++n) t->best[n] = TURNS_NEVER;
}

/* Sets the next cycle of cluster k, or TURNS_NEVER. */
static inline void turns_set(struct turns *t, unsigned k, uint64_t cycle) {
    uint64_t best = cycle == TURNS_NEVER ? cycle : cycle << TURNS_MAX_BITS | k;
    unsigned n = TURNS_MAX + k;
    for (unsigned level = 0; level < TURNS_MAX_BITS; ++level, n /= 2) {
        t->best[n] = best;
        best = turns_earlier(best, t->best[n ^ 1]);
    }
    t->best[n] = best;
}

/* Returns the next cycle of cluster k; TURNS_NEVER if none. */
static inline uint64_t turns_cycle(const struct turns *t, unsigned k) {
    const uint64_t turn = t->best[TURNS_MAX + k];
    return turn == TURNS_NEVER ? turn : turn >> TURNS_MAX_BITS;
}

/* Returns the earliest cycle of all; *k is its cluster (undefined if there is none). */
static inline uint64_t turns_first(const struct turns *t, unsigned *k) {
    *k = t->best[1] % TURNS_MAX;
    return t->best[1] == TURNS_NEVER ? TURNS_NEVER : t->best[1] >> TURNS_MAX_BITS;
}

/* Returns the first cycle in which cluster k is not the first of all. */
static inline uint64_t turns_limit(const struct turns *t, unsigned k) {
    uint64_t other = TURNS_NEVER;
    unsigned n = TURNS_MAX + k;
    for (unsigned level = 0; level < TURNS_MAX_BITS; ++level, n /= 2)
        other = turns_earlier(other, t->best[n ^ 1]);
    return other == TURNS_NEVER ? other : (other >> TURNS_MAX_BITS) + (other % TURNS_MAX > k);
}

#endif

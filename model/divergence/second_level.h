/* second_level: a queue of ready warps, the oldest first (divergence.md §5: HARP's Second-Level).
 *
 * Warps enter behind the others: those of freed barriers, those from the Ready-Lookup, and undivided ones
 * after their commit. The oldest leaves for the First-Level. In place of the paper's 512 entries, the queue
 * has one for each thread of a scheduler; cycles with more warps than the configured entries are counted
 * (harp_scheduler.h).
 *
 * Part of HARP (harp_scheduler.h). */
#ifndef MODEL_DIVERGENCE_SECOND_LEVEL_H
#define MODEL_DIVERGENCE_SECOND_LEVEL_H

#include "model/divergence/regrouped_warp.h"

struct second_level {
    struct {
        unsigned entries;
    } cfg;
    struct regrouped_warp *warp;      /* ring */
    unsigned first, count;            /* its oldest entry; number of entries */
    struct second_level_cycle *cycle; /* model with ports: a cycle for each operation; NULL: none */
};

void second_level_init(struct second_level *s, unsigned entries);
void second_level_free(struct second_level *s);
/* Empties it. */
void second_level_clear(struct second_level *s);

/* Adds a warp; there is room. */
void second_level_put(struct second_level *s, const struct regrouped_warp *w);
/* Takes the oldest warp. Returns false if there is none. */
bool second_level_take(struct second_level *s, struct regrouped_warp *w);

/* Returns the n-th warp, the oldest first. */
static inline const struct regrouped_warp *second_level_at(const struct second_level *s, unsigned n) {
    return &s->warp[(s->first + n) % s->cfg.entries];
}

#endif

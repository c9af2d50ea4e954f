/*
 * regrouped_warp: a warp of threads that need not have begun together, for engines that form new warps
 * (divergence.md §4 dwf, §5).
 *
 * A thread keeps its lane and its row of the register file; both name it, whatever warp it is in. So a warp
 * has at most one thread in a lane, all of one work-group and at one PC.
 */
#ifndef MODEL_DIVERGENCE_REGROUPED_WARP_H
#define MODEL_DIVERGENCE_REGROUPED_WARP_H

#include <stdbool.h>
#include <stdint.h>

#define REGROUPED_MAX_LANES 64

struct regrouped_warp {
    uint32_t pc;
    uint32_t group; /* slot of the work-group */
    uint64_t valid; /* lanes that have a thread: */
    uint16_t row[REGROUPED_MAX_LANES];
};

/* What its instruction does. */
struct regrouped_outcome {
    uint32_t next[REGROUPED_MAX_LANES]; /* where the thread in each valid lane goes; 0: it ends */
    uint32_t meeting;                   /* where threads that part meet again; 0: nowhere */
    bool waits;                         /* they wait at a barrier of their work-group first */
};

/* The lanes whose threads go on. */
static inline uint64_t regrouped_living(const struct regrouped_warp *w, const struct regrouped_outcome *o) {
    uint64_t living = 0;
    for (uint64_t rest = w->valid; rest; rest &= rest - 1)
        if (o->next[__builtin_ctzll(rest)]) living |= rest & -rest;
    return living;
}

/* Moves the threads in some lanes of one warp to another, where these lanes are free. */
static inline void regrouped_move(struct regrouped_warp *to, const struct regrouped_warp *from,
                                  uint64_t lanes) {
    to->valid |= lanes;
    for (; lanes; lanes &= lanes - 1) {
        const unsigned lane = (unsigned)__builtin_ctzll(lanes);
        to->row[lane] = from->row[lane];
    }
}

#endif

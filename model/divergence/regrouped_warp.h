/* regrouped_warp: a warp of threads from any warps, for engines that form new warps (divergence.md §4 dwf,
 * §5).
 *
 * A thread keeps its lane and its row of the register file; both identify it, in any warp. So a warp has at
 * most one thread in a lane; all its threads have one PC and belong to one work-group. */
#ifndef MODEL_DIVERGENCE_REGROUPED_WARP_H
#define MODEL_DIVERGENCE_REGROUPED_WARP_H

#include "model/divergence/re_convergence_stack.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define REGROUPED_MAX_LANES 64

/* Message about a barrier that only some threads of a warp execute. */
#define REGROUPED_PARTIAL_BARRIER                                                                            \
    "waits at a barrier under a condition that not all threads of its warp fulfil: with this "               \
    "simt.divergence a warp waits as a whole; set simt.divergence to sbr"

struct regrouped_warp {
    uint32_t pc;
    uint32_t group; /* slot of the work-group */
    uint64_t valid; /* lanes with a thread */
    uint16_t row[REGROUPED_MAX_LANES];
    bool in_row; /* all threads are known to be in one row */
};

/* Outcome of its instruction. */
struct regrouped_outcome {
    uint32_t together;                  /* next PC of all threads; 0: `next` counts */
    uint32_t next[REGROUPED_MAX_LANES]; /* next PC of each valid lane's thread; 0: it ends */
    uint32_t meeting;                   /* reconvergence PC of diverging threads; 0: none */
    bool waits;                         /* the threads first wait at a barrier of their work-group */
};

/* Returns the next PC of the thread in a valid lane. */
static inline uint32_t regrouped_next(const struct regrouped_outcome *o, unsigned lane) {
    return o->together ? o->together : o->next[lane];
}

/* Returns n if a mask consists of the first n lanes; else 0. */
static inline unsigned regrouped_first_lanes(uint64_t lanes) {
    return lanes & (lanes + 1) ? 0 : (unsigned)__builtin_popcountll(lanes);
}

/* Returns the lanes of threads that do not end. */
static inline uint64_t regrouped_living(const struct regrouped_warp *w, const struct regrouped_outcome *o) {
    const unsigned first = regrouped_first_lanes(w->valid);
    uint64_t living = 0;
    if (o->together) return w->valid;
    uint32_t least = first ? UINT32_MAX : 0;
    for (unsigned lane = 0; lane < first; ++lane) least = o->next[lane] < least ? o->next[lane] : least;
    if (least) return w->valid;
    for (uint64_t rest = w->valid; rest; rest &= rest - 1)
        if (o->next[__builtin_ctzll(rest)]) living |= rest & -rest;
    return living;
}

/* Groups the remaining threads by their next PCs (re_convergence_groups()). Returns the number of groups. */
static inline unsigned regrouped_groups(const struct regrouped_warp *w, const struct regrouped_outcome *o,
                                        uint64_t living, struct re_convergence_group *groups) {
    if (!o->together || !living) return re_convergence_groups(w->pc, living, o->next, groups);
    groups[0] = (struct re_convergence_group){.mask = living, .pc = o->together};
    return 1;
}

/* Moves the threads in some lanes of one warp to another, where these lanes are free. */
static inline void regrouped_move(struct regrouped_warp *to, const struct regrouped_warp *from,
                                  uint64_t lanes) {
    const unsigned first = regrouped_first_lanes(lanes);
    const bool in_row = from->in_row || !(lanes & (lanes - 1));
    if (!lanes) return;
    to->in_row = in_row && (!to->valid || (to->in_row && to->row[__builtin_ctzll(to->valid)] ==
                                                             from->row[__builtin_ctzll(lanes)]));
    to->valid |= lanes;
    if (first) {
        memcpy(to->row, from->row, first * sizeof to->row[0]);
        return;
    }
    for (; lanes; lanes &= lanes - 1) {
        const unsigned lane = (unsigned)__builtin_ctzll(lanes);
        to->row[lane] = from->row[lane];
    }
}

#endif

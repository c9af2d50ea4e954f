/*
 * re_convergence_barriers: where threads that have parted wait for each other (divergence.md §5, HARP's
 * barriers).
 *
 * A barrier is {RPC, work-group, per lane the row of a thread and whether it is reached}. When threads part
 * and meet again at R, each reserves a slot: of the barrier with this R that holds it already; else in the
 * first one of its set with this R and work-group, not complete, whose slot of its lane is free, so that
 * warps share barriers; else in a free one; else it misses. A thread that comes to the RPC of a barrier that
 * holds it waits there. One of which all threads that it holds are reached is complete; it is freed, and its
 * threads go on as one warp.
 *
 * A thread's set is its row modulo the number of sets.
 *
 * They are a part of HARP (harp_scheduler.h).
 */
#ifndef MODEL_DIVERGENCE_RE_CONVERGENCE_BARRIERS_H
#define MODEL_DIVERGENCE_RE_CONVERGENCE_BARRIERS_H

#include "model/divergence/regrouped_warp.h"

struct re_convergence_barriers {
    struct {
        unsigned sets, ways;
    } cfg;
    struct re_convergence_barrier {
        struct regrouped_warp warp; /* pc is the RPC, 0: free; valid: lanes that it holds a thread in */
        uint64_t reached;           /* of these */
    } * barrier;                    /* way by way of the first set, then the next one's */
    unsigned used, complete;        /* of them */
    struct {
        uint64_t reserved, shared, missed; /* slots, of them in barriers that others had made; threads */
        uint64_t completed;                /* barriers */
        unsigned most;                     /* in use at once */
    } counted;
    struct re_convergence_barriers_cycle *cycle; /* each operation is a cycle of it; NULL: of nothing */
};

void re_convergence_barriers_init(struct re_convergence_barriers *b, unsigned sets, unsigned ways);
void re_convergence_barriers_free(struct re_convergence_barriers *b);
/* All are free; what has been counted stays. */
void re_convergence_barriers_clear(struct re_convergence_barriers *b);

/* The threads in some lanes of a warp have parted and meet again at `rpc`. `gone` is not taken: a barrier
 * that was freed in this cycle; −1: none. */
void re_convergence_barriers_reserve(struct re_convergence_barriers *b, const struct regrouped_warp *w,
                                     uint64_t lanes, uint32_t rpc, int gone);

/* They have come to `pc`; returns those that wait there now. */
uint64_t re_convergence_barriers_arrive(struct re_convergence_barriers *b, const struct regrouped_warp *w,
                                        uint64_t lanes, uint32_t pc);

/* They have ended, or wait at a barrier of their work-group: nobody waits for them. */
void re_convergence_barriers_exit(struct re_convergence_barriers *b, const struct regrouped_warp *w,
                                  uint64_t lanes);

/* The first that is complete; −1: none. */
int re_convergence_barriers_complete(const struct re_convergence_barriers *b);
/* It is freed: its threads, at its RPC. */
struct regrouped_warp re_convergence_barriers_fire(struct re_convergence_barriers *b, unsigned barrier);

#endif

/* re_convergence_barriers: places in which diverged threads wait for each other (divergence.md §5, HARP's
 * barriers).
 *
 * A barrier is {RPC, work-group, for each lane the row of a thread and whether the thread has arrived}.
 * Diverged threads that reconverge at R reserve a slot each, in the first possible one of:
 *   - the barrier with this R in which the thread has a slot already
 *   - a barrier of its set with this R and work-group that is not complete and whose slot of its lane is
 *     free: so warps share barriers
 *   - a free barrier of its set
 * If there is none, the thread misses. A thread that arrives at the RPC of a barrier with its slot waits
 * there. A barrier is complete when all its threads have arrived; it is freed, and its threads continue as
 * one warp.
 *
 * The set of a thread is its row modulo the number of sets.
 *
 * Part of HARP (harp_scheduler.h). */
#ifndef MODEL_DIVERGENCE_RE_CONVERGENCE_BARRIERS_H
#define MODEL_DIVERGENCE_RE_CONVERGENCE_BARRIERS_H

#include "model/divergence/regrouped_warp.h"

struct re_convergence_barriers {
    struct {
        unsigned sets, ways;
    } cfg;
    struct re_convergence_barrier {
        struct regrouped_warp warp; /* pc is the RPC, 0: free; valid: lanes with a thread */
        uint64_t reached;           /* lanes of reached threads */
    } * barrier;                    /* way by way within a set, set by set */
    unsigned used, complete;        /* number of used barriers; of complete ones */
    struct {
        uint64_t reserved, shared, missed; /* slots; those in existing barriers; threads without a slot */
        uint64_t completed;                /* barriers */
        unsigned most;                     /* most used at the same time */
    } counted;
    struct re_convergence_barriers_cycle *cycle; /* each operation is a cycle of it; NULL: none */
};

void re_convergence_barriers_init(struct re_convergence_barriers *b, unsigned sets, unsigned ways);
void re_convergence_barriers_free(struct re_convergence_barriers *b);
/* Frees all barriers; counters are kept. */
void re_convergence_barriers_clear(struct re_convergence_barriers *b);

/* Reserves slots for the threads in some lanes of a warp, which have diverged and reconverge at `rpc`.
 * `gone`: a barrier freed in this cycle, which is not taken; −1: none. */
void re_convergence_barriers_reserve(struct re_convergence_barriers *b, const struct regrouped_warp *w,
                                     uint64_t lanes, uint32_t rpc, int gone);

/* Handles the arrival of threads at `pc`. Returns the threads that wait there from now on. */
uint64_t re_convergence_barriers_arrive(struct re_convergence_barriers *b, const struct regrouped_warp *w,
                                        uint64_t lanes, uint32_t pc);

/* Removes threads that have ended, or wait at a barrier of their work-group: no thread waits for them. */
void re_convergence_barriers_exit(struct re_convergence_barriers *b, const struct regrouped_warp *w,
                                  uint64_t lanes);

/* Returns the first complete barrier; −1 if none. */
int re_convergence_barriers_complete(const struct re_convergence_barriers *b);
/* Frees a barrier; returns its threads, at its RPC. */
struct regrouped_warp re_convergence_barriers_fire(struct re_convergence_barriers *b, unsigned barrier);

#endif

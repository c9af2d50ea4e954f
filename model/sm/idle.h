/*
 * idle: what threads do while their scheduler issues nothing (harp §3.3, Figs. 5 and 14): in each such cycle
 * of a scheduler with threads, each of them is in one of the states of sm_divergence.h. Of machines with
 * barrel issue, where it is asked for; nothing else depends on it.
 */
#ifndef MODEL_SM_IDLE_H
#define MODEL_SM_IDLE_H

#include "model/sm/sm_divergence.h"

struct sm_idle {
    uint64_t cycles;                   /* of schedulers */
    uint64_t all;                      /* threads, summed over them, */
    uint64_t threads[SM_PLACE_STATES]; /* by their states, */
    uint64_t dependent;                /* and of these those in flight, in memory or not, */
    uint64_t parted;                   /* inactive or where threads meet */
};

/* Counts from now on, in a scope of its own. Once. */
void sm_count_idle(struct sm *s, struct counter_registry *r);
/* A scheduler has issued nothing in so many cycles, in which nothing has changed. */
void sm_idle_note(struct sm *s, unsigned scheduler, uint64_t cycles);

#endif

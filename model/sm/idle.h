/*
 * idle: the states of threads while their scheduler issues nothing (harp §3.3, Figs. 5 and 14): in each such
 * cycle of a scheduler with threads, each thread is in one of the states of sm_divergence.h. For machines
 * with barrel issue, on request; nothing else depends on it.
 */
#ifndef MODEL_SM_IDLE_H
#define MODEL_SM_IDLE_H

#include "model/sm/sm_divergence.h"

struct sm_idle {
    uint64_t cycles;                /* cycles of schedulers */
    uint64_t all;                   /* threads, summed over these cycles */
    uint64_t threads[PLACE_STATES]; /* threads by state */
    uint64_t dependent;             /* threads in flight, with or without an access to memory */
    uint64_t parted;                /* threads that are inactive or wait at a meeting point */
};

/* Counts from now on, in a scope of its own. To be called once. */
void sm_count_idle(struct sm *s, struct counter_registry *r);
/* Notes that a scheduler has issued nothing in `cycles` cycles, in which nothing has changed. */
void sm_idle_note(struct sm *s, unsigned scheduler, uint64_t cycles);

#endif

/* base_alternate: flights whose threads have several PCs (simt.mitigation alt; divergence.md §4, alt.c):
 * participating threads, F and O round by round, and the commit of the threads. X and W of such a flight
 * concern no block; they are taken from the machine, as is the order in which its PCs are committed. */
#ifndef TESTS_RECKONING_BASE_ALTERNATE_H
#define TESTS_RECKONING_BASE_ALTERNATE_H

#include "tests/reckoning/base_shadow.h"

/* Returns the machine's record of the flight with a number. */
const struct alt_flight *base_mixed(const struct base_shadow *h, int flight);

static inline bool base_is_mixed(const struct base_shadow *h, int flight) {
    return flight != NOBODY && h->flying[flight].mixed;
}

/* Starts a flight that leaves A. It may have more threads than the arbiter selects. */
void base_mixed_begin(struct base_shadow *h, struct flying *x, int number);
/* Returns whether F is free for another flight: all rounds have been fetched. To be called once in each
 * cycle. */
bool base_fetch_is_free(struct base_shadow *h, uint64_t t);
bool base_mixed_accesses(const struct base_shadow *h, int flight);
/* Steps O of the mixed flight. */
void base_mixed_operands(struct base_shadow *h, uint64_t t);
/* Threads of mixed flights have been committed before the cycle of the barriers. */
void base_mixed_commit(struct base_shadow *h, uint64_t t);

#endif

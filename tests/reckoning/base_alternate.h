/*
 * base_alternate: flights whose threads stand at several PCs (simt.mitigation alt; divergence.md §4,
 * alt.c): who takes part, F and O round by round, and what becomes of the threads. X and W of such a
 * flight concern no block: they are taken from the machine, as is the order in which its PCs are committed.
 */
#ifndef TESTS_RECKONING_BASE_ALTERNATE_H
#define TESTS_RECKONING_BASE_ALTERNATE_H

#include "tests/reckoning/base_shadow.h"

/* What the machine keeps of the flight with a number. */
const struct alt_flight *base_mixed(const struct base_shadow *h, int flight);

static inline bool base_is_mixed(const struct base_shadow *h, int flight) {
    return flight != NOBODY && h->flying[flight].mixed;
}

/* A hands a flight over: its threads may be more than the arbiter says. */
void base_mixed_begin(struct base_shadow *h, struct flying *x, int number);
/* Is F free for another flight, as far as rounds are fetched? To be asked once in a cycle. */
bool base_fetch_is_free(struct base_shadow *h, uint64_t t);
bool base_mixed_accesses(const struct base_shadow *h, int flight);
/* A cycle of O of the mixed flight that is there. */
void base_mixed_operands(struct base_shadow *h, uint64_t t);
/* Threads of mixed flights have been committed before the cycle of the barriers. */
void base_mixed_commit(struct base_shadow *h, uint64_t t);

#endif

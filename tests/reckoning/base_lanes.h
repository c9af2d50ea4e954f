/* base_lanes: X and O in the shadow of a cluster, and tpo_address, whose inputs are the accesses of
 * lane 0. */
#ifndef TESTS_RECKONING_BASE_LANES_H
#define TESTS_RECKONING_BASE_LANES_H

#include "tests/reckoning/base_shadow.h"

/* Returns the position that a lane executes in a round (machine.md §1; divergence.md §4). */
unsigned base_position(const struct base_shadow *h, unsigned lane, unsigned round);
void base_dispatcher(struct base_shadow *h, uint64_t t);
void base_collector(struct base_shadow *h, uint64_t t);
/* Ends the collection whose operands are complete. */
void base_end_collection(struct base_shadow *h, uint64_t t);
void base_address(struct base_shadow *h, uint64_t t);

#endif

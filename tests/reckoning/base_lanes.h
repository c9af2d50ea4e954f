/* base_lanes: X and O of a cluster's shadow, and tpo_address, which has what lane 0 accesses. */
#ifndef TESTS_RECKONING_BASE_LANES_H
#define TESTS_RECKONING_BASE_LANES_H

#include "tests/reckoning/base_shadow.h"

/* The position that a lane executes in a round (machine.md §1; divergence.md §4). */
unsigned base_position(const struct base_shadow *h, unsigned lane, unsigned round);
void base_dispatcher(struct base_shadow *h, uint64_t t);
void base_collector(struct base_shadow *h, uint64_t t);
/* The operands that the collector has found are there. */
void base_end_collection(struct base_shadow *h, uint64_t t);
void base_address(struct base_shadow *h, uint64_t t);

#endif

/*
 * shared: what blocks outside clusters and SMs are told: the dispatcher of work-groups, from the launch, and
 * the schedulers of DRAM channels, from what the slices of the L2 have put on the way to them (gpu-like.md
 * §5).
 *
 * Not reckoned are exclusive_monitor, whose requests are the exclusive accesses and stores of instructions as
 * they are executed, in an order that is the model's own, and snoop_directory, whose inputs are the states of
 * all L2s' lines.
 */
#ifndef TESTS_RECKONING_SHARED_H
#define TESTS_RECKONING_SHARED_H

#include "model/machine/machine.h"

void *shared_reckoning_create(struct machine *m);
void shared_reckoning_destroy(void *r);
uint64_t shared_reckoning_comparisons(const void *r);

#endif

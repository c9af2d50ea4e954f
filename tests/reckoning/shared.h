/* shared: inputs of blocks outside clusters and SMs: the dispatcher of work-groups, from the launch, and the
 * schedulers of DRAM channels, from requests that the slices of the L2 have sent (gpu-like.md §5).
 *
 * Two blocks are not covered. The requests of exclusive_monitor are exclusive accesses and stores in the
 * order in which the model executes them. The inputs of snoop_directory are the states of lines in
 * all L2s. */
#ifndef TESTS_RECKONING_SHARED_H
#define TESTS_RECKONING_SHARED_H

#include "model/machine/machine.h"

void *shared_reckoning_create(struct machine *m);
void shared_reckoning_destroy(void *r);
uint64_t shared_reckoning_comparisons(const void *r);

#endif

/* base_machine: the reckoning of a cluster of cores (timing.md, machine.md §3). */
#ifndef TESTS_RECKONING_BASE_MACHINE_H
#define TESTS_RECKONING_BASE_MACHINE_H

#include "model/machine/machine.h"

void *base_reckoning_create(struct machine *m);
void base_reckoning_destroy(void *r);
uint64_t base_reckoning_comparisons(const void *r);

#endif

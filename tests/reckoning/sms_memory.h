/* sms_memory: requests of load-store units, and rounds of units, in an SM (gpu-like.md §4, lanes.md §2). */
#ifndef TESTS_RECKONING_SMS_MEMORY_H
#define TESTS_RECKONING_SMS_MEMORY_H

#include "tests/reckoning/sms_threads.h"

/* Compute the blocks of a scheduler's load-store unit. */
void shadow_coalescer(struct sms_shadow *h, unsigned sender);
void shadow_resolver(struct sms_shadow *h, unsigned sender);
/* Returns whether a load or store accesses other memory than local, private and constant memory. */
bool shadow_accesses_buffers(const struct sms_shadow *h, const struct sm_flight *f);
/* Checks the rounds that a unit skips. */
void shadow_compactor(struct sms_shadow *h, unsigned unit);
/* Computes the block of the local memory of lane groups. */
void shadow_local(struct sms_shadow *h);

#endif

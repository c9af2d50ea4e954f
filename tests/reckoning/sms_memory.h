/* sms_memory: what load-store units ask for, and the rounds of units, in an SM (gpu-like.md §4, lanes.md §2).
 */
#ifndef TESTS_RECKONING_SMS_MEMORY_H
#define TESTS_RECKONING_SMS_MEMORY_H

#include "tests/reckoning/sms_threads.h"

/* The blocks of a scheduler's load-store unit. */
void shadow_coalescer(struct sms_shadow *h, unsigned sender);
void shadow_resolver(struct sms_shadow *h, unsigned sender);
/* Does a load or store access more than local and private memory and constants? */
bool shadow_accesses_buffers(const struct sms_shadow *h, const struct sm_flight *f);
/* The rounds that a unit leaves out. */
void shadow_compactor(struct sms_shadow *h, unsigned unit);
/* Local memory of lane groups. */
void shadow_local(struct sms_shadow *h);

#endif

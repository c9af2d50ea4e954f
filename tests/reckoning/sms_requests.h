/* sms_requests: what the load-store units and the scalar units of an SM ask its L1D for, as its miss
 * registers have it (gpu-like.md §4). Taken from the SM: its lines, when answers come, and the accesses of
 * scalar threads. */
#ifndef TESTS_RECKONING_SMS_REQUESTS_H
#define TESTS_RECKONING_SMS_REQUESTS_H

#include "tests/reckoning/sms_threads.h"

/* Call in each cycle before the load-store units send their requests. */
void shadow_before_requests(struct sms_shadow *h);
/* Call in each cycle when the miss registers are evaluated. */
void shadow_misses(struct sms_shadow *h);
/* All has been sent in this cycle. */
void shadow_after_requests(struct sms_shadow *h);

#endif

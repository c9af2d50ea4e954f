/* sms_requests: requests of the load-store units and the scalar units of an SM to its L1D, as the miss
 * registers see them (gpu-like.md §4). Taken from the SM: lines in the cache, times of answers, and accesses
 * of scalar threads. */
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

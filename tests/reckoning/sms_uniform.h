/* sms_uniform: inputs of the blocks of uniform values in an SM, where instructions are executed at I. */
#ifndef TESTS_RECKONING_SMS_UNIFORM_H
#define TESTS_RECKONING_SMS_UNIFORM_H

#include "tests/reckoning/sms_threads.h"

/* Checks the reads of a picked warp's instruction before it executes. */
void shadow_read_tokens(struct sms_shadow *h, unsigned warp);
/* Check the block of tokens or of the map, during I; the reuse buffer, after O. */
void shadow_tokens(struct sms_shadow *h);
void shadow_reuse(struct sms_shadow *h);

#endif

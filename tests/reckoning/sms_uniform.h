/* sms_uniform: inputs of the blocks of uniform values in an SM, where instructions are executed at I,
 * with barrel issue in the first cycle of O. */
#ifndef TESTS_RECKONING_SMS_UNIFORM_H
#define TESTS_RECKONING_SMS_UNIFORM_H

#include "tests/reckoning/sms_threads.h"

/* Checks the reads of a picked warp's instruction before it executes. */
void shadow_read_tokens(struct sms_shadow *h, unsigned warp);
/* Computes these reads for the next instruction to begin O, at the end of a cycle with barrel issue. */
void shadow_read_next(struct sms_shadow *h);
/* Check the block of tokens or of the map, during I; the reuse buffer, after O. */
void shadow_tokens(struct sms_shadow *h);
void shadow_reuse(struct sms_shadow *h);

#endif

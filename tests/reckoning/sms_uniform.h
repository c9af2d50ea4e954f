/* sms_uniform: what the blocks of uniform values are told in an SM, where instructions are carried out at I.
 */
#ifndef TESTS_RECKONING_SMS_UNIFORM_H
#define TESTS_RECKONING_SMS_UNIFORM_H

#include "tests/reckoning/sms_threads.h"

/* A warp has been picked: what its instruction reads, as long as it has not been carried out. */
void shadow_read_tokens(struct sms_shadow *h, unsigned warp);
/* The block that keeps tokens has its cycle, in the midst of I; the reuse buffer, behind O. */
void shadow_tokens(struct sms_shadow *h);
void shadow_reuse(struct sms_shadow *h);

#endif

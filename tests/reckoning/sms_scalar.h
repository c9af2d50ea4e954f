/* sms_scalar: scalar threads of an SM, by the instructions that they issue: threads that can issue, and the
 * times of branches, barriers and exits (scalar-unit.md §4.1). Taken from the SM: times of answers, and
 * loaded values. */
#ifndef TESTS_RECKONING_SMS_SCALAR_H
#define TESTS_RECKONING_SMS_SCALAR_H

#include "tests/reckoning/sms_threads.h"

/* The block of a scalar unit has its cycle. */
void shadow_scalar(struct sms_shadow *h, unsigned unit);
/* Returns the effect of the thread in a slot at the end of this cycle. */
enum sm_effect shadow_scalar_effect(struct sms_shadow *h, unsigned slot);
/* The barrier at which the thread waits releases it at the end of this cycle. */
void shadow_scalar_released(struct sms_shadow *h, unsigned slot);

#endif

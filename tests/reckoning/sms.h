/* sms: the reckoning of a GPU-like machine (gpu-like.md, divergence.md, lanes.md, scalar-unit.md). */
#ifndef TESTS_RECKONING_SMS_H
#define TESTS_RECKONING_SMS_H

#include "model/machine/machine.h"

void *sms_reckoning_create(struct machine *m);
void sms_reckoning_destroy(void *r);
uint64_t sms_reckoning_comparisons(const void *r);

#endif

/* sms_issue: who may issue in an SM: scoreboard, schedulers, lane groups, scalar units (gpu-like.md §3). */
#ifndef TESTS_RECKONING_SMS_ISSUE_H
#define TESTS_RECKONING_SMS_ISSUE_H

#include "tests/reckoning/sms_threads.h"

void shadow_scoreboard(struct sms_shadow *h, unsigned scheduler);
void shadow_scheduler(struct sms_shadow *h, unsigned scheduler);
void shadow_called(struct sms_shadow *h);
void shadow_lanes(struct sms_shadow *h);
/* The scalar threads of a unit. */
void shadow_scalar(struct sms_shadow *h, unsigned unit);

#endif

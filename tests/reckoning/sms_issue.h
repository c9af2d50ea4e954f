/* sms_issue: instructions that can issue in an SM: scoreboard, schedulers, lane groups (gpu-like.md §3). */
#ifndef TESTS_RECKONING_SMS_ISSUE_H
#define TESTS_RECKONING_SMS_ISSUE_H

#include "tests/reckoning/sms_threads.h"

void shadow_scoreboard(struct sms_shadow *h, unsigned scheduler);
void shadow_scheduler(struct sms_shadow *h, unsigned scheduler);
/* All schedulers have had their cycle. */
void shadow_called(struct sms_shadow *h);
/* Moves the items of a scheduler's front end (barrel issue), last stage first, once in each cycle, before S,
 * if A is free. */
void shadow_move_front(struct sms_shadow *h, unsigned scheduler);
void shadow_lanes(struct sms_shadow *h);

/* Returns the state that an instruction reads or writes, and that no instruction in flight may
 * still write. */
uint64_t shadow_needs(const struct arm_instruction *i);
bool shadow_is_memory_barrier(const struct arm_instruction *i);

#endif

/* sms_stacks: the re-convergence stacks of an SM, computed from the actions of its threads (divergence.md §2,
 * §4): one for each warp, or with lwm for each large warp, stored with its first warp. */
#ifndef TESTS_RECKONING_SMS_STACKS_H
#define TESTS_RECKONING_SMS_STACKS_H

#include "tests/reckoning/sms_threads.h"

static inline struct shadow_entry *shadow_top(struct shadow_warp *w) {
    return &w->stack[w->depth - 1];
}

void shadow_stack_start(struct shadow_warp *w, re_convergence_mask threads, uint32_t pc);
/* Advances the threads of the top to the next instruction. */
void shadow_stack_advance(struct shadow_warp *w);
/* Diverges the threads of the top to their PCs, fall-through first; `called`: threads that call. */
void shadow_stack_diverge(struct shadow_warp *w, const uint32_t *next, uint32_t fall,
                          re_convergence_mask called, uint32_t meeting);
/* Splits the threads that wait at a barrier off the top entry. If all of its threads wait, the highest entry
 * that can run becomes the top. */
void shadow_stack_stand(struct shadow_warp *w, re_convergence_mask standing);
void shadow_stack_exit(struct shadow_warp *w, re_convergence_mask threads);
void shadow_check_stack(struct sms_shadow *h, unsigned warp);

/* --- lwm --- */

re_convergence_mask shadow_large_waiting(const struct sms_shadow *h, const struct shadow_warp *w);
/* Returns the threads that a large warp runs next. */
re_convergence_mask shadow_large_runs(const struct sms_shadow *h, const struct shadow_warp *w);
struct shadow_warp *shadow_large_of(struct sms_shadow *h, const struct sm_flight *f);
/* Starts a sub-warp. */
void shadow_large_begins(struct sms_shadow *h, const struct sm_flight *f);
/* Ends the execution of a sub-warp. Returns whether it was the last one of its instruction. */
bool shadow_large_executed(struct sms_shadow *h, const struct sm_flight *f);
/* Diverges the threads afterwards, or makes the turn of the instruction's barrier or exit. */
void shadow_large_diverge(struct sms_shadow *h, const struct sm_flight *f, bool call, uint32_t meeting);
void shadow_large_turn(struct sms_shadow *h, const struct sm_flight *f, bool exits);

#endif

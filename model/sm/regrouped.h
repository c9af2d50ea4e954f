/*
 * regrouped: the execution of flights with threads of several warps of the register file
 * (model/unit/regrouped.h). The PC of a thread's next instruction is in its row `pc` from the moment that the
 * instruction executes.
 */
#ifndef MODEL_SM_REGROUPED_H
#define MODEL_SM_REGROUPED_H

#include "model/divergence/regrouped_warp.h"
#include "model/sm/sm_divergence.h"
#include "model/sm/sm_parts.h"

/* --- engines that form warps in a row of a unit (formed.c) --- */

extern const struct sm_divergence sm_divergence_formed;
/* Called when round 0 of a flight starts in X, if s->formed->accesses. */
void sm_formed_executes(struct sm *s, struct sm_flight *f);
/* Commit warps in their turn, if s->formed->commits; end a cycle, if s->formed->end. */
void sm_formed_commits(struct sm *s, uint64_t t);
void sm_formed_end_cycle(struct sm *s, uint64_t t);

/* Returns the PC of the first live thread of a warp of the register file. */
uint32_t sm_regrouped_where(const struct sm *s, unsigned warp);

#endif

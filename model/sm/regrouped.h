/*
 * regrouped: warps with threads from any warps of one scheduler's register file, for engines that form them
 * (divergence.md §4 dwf, lwm; §5).
 *
 * A thread keeps its registers, and so its warp and position in the register file. Within its scheduler it
 * has the number row · width + lane, for the width of the engine's warps; row and lane identify it for life
 * (regrouped_warp.h). The PC of its next instruction is in its row `pc` from the moment that the instruction
 * executes.
 */
#ifndef MODEL_SM_REGROUPED_H
#define MODEL_SM_REGROUPED_H

#include "model/divergence/regrouped_warp.h"
#include "model/sm/sm_divergence.h"
#include "model/sm/sm_parts.h"

/* Returns the row of a thread. */
static inline unsigned sm_row_of(const struct sm *s, struct sm_thread thread) {
    return (thread.warp / s->schedulers * s->warp_size + thread.position) / s->positions;
}

/* Fills in the selection of a regrouped warp of a scheduler. */
void sm_select_regrouped(const struct sm *s, unsigned scheduler, const struct regrouped_warp *w,
                         struct sm_selected *x);

/* Fills in the outcome of the instruction of a warp at w->pc, for an engine's commit. */
void sm_outcome(const struct sm *s, unsigned scheduler, const struct regrouped_warp *w,
                struct regrouped_outcome *o);

/* Commits the warp: notes threads that exit, and threads that wait at a barrier of their work-group. */
void sm_commit_regrouped(struct sm *s, unsigned scheduler, const struct regrouped_warp *w,
                         const struct regrouped_outcome *o);

/* Calls `begin` for each initial warp of a work-group's threads, in the order of rows. */
void sm_start_regrouped(struct sm *s, unsigned group,
                        void (*begin)(struct sm *s, unsigned scheduler, const struct regrouped_warp *w));

/* Reports a place of an engine that holds the threads in some lanes of a warp. */
void sm_visit_regrouped(const struct sm *s, unsigned scheduler, const struct regrouped_warp *w,
                        uint64_t lanes, enum thread_place_state state, const char *table, unsigned entry,
                        thread_place_visitor *visit, void *context);

/* Returns the PC of the first live thread of a warp of the register file. */
uint32_t sm_regrouped_where(const struct sm *s, unsigned warp);

#endif

/*
 * regrouped: warps of threads from any warps of the register file of one scheduler, for the engines that form
 * them (divergence.md §4 dwf, lwm; §5).
 *
 * A thread keeps its registers, and so its warp of the register file and its position there. Numbered within
 * its scheduler it is thread row · width + lane, for the width of the engine's warps; both name it for its
 * life (regrouped_warp.h). Where each thread goes on behind its instruction is in its row `pc` from the
 * moment that the instruction is carried out.
 */
#ifndef MODEL_SM_REGROUPED_H
#define MODEL_SM_REGROUPED_H

#include "model/divergence/regrouped_warp.h"
#include "model/sm/sm_divergence.h"
#include "model/sm/sm_parts.h"

/* The row of a thread. */
static inline unsigned sm_row_of(const struct sm *s, struct sm_thread thread) {
    return (thread.warp / s->schedulers * s->warp_size + thread.position) / s->positions;
}

/* A regrouped warp of a scheduler has been selected. */
void sm_select_regrouped(const struct sm *s, unsigned scheduler, const struct regrouped_warp *w,
                         struct sm_selected *x);

/* What the instruction of a warp at w->pc has done: to build an engine's commit. */
void sm_outcome(const struct sm *s, unsigned scheduler, const struct regrouped_warp *w,
                struct regrouped_outcome *o);

/* The warp is committed: threads that end, and those that wait at a barrier of
 * their work-group, are noted. */
void sm_commit_regrouped(struct sm *s, unsigned scheduler, const struct regrouped_warp *w,
                         const struct regrouped_outcome *o);

/* Calls `begin` for each warp with which the threads of a work-group begin, rows in order. */
void sm_start_regrouped(struct sm *s, unsigned group,
                        void (*begin)(struct sm *s, unsigned scheduler, const struct regrouped_warp *w));

/* A place of an engine that holds the threads in some lanes of a warp. */
void sm_visit_regrouped(const struct sm *s, unsigned scheduler, const struct regrouped_warp *w,
                        uint64_t lanes, enum sm_place_state state, const char *table, unsigned entry,
                        sm_place_visitor *visit, void *context);

/* Where the first of a register file's warp's threads that live goes on. */
uint32_t sm_regrouped_where(const struct sm *s, unsigned warp);

#endif

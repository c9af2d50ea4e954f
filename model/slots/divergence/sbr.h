/*
 * sbr: functions of the re-convergence stacks of a unit's warps, for rows that extend sbr.
 */
#ifndef MODEL_SLOTS_DIVERGENCE_SBR_H
#define MODEL_SLOTS_DIVERGENCE_SBR_H

#include "model/unit/services.h"

void sbr_create(struct unit *u);
void sbr_free(struct unit *u);
void sbr_launch(struct unit *u);
void sbr_begin(struct unit *u);
void sbr_next(struct unit *u, struct unit_flight *f, uint64_t t);
uint64_t sbr_commit(struct unit *u, struct unit_flight *f, uint64_t t);
uint64_t sbr_runs(const struct unit *u, unsigned warp);
void *sbr_clocked(struct unit *u, enum cluster_block b, void (*evaluated)(void *context), void *context);

#endif

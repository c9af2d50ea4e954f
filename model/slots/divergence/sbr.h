/*
 * sbr: functions of the re-convergence stacks of a unit's warps, for rows that extend sbr.
 */
#ifndef MODEL_SLOTS_DIVERGENCE_SBR_H
#define MODEL_SLOTS_DIVERGENCE_SBR_H

#include "model/unit/services.h"

/* A committed instruction of a warp that has a stack. */
struct sbr_commit {
    unsigned warp;
    const struct arm_instruction *i;
    uint32_t pc;
    re_convergence_mask participating;  /* threads of the instruction */
    re_convergence_mask left;           /* threads that exit, or wait at a barrier */
    bool exits;                         /* threads exit */
    re_convergence_mask barrier, ready; /* threads of the warp afterwards */
    const uint32_t *next;               /* next PC of each participating thread; read if `i` writes the PC */
};
/* Applies a committed instruction to the stack of its warp: the top continues, parts, waits or exits. Returns
 * false if the stack has no room for the entry of a call. */
bool sbr_move(struct unit *u, const struct sbr_commit *x);

void sbr_create(struct unit *u);
void sbr_free(struct unit *u);
void sbr_launch(struct unit *u);
void sbr_begin(struct unit *u);
void sbr_next(struct unit *u, struct unit_flight *f, uint64_t t);
uint64_t sbr_commit(struct unit *u, struct unit_flight *f, uint64_t t);
uint64_t sbr_runs(const struct unit *u, unsigned warp);
void *sbr_clocked(struct unit *u, enum cluster_block b, void (*evaluated)(void *context), void *context);

#endif

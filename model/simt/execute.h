/*
 * execute: effects of an executed instruction that all units have in common: diagnoses, checks and counts.
 */
#ifndef MODEL_SIMT_EXECUTE_H
#define MODEL_SIMT_EXECUTE_H

#include "model/control/block_twins.h"
#include "model/control/thread_levels.h"
#include "model/simt/simt.h"

/* Fail the launch because threads are outside the code, or because an execution has failed. Return false. */
bool simt_jumps_outside(struct simt *u, const struct simt_instruction *n);
bool simt_fails(struct simt *u, const struct simt_instruction *n, const struct arm_execution *x);
/* Executes a co-processor instruction in cycle t. Returns false if the launch has failed. */
bool simt_operates(struct simt *u, const struct simt_instruction *n, const struct arm_execution *x,
                   uint64_t t);

/* Changes the levels of threads by an instruction of the co-processor. Returns false if the launch has
 * failed: a level would leave 0 … 255. */
bool simt_change_level(struct simt *u, const struct simt_instruction *n, const struct thread_levels *l,
                       uint64_t passed);
/* Fails the launch if one of these threads, which exit, is not on the outermost level. */
void simt_check_levels(struct simt *u, const struct simt_instruction *n, const struct thread_levels *l,
                       uint64_t threads);

/* Completes an execution in cycle t: diagnoses, counts and, with `watched`, checks of memory and profile.
 * Returns false if the launch has failed. */
static inline __attribute__((always_inline)) bool simt_executed(struct simt *u,
                                                                const struct simt_instruction *n,
                                                                const struct arm_execution *x, bool watched,
                                                                uint64_t t) {
    const unsigned active = (unsigned)__builtin_popcountll(n->participating);
    if (x->fault != ARM_FAULT_NONE) return simt_fails(u, n, x);
    if (n->i->is_coprocessor && !simt_operates(u, n, x, t)) return false;
    if (watched) {
        if (!simt_check_access(u, n, x)) return false;
        simt_note_execution(u, n->pc, active);
    }
    u->thread_instructions += active;
    u->condition_failed += (unsigned)__builtin_popcountll(n->participating & ~x->passed);
    return true;
}

/* End a cycle of the block with the tokens or the map of scalar registers, after its evaluation; of the reuse
 * buffer. `twins`: twins of these blocks, or NULL. */
void simt_uniform_edge(struct simt *u, const struct cluster_twins *twins, uint64_t t);
void simt_uniform_edge_reuse(struct simt *u, const struct cluster_twins *twins, uint64_t t);

#endif

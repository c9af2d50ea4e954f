/*
 * stacks: the effects of instructions on the re-convergence stacks of an SM's warps (divergence.md §4: sbr,
 * and lwm, whose warps consist of several warps of the register file).
 */
#ifndef MODEL_SM_STACKS_H
#define MODEL_SM_STACKS_H

#include "model/sm/sm_divergence.h"
#include "model/sm/sm_parts.h"

/* Effect of a warp's instruction. Thread k of a warp is thread k mod warp size of part k div warp size. */
struct sm_stack_commit {
    unsigned warp;       /* number in the stack */
    const uint8_t *part; /* warps of the register file */
    unsigned parts;
    const struct arm_instruction *i;
    uint32_t pc;
    enum sm_effect effect;
    re_convergence_mask participating, passed;
};
void sm_stack_commit(struct sm *s, const struct sm_stack_commit *c);

/* Return the live threads of a warp; its threads that wait at a barrier. */
re_convergence_mask sm_stack_live(const struct sm *s, const uint8_t *part, unsigned parts);
re_convergence_mask sm_stack_waiting(const struct sm *s, const uint8_t *part, unsigned parts);

/* Returns the stacks' model for a twin, which belongs to the SM's first scheduler. */
void *sm_stack_clocked(struct sm *s, struct sm_clocked_block *b);

extern const char *const sm_stack_tables[];
/* Reports the places of a warp's threads. */
void sm_stack_places(const struct sm *s, unsigned warp, const uint8_t *part, unsigned parts,
                     thread_place_visitor *visit, void *context);

#endif

/*
 * uniformity: which values are the same for all work-items of a group that compute them. Conservative:
 * whatever depends only on arguments, constants, group ids and sizes and constant memory, and whose choice
 * between paths hangs on such values only, is uniform; anything else may vary.
 */
#ifndef COMPILER_UNIFORMITY_H
#define COMPILER_UNIFORMITY_H

#include "compiler/flow.h"

struct uniformity {
    const struct flow *flow;
    struct value_map varying; /* true: the instruction is not uniform */
    bool *divergent;          /* per block: its end branches on a varying condition */
};

/* On a function in SSA form (PHIs not yet lowered). `given`: of values from outside, its parameters, those
 * that vary (true); NULL: none does. */
void uniformity_find(struct uniformity *u, const struct flow *f, const struct value_map *given);
void uniformity_free(struct uniformity *u);

/* All that the flow's blocks behind the first compute varies, for code that is not to make use of more. */
void uniformity_forget(struct uniformity *u);

bool uniformity_of(const struct uniformity *u, LLVMValueRef value);

/* An instruction made later is as uniform as another; it may lie where one that was erased had been. */
void uniformity_copy(struct uniformity *u, LLVMValueRef from, LLVMValueRef to);

unsigned uniformity_divergent_branches(const struct uniformity *u);

#endif

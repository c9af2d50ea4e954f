/*
 * uniformity: values that are equal for all work-items of a group that compute them. Conservative: values
 * that depend only on arguments, constants, group ids and sizes and constant memory, and whose choice between
 * paths depends only on such values, are uniform; others may vary.
 */
#ifndef COMPILER_UNIFORMITY_H
#define COMPILER_UNIFORMITY_H

#include "compiler/ir/flow.h"

struct uniformity {
    const struct flow *flow;
    struct value_map varying; /* true: the instruction is not uniform */
    bool *divergent;          /* for each block: the branch at its end has a varying condition */
};

/* The function must be in SSA form (PHIs not yet lowered). `given`: values from outside, such as parameters,
 * that vary (true); NULL: none. */
void uniformity_find(struct uniformity *u, const struct flow *f, const struct value_map *given);
void uniformity_free(struct uniformity *u);

/* Marks all values of the blocks after the first as varying, for code that must not use uniformity. */
void uniformity_forget(struct uniformity *u);

bool uniformity_of(const struct uniformity *u, LLVMValueRef value);

/* Gives a new instruction the uniformity of another; its address may be that of an erased one. */
void uniformity_copy(struct uniformity *u, LLVMValueRef from, LLVMValueRef to);

unsigned uniformity_divergent_branches(const struct uniformity *u);

#endif

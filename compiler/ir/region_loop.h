/*
 * region_loop: the loops over the work-items of a group, x innermost, around one region. A work-group has at
 * least one work-item, so that each loop tests at its end.
 */
#ifndef COMPILER_REGION_LOOP_H
#define COMPILER_REGION_LOOP_H

#include "compiler/ir/prologue.h"
#include "compiler/ir/slots.h"

struct region_loop {
    const struct prologue *prologue;
    size_t region;              /* number of the region, for names of blocks */
    LLVMBasicBlockRef start[3]; /* start of each loop's body, x to z */
    LLVMBasicBlockRef latch;    /* end of a work-item */
};

/* Adds a block "region1.NAME" at the function's end. */
LLVMBasicBlockRef region_loop_block(const struct region_loop *l, const char *name);

/* Builds the code from the builder's position to the start of a work-item. */
void region_loop_begin(struct region_loop *l, LLVMBuilderRef builder, const struct prologue *p,
                       size_t region);
/* Sets the slots of local and global ids. */
void region_loop_set_ids(const struct region_loop *l, LLVMBuilderRef builder, const struct slots *s);
/* Returns the linear local id. */
LLVMValueRef region_loop_item(const struct region_loop *l, LLVMBuilderRef builder);
/* Ends the loops; the builder is after them. */
void region_loop_end(const struct region_loop *l, LLVMBuilderRef builder);

#endif

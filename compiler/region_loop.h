/*
 * region_loop: the loops over the work-items of a group, x innermost, around one region. A work-group has at
 * least one work-item, so each tests at its end.
 */
#ifndef COMPILER_REGION_LOOP_H
#define COMPILER_REGION_LOOP_H

#include "compiler/prologue.h"
#include "compiler/slots.h"

struct region_loop {
    const struct prologue *prologue;
    size_t region;              /* its number, for the names of blocks */
    LLVMBasicBlockRef start[3]; /* of each loop's body, x to z */
    LLVMBasicBlockRef latch;    /* where a work-item ends */
};

/* A block at the function's end: "region1.NAME". */
LLVMBasicBlockRef region_loop_block(const struct region_loop *l, const char *name);

/* From where the builder stands to the start of a work-item. */
void region_loop_begin(struct region_loop *l, LLVMBuilderRef builder, const struct prologue *p,
                       size_t region);
/* Sets local and global ids. */
void region_loop_set_ids(const struct region_loop *l, LLVMBuilderRef builder, const struct slots *s);
/* Linear local id. */
LLVMValueRef region_loop_item(const struct region_loop *l, LLVMBuilderRef builder);
/* Leaves the builder behind the loops. */
void region_loop_end(const struct region_loop *l, LLVMBuilderRef builder);

#endif

/*
 * flow: the control flow of a function as numbered blocks, with what LLVM's C interface lacks: predecessors,
 * post-dominators and regions between barriers. A block that ends a region ("barrier block") ends with a
 * barrier and a branch to the block after it.
 */
#ifndef COMPILER_FLOW_H
#define COMPILER_FLOW_H

#include "compiler/value_map.h"

#include <llvm-c/Core.h>
#include <stdbool.h>

struct flow_block {
    LLVMBasicBlockRef llvm;
    size_t *successors, *predecessors; /* without repetition */
    size_t successor_count, predecessor_count;
    LLVMValueRef barrier;        /* a barrier block's; else NULL */
    bool *postdominators;        /* of the whole function: indexed by block; itself among them */
    bool *region_postdominators; /* likewise, the region ending at each barrier */
};

struct flow {
    LLVMValueRef function;
    struct flow_block *blocks; /* 0: the entry. Unreachable blocks have been removed before */
    size_t count;
    struct value_map index; /* LLVM block → number */
};

/* Makes every barrier the last instruction but one of its block. To be called before flow_read(). */
void flow_split_at_barriers(LLVMValueRef function);

void flow_read(struct flow *f, LLVMValueRef function);
void flow_free(struct flow *f);

size_t flow_index(const struct flow *f, LLVMBasicBlockRef block);

/* Marks the blocks that are reachable from `start`, itself among them, without passing a barrier
 * (`in_region`) or anywhere. `reached` has room for all blocks and is cleared first. */
void flow_reach(const struct flow *f, size_t start, bool in_region, bool *reached);

/* Marks what is reachable from a block's successors before the paths from it meet again in *reached, and
 * where they meet in *meeting (NULL: not wanted). Both are cleared first. */
void flow_influence(const struct flow *f, size_t branch, bool in_region, bool *reached, bool *meeting);

#endif

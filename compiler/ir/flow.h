/*
 * flow: the control flow of a function as numbered blocks, with what LLVM's C interface lacks: predecessors,
 * post-dominators and regions between barriers. A block that ends a region ("barrier block") ends with a
 * barrier and a branch to the block after it.
 */
#ifndef COMPILER_FLOW_H
#define COMPILER_FLOW_H

#include "compiler/ir/value_map.h"

#include <llvm-c/Core.h>
#include <stdbool.h>

struct flow_block {
    LLVMBasicBlockRef llvm;
    size_t *successors, *predecessors; /* without duplicates */
    size_t successor_count, predecessor_count;
    LLVMValueRef barrier;        /* barrier of a barrier block; else NULL */
    bool *postdominators;        /* post-dominators in the function, indexed by block, including itself */
    bool *region_postdominators; /* post-dominators in the region that ends at each barrier */
};

struct flow {
    LLVMValueRef function;
    struct flow_block *blocks; /* blocks[0]: the entry. Unreachable blocks have been removed */
    size_t count;
    struct value_map index; /* LLVM block → number */
};

/* Makes every barrier the second to last instruction of its block. To be called before flow_read(). */
void flow_split_at_barriers(LLVMValueRef function);

void flow_read(struct flow *f, LLVMValueRef function);
void flow_free(struct flow *f);

size_t flow_index(const struct flow *f, LLVMBasicBlockRef block);

/* Marks the blocks reachable from `start`, including itself, without passing a barrier (`in_region`) or
 * without restriction. `reached` has room for all blocks and is cleared first. */
void flow_reach(const struct flow *f, size_t start, bool in_region, bool *reached);

/* Marks the blocks reachable from a block's successors before the paths from it meet again in *reached, and
 * the meeting points in *meeting (may be NULL). Both are cleared first. */
void flow_influence(const struct flow *f, size_t branch, bool in_region, bool *reached, bool *meeting);

#endif

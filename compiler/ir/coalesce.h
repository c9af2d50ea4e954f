/*
 * coalesce: turns a function that runs a kernel for one work-item into one that runs it for a whole
 * work-group: each region between barriers becomes a loop over the work-items, x innermost.
 *
 *   prologue     executed once: arguments, sizes, space for the records
 *   region K     uniform values of the region before are taken over; then for each work-item: its ids and its
 *                replicated values, the region's own copy of the code, its replicated values put back
 *   next region  the region after the barrier that the work-items reached
 *
 * Replicated values vary, are needed after a barrier and cannot be recomputed from ids and uniform values
 * (slots.h). Those of one work-item are a record; the records are an array on the function's stack.
 *
 * With `snucl` it works like SnuCL's translator, the dual-mode paper's baseline. No value is known to be
 * uniform, and none is recomputed. Every value that is live across a barrier is replicated in an array
 * [z][y][x] of its own, reached by a pointer, and used there. Counters and sizes are in memory
 * (item_memory.h). split_conditions.h must have run before.
 *
 * If it cannot be shown that all work-items end a region at the same place, each is compared with the first:
 * one that reaches another barrier, or returns while others do not, executes LLVM's trap with the source line
 * of that place.
 */
#ifndef COMPILER_COALESCE_H
#define COMPILER_COALESCE_H

#include <llvm-c/Core.h>
#include <stdbool.h>

struct coalesced {
    unsigned barriers;           /* barriers of the kernel with its inlined helpers */
    unsigned replicated;         /* number of values and private objects */
    unsigned divergent_branches; /* branches whose condition is not uniform */
    unsigned item_bytes;         /* bytes of a record */
};

/* `function` has one parameter, the address of the argument block, and returns nothing; its callees have
 * neither barriers nor ids. Its allocas have constant sizes. */
void coalesce(LLVMValueRef function, bool snucl, struct coalesced *result);

#endif

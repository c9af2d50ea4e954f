/*
 * coalesce: turns a function that runs a kernel for one work-item into one that runs it for a whole
 * work-group: each region between barriers becomes a loop over the work-items, x innermost.
 *
 *   prologue     what is done once: arguments, sizes, the records' room
 *   region K     uniform values of the region before are taken over; then for each work-item: its ids and its
 *                replicated values, the region's own copy of the code, its replicated values put back
 *   next region  the one behind the barrier that the work-items came to
 *
 * Replicated values: those that vary, are needed behind a barrier and cannot be computed again from ids and
 * uniform values (slots.h). Those of one work-item lie together in a record; the records are an array on the
 * function's own stack.
 *
 * Or as SnuCL's translator does (`snucl`), the dual-mode paper's baseline: no value is known to be uniform,
 * none is computed again; all that a barrier is passed by are replicated, each in an array [z][y][x] of its
 * own behind a pointer and used there; counters and sizes are in memory (item_memory.h). With
 * split_conditions.h in front.
 *
 * Where it cannot be shown that all work-items end a region alike, each is compared with the first: one that
 * comes to another barrier, or returns while others do not, runs into LLVM's trap at the line where it does.
 */
#ifndef COMPILER_COALESCE_H
#define COMPILER_COALESCE_H

#include <llvm-c/Core.h>
#include <stdbool.h>

struct coalesced {
    unsigned barriers;           /* in the kernel with its inlined helpers */
    unsigned replicated;         /* values and private objects */
    unsigned divergent_branches; /* whose condition is not uniform */
    unsigned item_bytes;         /* a record */
};

/* `function` has one parameter, the address of the argument block, and returns nothing; whatever it calls has
 * neither barriers nor ids. Its allocas are of constant size. */
void coalesce(LLVMValueRef function, bool snucl, struct coalesced *result);

#endif

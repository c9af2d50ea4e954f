/*
 * operation: the meaning of the device library's inline assembly calls (coprocessor.md): the twin needs
 * barriers, work-item ids and values that are uniform in a work-group; priority operations are made known to
 * the optimiser, or removed.
 */
#ifndef COMPILER_OPERATION_H
#define COMPILER_OPERATION_H

#include <llvm-c/Core.h>

enum operation_kind {
    OPERATION_NONE,      /* not inline assembly */
    OPERATION_OTHER,     /* other inline assembly: exclusive accesses, memory fences */
    OPERATION_PRIORITY,  /* c3 */
    OPERATION_BARRIER,   /* c4, c0; dimension 7: split_conditions.h */
    OPERATION_NOTE,      /* c4, c0, 2: a scalar thread counts a number */
    OPERATION_EXIT,      /* c4, c1: the thread ends */
    OPERATION_LOCAL_ID,  /* c1, c0, 0–2 */
    OPERATION_GLOBAL_ID, /* c1, c0, 4–6 */
    OPERATION_CLOCK,     /* MRRC c8 */
    OPERATION_GROUP,     /* c0, c2: uniform in a work-group */
};

struct operation {
    enum operation_kind kind;
    unsigned dimension; /* dimension of an id */
    int levels;         /* priority operation: levels raised (negative: lowered); 0: to the outermost */
};

struct operation operation_of(LLVMValueRef instruction);

/* To be called when a context ends, since its addresses may be used again. */
void operation_forget(void);

#endif

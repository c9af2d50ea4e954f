/*
 * operation: what an inline assembly call of the device library is to the compiler (coprocessor.md): the
 * twin needs to know barriers, work-item ids and what is the same for a whole work-group; priority operations
 * are told to the optimiser, or taken out.
 */
#ifndef COMPILER_OPERATION_H
#define COMPILER_OPERATION_H

#include <llvm-c/Core.h>

enum operation_kind {
    OPERATION_NONE,      /* no inline assembly */
    OPERATION_OTHER,     /* some other inline assembly: exclusive accesses, memory fences */
    OPERATION_PRIORITY,  /* c3 */
    OPERATION_BARRIER,   /* c4, c0; dimension 7: split_conditions.h */
    OPERATION_NOTE,      /* c4, c0, 2: a scalar thread counts a number */
    OPERATION_EXIT,      /* c4, c1: the thread ends */
    OPERATION_LOCAL_ID,  /* c1, c0, 0–2 */
    OPERATION_GLOBAL_ID, /* c1, c0, 4–6 */
    OPERATION_CLOCK,     /* MRRC c8 */
    OPERATION_GROUP,     /* c0, c2: the same for a whole work-group */
};

struct operation {
    enum operation_kind kind;
    unsigned dimension; /* of an id */
    int levels;         /* of a priority operation: raises (lowers) by; 0: to the outermost */
};

struct operation operation_of(LLVMValueRef instruction);

/* To be called when a context ends: others may use its addresses again. */
void operation_forget(void);

#endif

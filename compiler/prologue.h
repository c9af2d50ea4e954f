/*
 * prologue: the first block of a coalesced function: what is the same for all its work-items and done once.
 */
#ifndef COMPILER_PROLOGUE_H
#define COMPILER_PROLOGUE_H

#include "compiler/value_map.h"

#include <llvm-c/Core.h>

struct prologue {
    LLVMValueRef function;
    LLVMBasicBlockRef block;
    struct value_map group; /* inline assembly that reads an id or size of groups → its call, in the block */
    LLVMValueRef size[3], items;   /* of the work-group */
    LLVMValueRef size_memory[3];   /* pointers to the sizes, or NULL (item_memory.h) */
    LLVMValueRef first[3];         /* global id of its first work-item */
    LLVMValueRef counter[3], item; /* variables of the loops: local ids, linear local id */
};

/* Puts a block in front of a function and moves there: allocas, loads of arguments, ids and sizes of groups.
 * Debugging's variables are dropped: only lines are kept. */
void prologue_make(struct prologue *p, LLVMValueRef function);

/* A variable of the function. */
LLVMValueRef prologue_variable(struct prologue *p, LLVMTypeRef type, const char *name);

/* Sizes and first ids, where the builder stands: at the block's end. */
void prologue_finish(struct prologue *p, LLVMBuilderRef builder);
void prologue_free(struct prologue *p);

#endif

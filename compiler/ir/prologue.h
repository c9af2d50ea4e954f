/*
 * prologue: the first block of a coalesced function, with the operations that are uniform for all work-items
 * and executed once.
 */
#ifndef COMPILER_PROLOGUE_H
#define COMPILER_PROLOGUE_H

#include "compiler/ir/value_map.h"

#include <llvm-c/Core.h>

struct prologue {
    LLVMValueRef function;
    LLVMBasicBlockRef block;
    struct value_map group; /* inline assembly that reads an id or size of groups → its call in the block */
    LLVMValueRef size[3], items;   /* sizes of the work-group */
    LLVMValueRef size_memory[3];   /* pointers to the sizes, or NULL (item_memory.h) */
    LLVMValueRef first[3];         /* global id of the first work-item */
    LLVMValueRef counter[3], item; /* variables of the loops: local ids, linear local id */
};

/* Puts a block before a function and moves allocas, loads of arguments, and ids and sizes of groups into it.
 * Lines and the declarations of allocas are kept, other debug variables are dropped. */
void prologue_make(struct prologue *p, LLVMValueRef function);

/* Returns the alloca of an llvm.dbg.declare(); NULL if it has none. */
LLVMValueRef prologue_declared(LLVMValueRef declaration);

/* Returns a new variable of the function. */
LLVMValueRef prologue_variable(struct prologue *p, LLVMTypeRef type, const char *name);

/* Computes sizes and first ids at the builder's position, the end of the block. */
void prologue_finish(struct prologue *p, LLVMBuilderRef builder);
void prologue_free(struct prologue *p);

#endif

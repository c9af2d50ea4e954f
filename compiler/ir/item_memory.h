/*
 * item_memory: values that a coalesced function keeps in memory as SnuCL's translator does: loop counters,
 * the work-group's sizes, and pointers to an array for each replicated value. The optimiser does not know
 * where this memory is, so any store of a work-item may change it, as in a program that reaches it through
 * pointers.
 */
#ifndef COMPILER_ITEM_MEMORY_H
#define COMPILER_ITEM_MEMORY_H

#include "compiler/ir/prologue.h"
#include "compiler/ir/record.h"

struct item_memory {
    LLVMTypeRef word, byte_pointer;
    LLVMValueRef counter[3], size[3]; /* pointers, x to z */
    LLVMValueRef arrays;              /* pointer to the first of the pointers to arrays */
    LLVMValueRef area;                /* the arrays */
    LLVMValueRef items;
};

/* Makes the memory at the end of the prologue, whose counters move into it. */
void item_memory_make(struct item_memory *m, struct prologue *p, const struct record *r,
                      LLVMBuilderRef builder);

/* Tells the optimiser the type of the object that a load or store accesses. */
void item_memory_note_access(LLVMValueRef access);

/* Returns the work-item's element [z][y][x] of a field's array. */
LLVMValueRef item_memory_element(const struct item_memory *m, const struct record *r, LLVMBuilderRef builder,
                                 size_t field);

#endif

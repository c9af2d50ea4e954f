/*
 * item_memory: what a coalesced function keeps in memory when it is made as SnuCL's translator would: the
 * loops' counters, the work-group's sizes, and pointers to an array for each replicated value. The optimiser
 * is not told where that memory is, so whatever a work-item stores may have changed it, as when a program
 * reaches it through pointers of its own.
 */
#ifndef COMPILER_ITEM_MEMORY_H
#define COMPILER_ITEM_MEMORY_H

#include "compiler/prologue.h"
#include "compiler/record.h"

struct item_memory {
    LLVMTypeRef word, byte_pointer;
    LLVMValueRef counter[3], size[3]; /* pointers, x to z */
    LLVMValueRef arrays;              /* pointer to the first of the pointers to arrays */
    LLVMValueRef area;                /* the arrays themselves */
    LLVMValueRef items;
};

/* At the end of the prologue; its counters become those in memory. */
void item_memory_make(struct item_memory *m, struct prologue *p, const struct record *r,
                      LLVMBuilderRef builder);

/* Tells the optimiser of which type the object is that a load or store accesses. */
void item_memory_note_access(LLVMValueRef access);

/* The work-item's element of a field's array: element [z][y][x]. */
LLVMValueRef item_memory_element(const struct item_memory *m, const struct record *r, LLVMBuilderRef builder,
                                 size_t field);

#endif

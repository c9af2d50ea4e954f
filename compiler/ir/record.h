/*
 * record: the layout of the replicated values of one work-item of a coalesced function; an array of records
 * is on its stack.
 */
#ifndef COMPILER_RECORD_H
#define COMPILER_RECORD_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>
#include <stddef.h>

#define RECORD_STACK_ALIGNMENT 8         /* AAPCS */
#define RECORD_NAME            "records" /* name of the array */
#define RECORD_NOTE            "lockstep.records" /* metadata of a function: number of a member, DILocalVariable, … */

struct record {
    LLVMContextRef context;
    LLVMTargetDataRef layout;
    LLVMTypeRef *members; /* including padding */
    unsigned member_count;
    unsigned *field; /* index of the member, by the caller's field number */
    unsigned bytes, alignment;
    LLVMTypeRef type;   /* NULL: no replicated values */
    LLVMValueRef array; /* set by record_allocate() */
};

/* Fields are numbered 0 to field_count − 1. */
void record_start(struct record *r, LLVMValueRef function, size_t field_count);
void record_add(struct record *r, size_t field, LLVMTypeRef type, unsigned alignment);
void record_share(struct record *r, size_t field, size_t with); /* same place; equal types */
void record_finish(struct record *r);
void record_free(struct record *r);

void record_allocate(struct record *r, LLVMBuilderRef builder, LLVMValueRef items);

LLVMValueRef record_of_item(const struct record *r, LLVMBuilderRef builder, LLVMValueRef item);
LLVMValueRef record_field(const struct record *r, LLVMBuilderRef builder, LLVMValueRef record, size_t field);

#endif

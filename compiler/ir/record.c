#include "compiler/ir/record.h"

#include "compiler/driver/trouble.h"

#include <stdlib.h>

void record_start(struct record *r, LLVMValueRef function, size_t field_count) {
    *r = (struct record){.context = LLVMGetTypeContext(LLVMTypeOf(function)),
                         .layout = LLVMGetModuleDataLayout(LLVMGetGlobalParent(function)),
                         .field = allocate(NULL, field_count * sizeof *r->field),
                         .alignment = 1};
}

static unsigned add_member(struct record *r, LLVMTypeRef type) {
    r->members = grow(r->members, r->member_count, sizeof(LLVMTypeRef));
    r->members[r->member_count] = type;
    r->bytes += (unsigned)LLVMABISizeOfType(r->layout, type);
    return r->member_count++;
}

static void pad(struct record *r, unsigned alignment) {
    unsigned gap = (alignment - r->bytes % alignment) % alignment;
    if (gap) add_member(r, LLVMArrayType(LLVMInt8TypeInContext(r->context), gap));
}

static unsigned add_aligned(struct record *r, LLVMTypeRef type, unsigned alignment) {
    unsigned natural = LLVMABIAlignmentOfType(r->layout, type);
    if (alignment < natural) alignment = natural;
    if (alignment > r->alignment) r->alignment = alignment;
    pad(r, alignment);
    return add_member(r, type);
}

void record_add(struct record *r, size_t field, LLVMTypeRef type, unsigned alignment) {
    r->field[field] = add_aligned(r, type, alignment);
}

void record_share(struct record *r, size_t field, size_t with) {
    r->field[field] = r->field[with];
}

void record_finish(struct record *r) {
    if (!r->member_count) return;
    pad(r, r->alignment);
    r->type = LLVMStructTypeInContext(r->context, r->members, r->member_count, false);
    if (LLVMABISizeOfType(r->layout, r->type) != r->bytes) defect("a record of another size");
}

void record_free(struct record *r) {
    free(r->members);
    free(r->field);
    *r = (struct record){0};
}

void record_allocate(struct record *r, LLVMBuilderRef builder, LLVMValueRef items) {
    if (!r->type) return;
    r->array = LLVMBuildArrayAlloca(builder, r->type, items, RECORD_NAME);
    LLVMSetAlignment(r->array, r->alignment > RECORD_STACK_ALIGNMENT ? r->alignment : RECORD_STACK_ALIGNMENT);
}

LLVMValueRef record_of_item(const struct record *r, LLVMBuilderRef builder, LLVMValueRef item) {
    return LLVMBuildInBoundsGEP2(builder, r->type, r->array, &item, 1, "record");
}

LLVMValueRef record_field(const struct record *r, LLVMBuilderRef builder, LLVMValueRef record, size_t field) {
    return LLVMBuildStructGEP2(builder, r->type, record, r->field[field], "");
}

#include "compiler/ir/item_memory.h"

#include <string.h>

static LLVMValueRef number(const struct item_memory *m, unsigned long long n) {
    return LLVMConstInt(m->word, n, false);
}

/* Marks an access as clang marks one to an object of that type, for C's rules of aliasing. */
static void set_alias_type(LLVMValueRef access, LLVMTypeRef type) {
    LLVMContextRef context = LLVMGetTypeContext(type);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    const char *name = kind == LLVMPointerTypeKind                                      ? "any pointer"
                       : kind == LLVMFloatTypeKind                                      ? "float"
                       : kind == LLVMDoubleTypeKind                                     ? "double"
                       : kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 32 ? "int"
                                                                                        : NULL;
    if (!name) return;
    LLVMMetadataRef zero = LLVMValueAsMetadata(LLVMConstInt(LLVMInt64TypeInContext(context), 0, false)),
                    parent = NULL;
    const char *const names[] = {"Simple C/C++ TBAA", "omnipotent char", name};
    for (int i = 0; i < 3; i++) {
        LLVMMetadataRef parts[] = {LLVMMDStringInContext2(context, names[i], strlen(names[i])), parent, zero};
        parent = LLVMMDNodeInContext2(context, parts, i ? 3 : 1);
    }
    LLVMMetadataRef tag[] = {parent, parent, zero};
    LLVMSetMetadata(access, LLVMGetMDKindIDInContext(context, "tbaa", strlen("tbaa")),
                    LLVMMetadataAsValue(context, LLVMMDNodeInContext2(context, tag, 3)));
}

void item_memory_note_access(LLVMValueRef access) {
    bool store = LLVMIsAStoreInst(access);
    set_alias_type(access, LLVMTypeOf(store ? LLVMGetOperand(access, 0) : access));
}

/* Returns the same address with an origin unknown to the optimiser. */
static LLVMValueRef hide(LLVMBuilderRef builder, LLVMValueRef pointer) {
    static const char text[] = "", constraints[] = "=r,0";
    LLVMTypeRef type = LLVMTypeOf(pointer), signature = LLVMFunctionType(type, &type, 1, false);
    LLVMValueRef assembly =
        LLVMGetInlineAsm(signature, (char *)text, 0, (char *)constraints, strlen(constraints), true, false,
                         LLVMInlineAsmDialectATT, false);
    return LLVMBuildCall2(builder, signature, assembly, &pointer, 1, "items");
}

void item_memory_make(struct item_memory *m, struct prologue *p, const struct record *r,
                      LLVMBuilderRef builder) {
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(p->function));
    *m = (struct item_memory){.word = LLVMInt32TypeInContext(context),
                              .byte_pointer = LLVMPointerType(LLVMInt8TypeInContext(context), 0),
                              .items = p->items};
    LLVMTypeRef parts[] = {LLVMArrayType(m->word, 3), LLVMArrayType(m->word, 3),
                           LLVMArrayType(m->byte_pointer, r->member_count + 1)};
    LLVMTypeRef type = LLVMStructTypeInContext(context, parts, 3, false);
    LLVMValueRef memory = hide(builder, LLVMBuildAlloca(builder, type, "items"));
    for (unsigned d = 0; d < 3; d++) {
        LLVMValueRef counter[] = {number(m, 0), number(m, 0), number(m, d)};
        LLVMValueRef size[] = {number(m, 0), number(m, 1), number(m, d)};
        p->counter[d] = LLVMBuildInBoundsGEP2(builder, type, memory, counter, 3, "counter");
        p->size_memory[d] = m->size[d] = LLVMBuildInBoundsGEP2(builder, type, memory, size, 3, "size");
        m->counter[d] = p->counter[d];
        LLVMBuildStore(builder, p->size[d], m->size[d]);
    }
    if (!r->type) return;
    LLVMValueRef area = LLVMBuildBitCast(builder, hide(builder, r->array), m->byte_pointer, "");
    for (unsigned n = 0; n < r->member_count; n++) {
        LLVMValueRef place[] = {number(m, 0), number(m, 2), number(m, n)};
        LLVMValueRef offset =
            LLVMBuildMul(builder, p->items, number(m, LLVMOffsetOfElement(r->layout, r->type, n)), "");
        LLVMBuildStore(builder,
                       LLVMBuildInBoundsGEP2(builder, LLVMInt8TypeInContext(context), area, &offset, 1, ""),
                       LLVMBuildInBoundsGEP2(builder, type, memory, place, 3, ""));
    }
    LLVMValueRef first[] = {number(m, 0), number(m, 2), number(m, 0)};
    m->arrays = LLVMBuildInBoundsGEP2(builder, type, memory, first, 3, "arrays");
}

static LLVMValueRef load(const struct item_memory *m, LLVMBuilderRef builder, LLVMValueRef pointer) {
    LLVMValueRef value = LLVMBuildLoad2(builder, m->word, pointer, "");
    item_memory_note_access(value);
    return value;
}

LLVMValueRef item_memory_element(const struct item_memory *m, const struct record *r, LLVMBuilderRef builder,
                                 size_t field) {
    LLVMTypeRef type = r->members[r->field[field]];
    LLVMValueRef n = number(m, r->field[field]), index = load(m, builder, m->counter[2]);
    for (unsigned d = 2; d-- > 0;) {
        index = LLVMBuildMul(builder, index, load(m, builder, m->size[d]), "");
        index = LLVMBuildAdd(builder, index, load(m, builder, m->counter[d]), "");
    }
    LLVMValueRef array = LLVMBuildLoad2(
        builder, m->byte_pointer, LLVMBuildInBoundsGEP2(builder, m->byte_pointer, m->arrays, &n, 1, ""), "");
    item_memory_note_access(array);
    array = LLVMBuildBitCast(builder, array, LLVMPointerType(type, 0), "");
    return LLVMBuildInBoundsGEP2(builder, type, array, &index, 1, "element");
}

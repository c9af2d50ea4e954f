#include "compiler/region_loop.h"

static LLVMTypeRef word(const struct prologue *p) {
    return LLVMGetAllocatedType(p->item);
}

static LLVMBasicBlockRef append(const struct prologue *p, const char *name) {
    return LLVMAppendBasicBlockInContext(LLVMGetTypeContext(word(p)), p->function, name);
}

static LLVMValueRef load(LLVMBuilderRef builder, LLVMValueRef variable, const char *name) {
    return LLVMBuildLoad2(builder, LLVMGetAllocatedType(variable), variable, name);
}

void region_loop_begin(struct region_loop *l, LLVMBuilderRef builder, const struct prologue *p) {
    static const char *const names[] = {"item", "row", "layer"};
    *l = (struct region_loop){.prologue = p};
    LLVMBuildStore(builder, LLVMConstInt(word(p), 0, false), p->item);
    for (int d = 2; d >= 0; d--) {
        l->start[d] = append(p, names[d]);
        LLVMBuildStore(builder, LLVMConstInt(word(p), 0, false), p->counter[d]);
        LLVMBuildBr(builder, l->start[d]);
        LLVMPositionBuilderAtEnd(builder, l->start[d]);
    }
    l->latch = append(p, "item.end");
}

void region_loop_set_ids(const struct region_loop *l, LLVMBuilderRef builder, const struct slots *s) {
    for (unsigned d = 0; d < 3; d++) {
        LLVMValueRef id = load(builder, l->prologue->counter[d], "");
        LLVMBuildStore(builder, id, s->local_id[d]);
        LLVMBuildStore(builder, LLVMBuildAdd(builder, l->prologue->first[d], id, ""), s->global_id[d]);
    }
}

LLVMValueRef region_loop_item(const struct region_loop *l, LLVMBuilderRef builder) {
    return load(builder, l->prologue->item, "");
}

static LLVMValueRef increment(LLVMBuilderRef builder, LLVMValueRef variable) {
    LLVMValueRef one = LLVMConstInt(LLVMGetAllocatedType(variable), 1, false);
    LLVMValueRef more = LLVMBuildNUWAdd(builder, load(builder, variable, ""), one, "");
    LLVMBuildStore(builder, more, variable);
    return more;
}

void region_loop_end(struct region_loop *l, LLVMBuilderRef builder, const struct prologue *p) {
    LLVMPositionBuilderAtEnd(builder, l->latch);
    increment(builder, p->item);
    for (unsigned d = 0; d < 3; d++) {
        LLVMBasicBlockRef after = append(p, d == 0 ? "row.end" : d == 1 ? "layer.end" : "region.end");
        LLVMValueRef more = increment(builder, p->counter[d]);
        LLVMValueRef again = LLVMBuildICmp(builder, LLVMIntULT, more, p->size[d], "");
        LLVMBuildCondBr(builder, again, l->start[d], after);
        LLVMPositionBuilderAtEnd(builder, after);
    }
}

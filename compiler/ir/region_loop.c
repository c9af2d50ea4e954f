#include "compiler/ir/region_loop.h"

#include "compiler/ir/item_memory.h"

#include <stdio.h>

static LLVMTypeRef word(const struct prologue *p) {
    return LLVMGetAllocatedType(p->item);
}

LLVMBasicBlockRef region_loop_block(const struct region_loop *l, const char *name) {
    char whole[64];
    snprintf(whole, sizeof whole, "region%zu.%s", l->region, name);
    return LLVMAppendBasicBlockInContext(LLVMGetTypeContext(word(l->prologue)), l->prologue->function, whole);
}

static LLVMValueRef load(LLVMBuilderRef builder, LLVMValueRef variable, const char *name) {
    LLVMValueRef value = LLVMBuildLoad2(builder, LLVMGetElementType(LLVMTypeOf(variable)), variable, name);
    item_memory_note_access(value);
    return value;
}

void region_loop_begin(struct region_loop *l, LLVMBuilderRef builder, const struct prologue *p,
                       size_t region) {
    static const char *const names[] = {"item", "row", "layer"};
    *l = (struct region_loop){.prologue = p, .region = region};
    LLVMBuildStore(builder, LLVMConstInt(word(p), 0, false), p->item);
    for (int d = 2; d >= 0; d--) {
        l->start[d] = region_loop_block(l, names[d]);
        item_memory_note_access(LLVMBuildStore(builder, LLVMConstInt(word(p), 0, false), p->counter[d]));
        LLVMBuildBr(builder, l->start[d]);
        LLVMPositionBuilderAtEnd(builder, l->start[d]);
    }
    l->latch = region_loop_block(l, "item.end");
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
    LLVMValueRef one = LLVMConstInt(LLVMGetElementType(LLVMTypeOf(variable)), 1, false);
    LLVMValueRef more = LLVMBuildNUWAdd(builder, load(builder, variable, ""), one, "");
    item_memory_note_access(LLVMBuildStore(builder, more, variable));
    return more;
}

void region_loop_end(const struct region_loop *l, LLVMBuilderRef builder) {
    static const char *const names[] = {"row.end", "layer.end", "end"};
    const struct prologue *p = l->prologue;
    LLVMMoveBasicBlockAfter(l->latch, LLVMGetLastBasicBlock(p->function));
    LLVMPositionBuilderAtEnd(builder, l->latch);
    increment(builder, p->item);
    for (unsigned d = 0; d < 3; d++) {
        LLVMBasicBlockRef after = region_loop_block(l, names[d]);
        LLVMValueRef more = increment(builder, p->counter[d]);
        LLVMValueRef size = p->size_memory[d] ? load(builder, p->size_memory[d], "") : p->size[d];
        LLVMValueRef again = LLVMBuildICmp(builder, LLVMIntULT, more, size, "");
        LLVMBuildCondBr(builder, again, l->start[d], after);
        LLVMPositionBuilderAtEnd(builder, after);
    }
}

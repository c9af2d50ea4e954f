#include "compiler/ir/prologue.h"

#include "compiler/ir/address_space.h"
#include "compiler/ir/operation.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct hoisting {
    struct prologue *prologue;
    LLVMBuilderRef builder;
    unsigned invariant;   /* metadata kind */
    LLVMValueRef nothing; /* metadata without operands */
};

static bool is_debug(LLVMValueRef i) {
    size_t size;
    LLVMValueRef called = LLVMIsACallInst(i) ? LLVMIsAFunction(LLVMGetCalledValue(i)) : NULL;
    return called && !strncmp(LLVMGetValueName2(called, &size), "llvm.dbg.", strlen("llvm.dbg."));
}

/* Returns whether a value is a known address in the argument block. */
static bool is_argument_address(const struct prologue *p, LLVMValueRef v) {
    if (v == LLVMGetParam(p->function, 0)) return true;
    if (!LLVMIsAGetElementPtrInst(v) && !LLVMIsABitCastInst(v)) return false;
    for (int k = 1; k < LLVMGetNumOperands(v); k++)
        if (!LLVMIsConstant(LLVMGetOperand(v, (unsigned)k))) return false;
    return is_argument_address(p, LLVMGetOperand(v, 0));
}

static bool belongs_to_prologue(const struct prologue *p, LLVMValueRef i) {
    if (LLVMIsALoadInst(i)) return !LLVMGetVolatile(i) && is_argument_address(p, LLVMGetOperand(i, 0));
    return LLVMIsAAllocaInst(i) || is_argument_address(p, i);
}

static void move_to_prologue(struct hoisting *h, LLVMValueRef i) {
    size_t size;
    char name[256];
    snprintf(name, sizeof name, "%s", LLVMGetValueName2(i, &size));
    LLVMInstructionRemoveFromParent(i);
    LLVMInsertIntoBuilderWithName(h->builder, i, name);
}

static void share_group_value(struct hoisting *h, LLVMValueRef i) {
    LLVMValueRef called = LLVMGetCalledValue(i);
    uintptr_t before = value_map_get(&h->prologue->group, called);
    if (before == VALUE_MAP_NONE) {
        value_map_set(&h->prologue->group, called, (uintptr_t)i);
        move_to_prologue(h, i);
        return;
    }
    LLVMReplaceAllUsesWith(i, (LLVMValueRef)before);
    LLVMInstructionEraseFromParent(i);
}

/* Constant memory does not change while a kernel runs. */
static void mark_invariant(const struct hoisting *h, LLVMValueRef i) {
    if (LLVMIsALoadInst(i) &&
        LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(i, 0))) == ADDRESS_SPACE_CONSTANT)
        LLVMSetMetadata(i, h->invariant, h->nothing);
}

LLVMValueRef prologue_declared(LLVMValueRef declaration) {
    LLVMValueRef operand = LLVMGetOperand(declaration, 0), variable = NULL;
    if (LLVMGetMDNodeNumOperands(operand) == 1) LLVMGetMDNodeOperands(operand, &variable);
    return variable ? LLVMIsAAllocaInst(variable) : NULL;
}

static void hoist(struct hoisting *h, LLVMValueRef i) {
    mark_invariant(h, i);
    if (LLVMIsADbgDeclareInst(i) && prologue_declared(i))
        move_to_prologue(h, i);
    else if (is_debug(i))
        LLVMInstructionEraseFromParent(i);
    else if (operation_of(i).kind == OPERATION_GROUP)
        share_group_value(h, i);
    else if (belongs_to_prologue(h->prologue, i))
        move_to_prologue(h, i);
}

LLVMValueRef prologue_variable(struct prologue *p, LLVMTypeRef type, const char *name) {
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetTypeContext(type));
    LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(p->block));
    LLVMSetCurrentDebugLocation2(builder, NULL);
    LLVMValueRef variable = LLVMBuildAlloca(builder, type, name);
    LLVMDisposeBuilder(builder);
    return variable;
}

void prologue_make(struct prologue *p, LLVMValueRef function) {
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(function));
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
    struct hoisting h = {p, LLVMCreateBuilderInContext(context),
                         .nothing = LLVMMDNodeInContext(context, NULL, 0)};
    h.invariant = LLVMGetMDKindIDInContext(context, "invariant.load", strlen("invariant.load"));
    *p = (struct prologue){.function = function,
                           .block = LLVMInsertBasicBlockInContext(context, entry, "prologue")};
    LLVMPositionBuilderAtEnd(h.builder, p->block);
    for (LLVMBasicBlockRef b = entry; b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef next, i = LLVMGetFirstInstruction(b); i; i = next) {
            next = LLVMGetNextInstruction(i);
            hoist(&h, i);
        }
    LLVMBuildBr(h.builder, entry);
    LLVMDisposeBuilder(h.builder);
}

static LLVMValueRef read_group(const struct prologue *p, LLVMBuilderRef builder, LLVMTypeRef type,
                               unsigned dimension, unsigned what, const char *name) {
    char text[64], result[] = "=r";
    int size = snprintf(text, sizeof text, "mrc p7, 0, $0, c2, c%u, %u", dimension, what);
    LLVMTypeRef signature = LLVMFunctionType(type, NULL, 0, false);
    LLVMValueRef assembly = LLVMGetInlineAsm(signature, text, (size_t)size, result, strlen(result), false,
                                             false, LLVMInlineAsmDialectATT, false);
    uintptr_t before = value_map_get(&p->group, assembly); /* an assembly of the kernel; assembly is unique */
    return before == VALUE_MAP_NONE ? LLVMBuildCall2(builder, signature, assembly, NULL, 0, name)
                                    : (LLVMValueRef)before;
}

void prologue_free(struct prologue *p) {
    value_map_free(&p->group);
}

void prologue_finish(struct prologue *p, LLVMBuilderRef builder) {
    enum { GROUP_ID = 0, LOCAL_SIZE = 2, GLOBAL_OFFSET = 4 };
    static const char *const counters[] = {"x", "y", "z"};
    LLVMTypeRef type = LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(p->function)));
    for (unsigned d = 0; d < 3; d++) {
        p->size[d] = read_group(p, builder, type, d, LOCAL_SIZE, "local_size");
        LLVMValueRef group = read_group(p, builder, type, d, GROUP_ID, "group_id");
        LLVMValueRef offset = read_group(p, builder, type, d, GLOBAL_OFFSET, "global_offset");
        p->first[d] = LLVMBuildAdd(builder, LLVMBuildMul(builder, group, p->size[d], ""), offset, "first");
        p->counter[d] = prologue_variable(p, type, counters[d]);
    }
    p->item = prologue_variable(p, type, "item");
    p->items = LLVMBuildMul(builder, LLVMBuildMul(builder, p->size[0], p->size[1], ""), p->size[2], "items");
}

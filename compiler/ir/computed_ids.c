#include "compiler/ir/computed_ids.h"

#include "compiler/ir/operation.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef bool change_function(LLVMBuilderRef b, LLVMValueRef instruction);

/* Calls `change` for each instruction. If it returns true, it has replaced the instruction, which is then
 * erased. */
static void change_all(LLVMModuleRef module, change_function *change) {
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block; block = LLVMGetNextBasicBlock(block))
            for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
                next = LLVMGetNextInstruction(i);
                if (change(b, i)) LLVMInstructionEraseFromParent(i);
            }
    LLVMDisposeBuilder(b);
}

/* Returns the result of inline assembly that depends only on its operand, which may be NULL. */
static LLVMValueRef inline_assembly(LLVMBuilderRef b, LLVMTypeRef type, const char *text,
                                    LLVMValueRef operand) {
    static const char *const pure[] = {"readnone", "nounwind"};
    const char *constraints = operand ? "=r,0" : "=r";
    LLVMTypeRef signature = LLVMFunctionType(type, &type, operand != NULL, false);
    LLVMValueRef assembly =
        LLVMGetInlineAsm(signature, (char *)text, strlen(text), (char *)constraints, strlen(constraints),
                         false, false, LLVMInlineAsmDialectATT, false);
    LLVMValueRef call = LLVMBuildCall2(b, signature, assembly, &operand, operand != NULL, "");
    for (unsigned n = 0; n < sizeof pure / sizeof *pure; n++)
        LLVMAddCallSiteAttribute(
            call, LLVMAttributeFunctionIndex,
            LLVMCreateEnumAttribute(LLVMGetTypeContext(type),
                                    LLVMGetEnumAttributeKindForName(pure[n], strlen(pure[n])), 0));
    return call;
}

/* --- ids --- */

static LLVMValueRef read(LLVMBuilderRef b, LLVMTypeRef type, unsigned n, unsigned m, unsigned opcode) {
    char text[40];
    snprintf(text, sizeof text, "mrc p7, 0, $0, c%u, c%u, %u", n, m, opcode);
    return inline_assembly(b, type, text, NULL);
}

static bool make_id(LLVMBuilderRef b, LLVMValueRef i) {
    const struct operation o = operation_of(i);
    if (o.kind != OPERATION_GLOBAL_ID) return false;
    LLVMTypeRef type = LLVMTypeOf(i);
    const unsigned d = o.dimension;
    LLVMPositionBuilderBefore(b, i);
    LLVMValueRef product = LLVMBuildMul(b, read(b, type, 2, d, 0), read(b, type, 2, d, 2), "");
    LLVMValueRef first = inline_assembly(b, type, "", product); /* keeps the next sum apart */
    LLVMValueRef id = LLVMBuildAdd(b, first, read(b, type, 1, 0, d), "");
    LLVMReplaceAllUsesWith(i, LLVMBuildAdd(b, id, read(b, type, 2, d, 4), ""));
    return true;
}

void computed_ids_make(LLVMModuleRef module) {
    change_all(module, make_id);
}

/* --- addresses --- */

static bool is_variable(LLVMValueRef element) {
    for (int n = 1; n < LLVMGetNumOperands(element); n++)
        if (!LLVMIsConstant(LLVMGetOperand(element, (unsigned)n))) return true;
    return false;
}

/* Returns the origin of a pointer, through elements and casts. */
static LLVMValueRef origin(LLVMValueRef pointer) {
    while (LLVMIsAGetElementPtrInst(pointer) || LLVMIsABitCastInst(pointer))
        pointer = LLVMGetOperand(pointer, 0);
    return pointer;
}

static bool split(LLVMBuilderRef b, LLVMValueRef i) {
    if (!LLVMIsAGetElementPtrInst(i) || LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMPointerTypeKind) return false;
    if (!is_variable(i) || LLVMIsAAllocaInst(origin(i))) return false;
    LLVMTypeRef word = LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(i)));
    LLVMPositionBuilderBefore(b, LLVMGetNextInstruction(i));
    LLVMValueRef base = LLVMBuildPtrToInt(b, LLVMGetOperand(i, 0), word, "");
    LLVMValueRef whole = LLVMBuildPtrToInt(b, i, word, "");
    LLVMValueRef offset = inline_assembly(b, word, "", LLVMBuildSub(b, whole, base, ""));
    LLVMValueRef sum = inline_assembly(b, word, "", LLVMBuildAdd(b, base, offset, ""));
    LLVMReplaceAllUsesWith(i, LLVMBuildIntToPtr(b, sum, LLVMTypeOf(i), ""));
    LLVMSetOperand(whole, 0, i);
    return false;
}

void computed_ids_split(LLVMModuleRef module) {
    change_all(module, split);
}

#include "compiler/ir/direct_calls.h"

#include "compiler/driver/trouble.h"

#include <stdlib.h>

/* Returns the function called with another type, if its parameters are pointers where the call's are. */
static LLVMValueRef disguised_function(LLVMValueRef i) {
    LLVMValueRef called = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
    if (!called || !LLVMIsAConstantExpr(called) || LLVMGetConstOpcode(called) != LLVMBitCast) return NULL;
    LLVMValueRef function = LLVMIsAFunction(LLVMGetOperand(called, 0));
    if (!function || LLVMCountParams(function) != LLVMGetNumArgOperands(i)) return NULL;
    if (LLVMGetReturnType(LLVMGlobalGetValueType(function)) != LLVMTypeOf(i)) return NULL;
    for (unsigned p = 0; p < LLVMCountParams(function); p++) {
        LLVMTypeRef given = LLVMTypeOf(LLVMGetOperand(i, p)), wanted = LLVMTypeOf(LLVMGetParam(function, p));
        if (given != wanted &&
            (LLVMGetTypeKind(given) != LLVMPointerTypeKind || LLVMGetTypeKind(wanted) != LLVMPointerTypeKind))
            return NULL;
    }
    return function;
}

static void call_directly(LLVMBuilderRef builder, LLVMValueRef call, LLVMValueRef function) {
    unsigned count = LLVMCountParams(function);
    LLVMValueRef *arguments = allocate(NULL, count * sizeof(LLVMValueRef));
    LLVMPositionBuilderBefore(builder, call);
    for (unsigned p = 0; p < count; p++) {
        LLVMTypeRef wanted = LLVMTypeOf(LLVMGetParam(function, p));
        arguments[p] = LLVMGetOperand(call, p);
        if (LLVMTypeOf(arguments[p]) != wanted)
            arguments[p] = LLVMBuildPointerCast(builder, arguments[p], wanted, "");
    }
    LLVMValueRef direct =
        LLVMBuildCall2(builder, LLVMGlobalGetValueType(function), function, arguments, count, "");
    LLVMSetInstructionCallConv(direct, LLVMGetInstructionCallConv(call));
    LLVMReplaceAllUsesWith(call, direct);
    LLVMInstructionEraseFromParent(call);
    free(arguments);
}

void direct_calls_make(LLVMModuleRef module) {
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef next, i = LLVMGetFirstInstruction(b); i; i = next) {
                LLVMValueRef called = disguised_function(i);
                next = LLVMGetNextInstruction(i);
                if (called) call_directly(builder, i, called);
            }
    LLVMDisposeBuilder(builder);
}

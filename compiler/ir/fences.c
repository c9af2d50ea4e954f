#include "compiler/ir/fences.h"

#include "abi/image_note.h"

#include <llvm-c/DebugInfo.h>

#define BARRIER "_Z7barrierj"

static void note(const struct module *m, LLVMValueRef call) {
    LLVMMetadataRef place = LLVMInstructionGetDebugLoc(call);
    LLVMValueRef flags = LLVMGetNumArgOperands(call) == 1 ? LLVMGetOperand(call, 0) : NULL;
    if (!place || !flags || !LLVMIsAConstantInt(flags)) return;
    const unsigned column =
        IMAGE_FENCE_COLUMN + (unsigned)(LLVMConstIntGetZExtValue(flags) & IMAGE_FENCE_FLAGS);
    LLVMInstructionSetDebugLoc(call, LLVMDIBuilderCreateDebugLocation(
                                         m->context, LLVMDILocationGetLine(place), column,
                                         LLVMDILocationGetScope(place), LLVMDILocationGetInlinedAt(place)));
}

void fences_note(const struct module *m) {
    LLVMValueRef barrier = LLVMGetNamedFunction(m->llvm, BARRIER);
    for (LLVMUseRef use = barrier ? LLVMGetFirstUse(barrier) : NULL; use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsACallInst(user)) note(m, user);
    }
}

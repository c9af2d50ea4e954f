#include "compiler/ir/unwritten.h"

#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <string.h>

#define MOST_BITS 512
#define MOST_LINE 0xffffu

struct marks {
    unsigned number; /* number of the next mark */
    unsigned line;   /* line of the declaration; 0: unknown */
};

static bool is_lifetime(LLVMValueRef user, bool *start) {
    static const char *const names[] = {"llvm.lifetime.end", "llvm.lifetime.start"};
    if (!LLVMIsAIntrinsicInst(user)) return false;
    const unsigned id = LLVMGetIntrinsicID(LLVMGetCalledValue(user));
    for (unsigned n = 0; n < 2; n++) {
        if (id != LLVMLookupIntrinsicID(names[n], strlen(names[n]))) continue;
        *start = n == 1;
        return true;
    }
    return false;
}

/* Returns whether a variable is only loaded and stored, so that it becomes a register. */
static bool is_simple(LLVMValueRef pointer, LLVMValueRef variable) {
    bool start;
    for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (is_lifetime(user, &start)) continue;
        if (LLVMIsABitCastInst(user) && pointer == variable && is_simple(user, variable)) continue;
        const bool loads = LLVMIsALoadInst(user),
                   stores = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != pointer;
        if (pointer != variable || (!loads && !stores) || LLVMGetVolatile(user)) return false;
    }
    return true;
}

static bool is_scalar(LLVMTypeRef type) {
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind:
    case LLVMPointerTypeKind: return true;
    case LLVMVectorTypeKind: return is_scalar(LLVMGetElementType(type));
    default: return false;
    }
}

/* Builds an instruction that marks a word as having no value. Each has a text of its own, so that the
 * compiler does not merge two of them. */
static LLVMValueRef build_word(LLVMBuilderRef builder, LLVMTypeRef type, struct marks *marks) {
    char text[64];
    const int size =
        snprintf(text, sizeof text, "orr $0, $0, $0 @ %u\n\tmovt $0, #%u", marks->number++, marks->line);
    LLVMTypeRef signature = LLVMFunctionType(type, NULL, 0, false);
    LLVMValueRef called = LLVMGetInlineAsm(signature, text, (size_t)size, "=r", strlen("=r"), false, false,
                                           LLVMInlineAsmDialectATT, false);
    LLVMValueRef call = LLVMBuildCall2(builder, signature, called, NULL, 0, "unwritten");
    static const char *const attributes[] = {"readnone", "nounwind", "willreturn"}; /* may be removed */
    for (unsigned n = 0; n < sizeof attributes / sizeof *attributes; n++)
        LLVMAddCallSiteAttribute(
            call, LLVMAttributeFunctionIndex,
            LLVMCreateEnumAttribute(LLVMGetTypeContext(type),
                                    LLVMGetEnumAttributeKindForName(attributes[n], strlen(attributes[n])),
                                    0));
    return call;
}

static LLVMValueRef build_value(LLVMBuilderRef builder, LLVMTypeRef type, unsigned bits,
                                struct marks *marks) {
    LLVMContextRef context = LLVMGetTypeContext(type);
    LLVMTypeRef word = LLVMInt32TypeInContext(context);
    if (bits <= 32) {
        LLVMValueRef value = build_word(builder, word, marks);
        if (bits < 32) value = LLVMBuildTrunc(builder, value, LLVMIntTypeInContext(context, bits), "");
        if (LLVMGetTypeKind(type) == LLVMPointerTypeKind) return LLVMBuildIntToPtr(builder, value, type, "");
        return LLVMBuildBitCast(builder, value, type, "");
    }
    LLVMValueRef words = LLVMGetUndef(LLVMVectorType(word, bits / 32));
    for (unsigned n = 0; n < bits / 32; n++)
        words = LLVMBuildInsertElement(builder, words, build_word(builder, word, marks),
                                       LLVMConstInt(word, n, false), "");
    return LLVMBuildBitCast(builder, words, type, "");
}

static void store_after(LLVMBuilderRef builder, LLVMValueRef place, LLVMValueRef variable, unsigned bits,
                        struct marks *marks) {
    LLVMPositionBuilderBefore(builder, LLVMGetNextInstruction(place));
    LLVMBuildStore(builder, build_value(builder, LLVMGetAllocatedType(variable), bits, marks), variable);
}

/* Marks a variable where its lifetime starts: at the declaration, and again in each iteration. Returns
 * whether there is such a place. */
static bool mark_lifetimes(LLVMBuilderRef builder, LLVMValueRef pointer, LLVMValueRef variable, unsigned bits,
                           struct marks *marks) {
    bool marked = false, start;
    for (LLVMUseRef use = LLVMGetFirstUse(pointer), next; use; use = next) {
        LLVMValueRef user = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        if (LLVMIsABitCastInst(user)) marked |= mark_lifetimes(builder, user, variable, bits, marks);
        if (!is_lifetime(user, &start) || !start) continue;
        store_after(builder, user, variable, bits, marks);
        marked = true;
    }
    return marked;
}

/* Marks a variable with a declaration, an llvm.dbg.declare(). */
static void mark(const struct module *m, LLVMBuilderRef builder, LLVMValueRef declaration,
                 struct marks *marks) {
    LLVMValueRef operand = LLVMGetOperand(declaration, 0), variable = NULL;
    if (LLVMGetMDNodeNumOperands(operand) == 1) LLVMGetMDNodeOperands(operand, &variable);
    if (!variable || !LLVMIsAAllocaInst(variable) || !is_scalar(LLVMGetAllocatedType(variable))) return;
    const unsigned bits =
        (unsigned)LLVMSizeOfTypeInBits(LLVMGetModuleDataLayout(m->llvm), LLVMGetAllocatedType(variable));
    if (bits > MOST_BITS || (bits > 32 && bits % 32) || !is_simple(variable, variable)) return;
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(declaration));
    const unsigned line = LLVMGetDebugLocLine(declaration);
    marks->line = line <= MOST_LINE ? line : 0;
    if (!mark_lifetimes(builder, variable, variable, bits, marks))
        store_after(builder, variable, variable, bits, marks);
}

void unwritten_mark(const struct module *m) {
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(m->context);
    struct marks marks = {0};
    for (LLVMValueRef f = LLVMGetFirstFunction(m->llvm); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                if (LLVMIsADbgDeclareInst(i)) mark(m, builder, i, &marks);
    LLVMDisposeBuilder(builder);
}

#include "compiler/ir/printf_calls.h"

#include "compiler/ir/address_space.h"
#include "compiler/driver/trouble.h"
#include "abi/printf_buffer.h"

#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <stdlib.h>

struct lowering {
    struct module *m;
    LLVMBuilderRef builder;
    LLVMTargetDataRef layout;
    LLVMTypeRef word, byte, record_function; /* i32, i8, i32 global *(i32) */
    LLVMValueRef make_record;
};

/* clang passes only vectors of three 64-bit elements through a pointer. */
static LLVMValueRef argument_value(struct lowering *l, LLVMValueRef operand) {
    LLVMTypeRef type = LLVMTypeOf(operand);
    if (!LLVMIsAAllocaInst(operand) || LLVMGetTypeKind(LLVMGetElementType(type)) != LLVMVectorTypeKind)
        return operand;
    LLVMTypeRef vector = LLVMGetElementType(type);
    unsigned long long bits = LLVMSizeOfTypeInBits(l->layout, LLVMGetElementType(vector));
    if (LLVMGetVectorSize(vector) != 3 || bits != 64) return operand;
    return LLVMBuildLoad2(l->builder, vector, operand, "");
}

static unsigned value_bytes(const struct lowering *l, LLVMValueRef value) {
    return (unsigned)LLVMStoreSizeOfType(l->layout, LLVMTypeOf(value));
}

static unsigned in_words(unsigned bytes) {
    return (bytes + 3) & ~3u;
}

/* Returns the address, as a number, of a constant with the arguments' sizes. */
static LLVMValueRef sizes_address(struct lowering *l, LLVMValueRef const *values, unsigned count) {
    struct text sizes = {0};
    for (unsigned i = 0; i < count; i++) {
        char size = (char)value_bytes(l, values[i]);
        text_append(&sizes, &size, 1);
    }
    LLVMValueRef list =
        LLVMConstStringInContext(l->m->context, text_string(&sizes), (unsigned)sizes.size, false);
    LLVMValueRef global = LLVMAddGlobalInAddressSpace(l->m->llvm, LLVMTypeOf(list), "__lockstep_printf_sizes",
                                                      ADDRESS_SPACE_CONSTANT);
    LLVMSetInitializer(global, list);
    LLVMSetGlobalConstant(global, true);
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    text_free(&sizes);
    return LLVMConstPtrToInt(global, l->word);
}

static void store_word(struct lowering *l, LLVMValueRef record, unsigned byte, LLVMValueRef value) {
    LLVMValueRef offset = LLVMConstInt(l->word, byte, false);
    LLVMValueRef bytes = LLVMBuildBitCast(
        l->builder, record, LLVMPointerType(l->byte, LLVMGetPointerAddressSpace(LLVMTypeOf(record))), "");
    LLVMValueRef place = LLVMBuildGEP2(l->builder, l->byte, bytes, &offset, 1, "");
    LLVMTypeRef type = LLVMPointerType(LLVMTypeOf(value), LLVMGetPointerAddressSpace(LLVMTypeOf(record)));
    LLVMValueRef store = LLVMBuildStore(l->builder, value, LLVMBuildBitCast(l->builder, place, type, ""));
    LLVMSetAlignment(store, 4);
}

static void check_size(LLVMValueRef call, unsigned largest, unsigned record) {
    if (largest <= 128 && record <= PRINTF_RECORD_BYTES) return;
    unsigned size = 0;
    const char *file = LLVMGetDebugLocFilename(call, &size);
    if (largest > 128)
        refuse(
            "%.*s:%u: error: printf of an argument of %u bytes; numbers, vectors and pointers can be printed",
            (int)size, file ? file : "", LLVMGetDebugLocLine(call), largest);
    refuse("%.*s:%u: error: this printf prints %u bytes at once, and %u is the most; call it more often",
           (int)size, file ? file : "", LLVMGetDebugLocLine(call), record, PRINTF_RECORD_BYTES);
}

/* Returns 0, or −1 if the record is lost. */
static LLVMValueRef call_result(struct lowering *l, LLVMValueRef record) {
    LLVMValueRef place = LLVMBuildPtrToInt(l->builder, record, l->word, "");
    LLVMValueRef lost_place = LLVMConstInt(l->word, PRINTF_LOST_ADDRESS, false);
    return LLVMBuildSExt(l->builder, LLVMBuildICmp(l->builder, LLVMIntEQ, place, lost_place, ""), l->word,
                         "");
}

static void lower_call(struct lowering *l, LLVMValueRef call) {
    unsigned count = LLVMGetNumArgOperands(call) - 1, record_bytes = 4 * PRINTF_ARGUMENTS, largest = 0;
    LLVMValueRef *values = allocate(NULL, (count + 1) * sizeof(LLVMValueRef));
    LLVMPositionBuilderBefore(l->builder, call);
    for (unsigned i = 0; i < count; i++) {
        values[i] = argument_value(l, LLVMGetOperand(call, i + 1));
        unsigned bytes = value_bytes(l, values[i]);
        record_bytes += in_words(bytes);
        if (bytes > largest) largest = bytes;
    }
    check_size(call, largest, record_bytes);
    LLVMValueRef size = LLVMConstInt(l->word, record_bytes, false);
    LLVMValueRef record = LLVMBuildCall2(l->builder, l->record_function, l->make_record, &size, 1, "");
    LLVMValueRef format = LLVMBuildPtrToInt(l->builder, LLVMGetOperand(call, 0), l->word, "");
    store_word(l, record, 4 * PRINTF_SIZES, sizes_address(l, values, count));
    store_word(l, record, 4 * PRINTF_FORMAT, format);
    for (unsigned i = 0, at = 4 * PRINTF_ARGUMENTS; i < count; i++) {
        store_word(l, record, at, values[i]);
        at += in_words(value_bytes(l, values[i]));
    }
    LLVMReplaceAllUsesWith(call, call_result(l, record));
    LLVMInstructionEraseFromParent(call);
    free(values);
}

/* Returns a call of printf, which clang uses in direct calls only. */
static LLVMValueRef next_call(LLVMValueRef function) {
    LLVMUseRef use = LLVMGetFirstUse(function);
    LLVMValueRef user = use ? LLVMGetUser(use) : NULL;
    return user && LLVMIsACallInst(user) && LLVMGetCalledValue(user) == function ? user : NULL;
}

void printf_calls_lower(struct module *m) {
    LLVMValueRef function = LLVMGetNamedFunction(m->llvm, "printf"),
                 call = function ? next_call(function) : NULL;
    if (!call || !LLVMIsDeclaration(function)) return;
    struct lowering l = {.m = m,
                         .builder = LLVMCreateBuilderInContext(m->context),
                         .layout = LLVMCreateTargetDataLayout(m->machine),
                         .word = LLVMInt32TypeInContext(m->context),
                         .byte = LLVMInt8TypeInContext(m->context)};
    l.record_function = LLVMFunctionType(LLVMPointerType(l.word, ADDRESS_SPACE_GLOBAL), &l.word, 1, false);
    l.make_record = LLVMAddFunction(m->llvm, PRINTF_RECORD_FUNCTION, l.record_function);
    for (; call; call = next_call(function)) lower_call(&l, call);
    LLVMDisposeTargetData(l.layout);
    LLVMDisposeBuilder(l.builder);
    m->prints = true;
}

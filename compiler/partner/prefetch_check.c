#include "compiler/partner/prefetch_check.h"

#include "compiler/ir/address_space.h"
#include "compiler/ir/operation.h"
#include "compiler/ir/thunk.h"
#include "compiler/driver/trouble.h"
#include "compiler/ir/value_map.h"

#include <stdio.h>
#include <string.h>

struct check {
    const json_t *kernel;
    struct value_map loaded; /* true: depends on a loaded value */
};

static _Noreturn void refuse_kernel(const struct check *c, LLVMValueRef at, const char *what) {
    unsigned length, line = LLVMGetDebugLocLine(at);
    const char *file = line ? LLVMGetDebugLocFilename(at, &length) : NULL;
    if (!file) file = json_string_value(json_object_get(c->kernel, "file"));
    if (!line) line = (unsigned)json_integer_value(json_object_get(c->kernel, "line"));
    refuse("%s:%u: error: scalar kernel '%s' is said to load ahead only (LOCKSTEP_PREFETCH_OF), but %s; "
           "LOCKSTEP_SCALAR_OF is for any",
           file, line, json_string_value(json_object_get(c->kernel, "name")), what);
}

static bool is_loaded(const struct check *c, LLVMValueRef value) {
    return value_map_get(&c->loaded, value) == true;
}

/* Checks the operands of an instruction that determine an address or control flow. */
static void check_deciding(const struct check *c, LLVMValueRef i) {
    const LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
    const bool branches = opcode == LLVMBr || opcode == LLVMSwitch || opcode == LLVMIndirectBr;
    if (branches && LLVMGetNumOperands(i) > 1 - (opcode != LLVMBr) && is_loaded(c, LLVMGetOperand(i, 0)))
        refuse_kernel(c, i, "a loaded value decides what it does");
    if (opcode == LLVMLoad && is_loaded(c, LLVMGetOperand(i, 0)))
        refuse_kernel(c, i, "a loaded value decides where it loads");
}

/* Checks a call. Assembly without effects on memory may use a loaded value, which keeps the load alive. */
static void check_call(const struct check *c, LLVMValueRef i) {
    const enum operation_kind kind = operation_of(i).kind;
    char *text = LLVMPrintValueToString(LLVMGetCalledValue(i));
    const bool asm_of_memory = kind != OPERATION_NONE && kind != OPERATION_CLOCK && strstr(text, "~{memory}");
    const bool intrinsic = strstr(text, "@llvm.") != NULL, writes = strstr(text, "@llvm.mem") != NULL;
    LLVMDisposeMessage(text);
    if (kind == OPERATION_NOTE && is_loaded(c, LLVMGetOperand(i, 0)))
        refuse_kernel(c, i, "a loaded value is noted");
    if (kind == OPERATION_BARRIER || asm_of_memory) refuse_kernel(c, i, "it has barriers, fences or atomics");
    if (kind == OPERATION_NONE && (!intrinsic || writes)) refuse_kernel(c, i, "it calls what may do more");
}

static bool propagate(struct check *c, LLVMValueRef i) {
    const bool constant =
        LLVMIsALoadInst(i) &&
        LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(i, 0))) == ADDRESS_SPACE_CONSTANT;
    bool loaded = LLVMIsALoadInst(i) && !constant;
    if (is_loaded(c, i)) return false;
    for (int n = 0; n < LLVMGetNumOperands(i) && !loaded; n++)
        loaded = is_loaded(c, LLVMGetOperand(i, (unsigned)n));
    if (loaded) value_map_set(&c->loaded, i, true);
    return loaded;
}

static void check_instruction(const struct check *c, LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMStore: refuse_kernel(c, i, "it stores");
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
    case LLVMFence: refuse_kernel(c, i, "it has barriers, fences or atomics");
    case LLVMCall: check_call(c, i); break;
    default: check_deciding(c, i);
    }
}

static void check_function(struct check *c, LLVMValueRef f) {
    for (bool changed = true; changed;) {
        changed = false;
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                changed |= propagate(c, i);
    }
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            check_instruction(c, i);
}

void prefetch_check(const struct module *m, const json_t *kernels) {
    struct module copy = *m;
    size_t n;
    json_t *kernel;
    copy.llvm = NULL;
    json_array_foreach(kernels, n, kernel) {
        struct check c = {.kernel = kernel};
        char thunk[512];
        if (!json_integer_value(json_object_get(kernel, "prefetches"))) continue;
        if (!copy.llvm) { /* values in registers, for any build options */
            copy.llvm = LLVMCloneModule(m->llvm);
            module_optimise(&copy, true);
        }
        snprintf(thunk, sizeof thunk, THUNK_PREFIX "%s", json_string_value(json_object_get(kernel, "name")));
        LLVMValueRef f = LLVMGetNamedFunction(copy.llvm, thunk);
        if (f) check_function(&c, f);
        value_map_free(&c.loaded);
    }
    if (copy.llvm) LLVMDisposeModule(copy.llvm);
}

#include "compiler/ir/twin.h"

#include "compiler/ir/call_graph.h"
#include "compiler/ir/operation.h"
#include "compiler/ir/priority_operations.h"
#include "compiler/driver/trouble.h"
#include "compiler/ir/value_map.h"

#include <llvm-c/Analysis.h>
#include <stdlib.h>
#include <string.h>

#define FOR_EACH_INSTRUCTION(i, function)                                                                    \
    for (LLVMBasicBlockRef b_ = LLVMGetFirstBasicBlock(function); b_; b_ = LLVMGetNextBasicBlock(b_))        \
        for (LLVMValueRef next_, i = LLVMGetFirstInstruction(b_);                                            \
             i && (next_ = LLVMGetNextInstruction(i), true); i = next_)

static unsigned attribute_kind(const char *name) {
    return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

/* One thread executes everything: instructions need not stay where threads meet. `restrict` is a promise for
 * one work-item only; here many share the code. */
static void drop_promises(LLVMValueRef function) {
    unsigned convergent = attribute_kind("convergent"), noalias = attribute_kind("noalias");
    LLVMRemoveEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, convergent);
    for (unsigned p = 1; p <= LLVMCountParams(function); p++)
        LLVMRemoveEnumAttributeAtIndex(function, p, noalias);
    FOR_EACH_INSTRUCTION(i, function)
    if (LLVMIsACallInst(i) && operation_of(i).kind != OPERATION_BARRIER)
        LLVMRemoveCallSiteEnumAttribute(i, LLVMAttributeFunctionIndex, convergent);
}

static bool is_of_work_item(LLVMValueRef i) {
    enum operation_kind kind = operation_of(i).kind;
    return kind == OPERATION_BARRIER || kind == OPERATION_LOCAL_ID || kind == OPERATION_GLOBAL_ID ||
           kind == OPERATION_GROUP;
}

/* Returns whether a function or a callee has barriers or ids. Recursion has been refused. */
static bool needs_inlining(struct value_map *known, LLVMValueRef function) {
    uintptr_t answer = value_map_get(known, function);
    if (answer != VALUE_MAP_NONE) return answer;
    bool result = false;
    FOR_EACH_INSTRUCTION(i, function) {
        LLVMValueRef called = call_graph_called(i);
        if (is_of_work_item(i) || (called && needs_inlining(known, called))) result = true;
    }
    value_map_set(known, function, result);
    return result;
}

static void inline_always(struct module *m, LLVMValueRef function) {
    LLVMAttributeRef always = LLVMCreateEnumAttribute(m->context, attribute_kind("alwaysinline"), 0);
    LLVMRemoveEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, attribute_kind("noinline"));
    LLVMRemoveEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, attribute_kind("optnone"));
    LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, always);
}

static void prepare(struct module *m, bool snucl) {
    struct value_map known = {0};
    priority_operations_drop(m->llvm);
    for (LLVMValueRef f = LLVMGetFirstFunction(m->llvm); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f)) drop_promises(f);
    for (LLVMValueRef f = LLVMGetFirstFunction(m->llvm); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f) || module_is_entry(f)) continue;
        LLVMSetLinkage(f, LLVMInternalLinkage); /* LLVM derives attributes only from such bodies */
        if (needs_inlining(&known, f)) inline_always(m, f);
    }
    value_map_free(&known);
    /* Puts values into registers, as needed to find uniform values and values live across a barrier. For
     * SnuCL only the source's variables: expressions are recomputed wherever the source has them. */
    module_run_passes(m, snucl ? "always-inline,globaldce,function(sroa,simplifycfg),cgscc(function-attrs)"
                               : "always-inline,globaldce,function(sroa,early-cse,memcpyopt,instcombine,"
                                 "simplifycfg),cgscc(function-attrs)");
}

/* Checks that no function with barriers or ids is left: LLVM inlines every function without computed gotos,
 * which are refused. */
static void check_inlined(LLVMValueRef function, struct value_map *known) {
    size_t size;
    FOR_EACH_INSTRUCTION(i, function) {
        LLVMValueRef called = call_graph_called(i);
        if (called && needs_inlining(known, called))
            defect("%s was not inlined", LLVMGetValueName2(called, &size));
    }
}

void twin_make(struct module *m, const struct thunks *kernels, const struct text *builtins, bool snucl,
               struct coalesced *results) {
    struct value_map known = {0};
    char *message = NULL;
    prepare(m, snucl);
    for (size_t i = 0; i < kernels->count; i++) {
        struct text name = {0};
        text_printf(&name, TWIN_PREFIX "%s", kernels->list[i].kernel);
        LLVMValueRef function = LLVMGetNamedFunction(m->llvm, name.data);
        if (!function) defect("%s is missing", name.data);
        check_inlined(function, &known);
        coalesce(function, snucl, &results[i]);
        text_free(&name);
    }
    if (LLVMVerifyModule(m->llvm, LLVMReturnStatusAction, &message))
        defect("the twin is not well formed: %s", message);
    LLVMDisposeMessage(message);
    LLVMAppendModuleInlineAsm(m->llvm, builtins->data, builtins->size);
    value_map_free(&known);
}

void twin_optimise(struct module *m, bool optimise) {
    module_optimise(m, optimise);
    for (LLVMValueRef f = LLVMGetFirstFunction(m->llvm); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f)) LLVMSetSection(f, TWIN_SECTION);
}

#include "compiler/twin.h"

#include "compiler/call_graph.h"
#include "compiler/operation.h"
#include "compiler/priority_operations.h"
#include "compiler/trouble.h"
#include "compiler/value_map.h"

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

/* One thread runs everything: no instruction has to stay where threads meet. `restrict` promises something
 * about one work-item only, and here many share their code. */
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

/* Whether a function, or one that it calls, has barriers or ids. There is no recursion. */
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
        LLVMSetLinkage(f, LLVMInternalLinkage); /* LLVM trusts only such bodies to tell what they do */
        if (needs_inlining(&known, f)) inline_always(m, f);
    }
    value_map_free(&known);
    /* Values in registers and no more: what is needed to see which are uniform and which outlive a barrier.
     * For SnuCL only the source's variables: an expression is computed again wherever the source has it. */
    module_run_passes(m, snucl ? "always-inline,globaldce,function(sroa,simplifycfg),cgscc(function-attrs)"
                               : "always-inline,globaldce,function(sroa,early-cse,memcpyopt,instcombine,"
                                 "simplifycfg),cgscc(function-attrs)");
}

/* Nothing is left that has barriers or ids: LLVM inlines whatever has no computed
 * gotos, which are refused. */
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

#include "compiler/partner/scalar_kernel.h"

#include "compiler/ir/call_graph.h"
#include "compiler/ir/operation.h"
#include "compiler/driver/trouble.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ANNOTATIONS "llvm.global.annotations"
#define PREFETCH    "lockstep.prefetch"
#define SHARED      "lockstep.shared"
#define WITH_SCALAR 1 /* mcr p7, 0, r0, c4, c0, 1 */

/* Returns the base of a pointer's casts and offsets. */
static LLVMValueRef base_of(LLVMValueRef value) {
    while (LLVMIsAConstantExpr(value)) value = LLVMGetOperand(value, 0);
    return value;
}

/* Returns an annotation's text after its first words; NULL for other annotations. */
static const char *text_of(LLVMValueRef annotation, const char *first) {
    LLVMValueRef text = base_of(LLVMGetOperand(annotation, 1));
    LLVMValueRef bytes = LLVMIsAGlobalVariable(text) ? LLVMGetInitializer(text) : NULL;
    size_t size;
    if (!bytes || !LLVMIsAConstantDataSequential(bytes) || !LLVMIsConstantString(bytes)) return NULL;
    const char *s = LLVMGetAsString(bytes, &size);
    return strncmp(s, first, strlen(first)) == 0 ? s + strlen(first) : NULL;
}

/* --- variables that are shared --- */

/* Returns a kernel's shared __local variable by name; NULL if there is none. */
static LLVMValueRef shared_variable(LLVMValueRef list, const char *kernel, const char *name) {
    char whole[1024];
    snprintf(whole, sizeof whole, "%s.%s", kernel, name);
    for (int n = 0; n < LLVMGetNumOperands(list); n++) {
        LLVMValueRef annotation = LLVMGetOperand(list, (unsigned)n),
                     value = base_of(LLVMGetOperand(annotation, 0));
        size_t size;
        if (text_of(annotation, SHARED) && !strcmp(LLVMGetValueName2(value, &size), whole)) return value;
    }
    return NULL;
}

static void share(LLVMValueRef all, const char *kernel, const char *partner) {
    const int count = LLVMGetNumOperands(LLVMGetInitializer(all));
    for (int n = 0; n < count; n++) {
        LLVMValueRef list = LLVMGetInitializer(all); /* changes when a variable has been replaced */
        LLVMValueRef annotation = LLVMGetOperand(list, (unsigned)n),
                     mine = base_of(LLVMGetOperand(annotation, 0));
        size_t size, length = strlen(partner);
        const char *whole = LLVMGetValueName2(mine, &size);
        if (!text_of(annotation, SHARED) || strncmp(whole, partner, length) != 0 || whole[length] != '.')
            continue;
        LLVMValueRef its = shared_variable(list, kernel, whole + length + 1);
        if (!its)
            refuse("error: LOCKSTEP_SHARED %s of scalar kernel '%s': kernel '%s' has no __local variable of "
                   "this name that is LOCKSTEP_SHARED, too",
                   whole + length + 1, partner, kernel);
        if (LLVMGlobalGetValueType(its) != LLVMGlobalGetValueType(mine))
            refuse(
                "error: LOCKSTEP_SHARED %s of kernel '%s' and of its scalar kernel '%s' are not of the same "
                "type",
                whole + length + 1, kernel, partner);
        if (LLVMGetAlignment(mine) > LLVMGetAlignment(its)) LLVMSetAlignment(its, LLVMGetAlignment(mine));
        LLVMReplaceAllUsesWith(mine, its);
        LLVMDeleteGlobal(mine);
    }
}

static size_t find_thunk(const struct thunks *t, const char *name) {
    size_t n = 0;
    while (n < t->count && strcmp(t->list[n].kernel, name) != 0) n++;
    return n;
}

void scalar_kernel_share(const struct module *m, const struct thunks *t, size_t *runs_with) {
    LLVMValueRef all = LLVMGetNamedGlobal(m->llvm, ANNOTATIONS);
    const int count = all ? LLVMGetNumOperands(LLVMGetInitializer(all)) : 0;
    for (size_t n = 0; n < t->count; n++) runs_with[n] = n;
    for (int n = 0; n < count; n++) {
        LLVMValueRef annotation = LLVMGetOperand(LLVMGetInitializer(all), (unsigned)n);
        const char *kernel = text_of(annotation, SCALAR_OF);
        size_t size;
        if (!kernel) continue;
        const char *partner = LLVMGetValueName2(base_of(LLVMGetOperand(annotation, 0)), &size);
        const size_t p = find_thunk(t, partner), k = find_thunk(t, kernel);
        if (p == t->count || k == t->count) continue;
        runs_with[p] = k;
        share(all, kernel, partner);
    }
}

/* Returns whether parameters are equal, except for names. */
static bool same_parameters(const json_t *one, const json_t *other) {
    static const char *const keys[] = {"type", "space", "access", "offset", "size"};
    const json_t *a = json_object_get(one, "arguments"), *b = json_object_get(other, "arguments");
    if (json_array_size(a) != json_array_size(b)) return false;
    for (size_t n = 0; n < json_array_size(a); n++)
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
            if (!json_equal(json_object_get(json_array_get(a, n), keys[k]),
                            json_object_get(json_array_get(b, n), keys[k])))
                return false;
    return true;
}

static void pair(const struct thunks *t, json_t *kernels, const char *partner, const char *name) {
    const size_t p = find_thunk(t, partner), k = find_thunk(t, name);
    if (p == t->count)
        refuse("error: LOCKSTEP_SCALAR_OF(%s) stands before '%s', which is no kernel", name, partner);
    const struct thunk *at = &t->list[p];
    if (k == t->count)
        refuse("%s:%u: error: '%s' is the scalar kernel of '%s', but there is no kernel of that name",
               at->file, at->line, partner, name);
    json_t *kernel = json_array_get(kernels, k), *scalar = json_array_get(kernels, p);
    const char *others = json_string_value(json_object_get(kernel, "scalar_kernel"));
    if (k == p || *others)
        refuse("%s:%u: error: '%s' cannot be the scalar kernel of '%s', which %s%s", at->file, at->line,
               partner, name, k == p ? "is itself" : "has another: ", k == p ? "" : others);
    if (!same_parameters(kernel, scalar))
        refuse("%s:%u: error: '%s' is the scalar kernel of '%s', but their parameters are not of the same "
               "types: both get the same arguments",
               at->file, at->line, partner, name);
    json_object_set_new(kernel, "scalar_kernel", json_string(partner));
}

void scalar_kernel_pair(const struct module *m, const struct thunks *t, json_t *kernels) {
    LLVMValueRef all = LLVMGetNamedGlobal(m->llvm, ANNOTATIONS);
    LLVMValueRef list = all ? LLVMGetInitializer(all) : NULL;
    const int count = list ? LLVMGetNumOperands(list) : 0;
    for (size_t n = 0; n < t->count; n++)
        json_object_update_new(json_array_get(kernels, n),
                               json_pack("{ss si}", "scalar_kernel", "", "prefetches", 0));
    for (int n = 0; n < count; n++) {
        LLVMValueRef annotation = LLVMGetOperand(list, (unsigned)n);
        const char *name = text_of(annotation, SCALAR_OF);
        size_t size;
        const char *partner = LLVMGetValueName2(base_of(LLVMGetOperand(annotation, 0)), &size);
        if (name) pair(t, kernels, partner, name);
        if (text_of(annotation, PREFETCH) && find_thunk(t, partner) < t->count)
            json_object_set_new(json_array_get(kernels, find_thunk(t, partner)), "prefetches",
                                json_integer(1));
    }
    for (size_t n = 0; n < t->count; n++) {
        const char *partner = json_string_value(json_object_get(json_array_get(kernels, n), "scalar_kernel"));
        const char *next = *partner ? json_string_value(json_object_get(
                                          json_array_get(kernels, find_thunk(t, partner)), "scalar_kernel"))
                                    : "";
        if (*next)
            refuse("%s:%u: error: '%s' is a scalar kernel and cannot have one of its own, '%s'",
                   t->list[find_thunk(t, next)].file, t->list[find_thunk(t, next)].line, partner, next);
    }
    if (all) LLVMDeleteGlobal(all);
}

static bool has_barrier(LLVMValueRef function) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            const struct operation o = operation_of(i);
            if (o.kind == OPERATION_BARRIER && o.dimension == WITH_SCALAR) return true;
        }
    return false;
}

/* Returns whether an instruction stores into memory that others see; among calls, the device library's
 * atomics and vector stores. */
static bool stores_there(LLVMValueRef i) {
    static const char *const callees[] = {"atom_", "atomic_", "vstore", "async_work_group"};
    size_t size;
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMStore: return LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(i, 1))) != 0;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg: return true;
    case LLVMCall: break;
    default: return false;
    }
    const char *name = LLVMGetValueName2(LLVMGetCalledValue(i), &size);
    if (!strncmp(name, "llvm.mem", 8))
        return LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(i, 0))) != 0;
    for (size_t n = 0; n < sizeof callees / sizeof *callees; n++)
        if (strstr(name, callees[n])) return true;
    return false;
}

static bool stores(LLVMValueRef function) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (stores_there(i)) return true;
    return false;
}

static bool does(const struct module *m, const char *kernel, bool (*what)(LLVMValueRef function)) {
    struct call_graph g;
    bool found = false;
    call_graph_read(&g, LLVMGetNamedFunction(m->llvm, kernel));
    for (size_t n = 0; n < g.count && !found; n++) found = what(g.functions[n]);
    call_graph_free(&g);
    return found;
}

bool scalar_kernel_synchronises(const struct module *m, const char *kernel) {
    return does(m, kernel, has_barrier);
}

bool scalar_kernel_stores(const struct module *m, const char *kernel) {
    return does(m, kernel, stores);
}

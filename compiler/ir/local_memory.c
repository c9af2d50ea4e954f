#include "compiler/ir/local_memory.h"

#include "compiler/ir/address_space.h"
#include "compiler/ir/call_graph.h"
#include "compiler/driver/trouble.h"

#include <llvm-c/Target.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Returns whether one of a kernel's functions uses a value: a variable or a constant made of it. */
static bool reaches(const struct call_graph *kernel, LLVMValueRef value) {
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAInstruction(user)) {
            LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(user));
            if (value_map_get(&kernel->index, function) != VALUE_MAP_NONE) return true;
        } else if (reaches(kernel, user)) {
            return true;
        }
    }
    return false;
}

static unsigned round_up(unsigned n, unsigned alignment) {
    return (n + alignment - 1) / alignment * alignment;
}

static void place(struct local_variable *v, unsigned *end) {
    v->offset = round_up(*end, v->alignment);
    *end = v->offset + v->size_bytes;
}

static void add_kernel(struct local_variable *v, size_t kernel) {
    v->kernels = grow(v->kernels, v->kernel_count, sizeof *v->kernels);
    v->kernels[v->kernel_count++] = kernel;
}

static void local_memory_add(struct local_memory *l, LLVMModuleRef module, LLVMValueRef global,
                             const struct call_graph *kernels, const size_t *runs_with, size_t kernel_count) {
    size_t size;
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module);
    struct local_variable v = {.variable = global, .symbol = copy_string(LLVMGetValueName2(global, &size))};
    v.size_bytes = (unsigned)LLVMABISizeOfType(layout, LLVMGlobalGetValueType(global));
    v.alignment = LLVMGetAlignment(global);
    if (!v.alignment) v.alignment = LLVMABIAlignmentOfType(layout, LLVMGlobalGetValueType(global));
    for (size_t k = 0; k < kernel_count; k++) {
        if (!reaches(&kernels[k], global)) continue;
        add_kernel(&v, k);
        if (runs_with[k] != k) add_kernel(&v, runs_with[k]);
    }
    l->variables = grow(l->variables, l->count, sizeof *l->variables);
    l->variables[l->count++] = v;
}

void local_memory_lay_out(struct local_memory *l, LLVMModuleRef module, const char *const *kernels,
                          const size_t *runs_with, size_t kernel_count) {
    unsigned shared = 0;
    struct call_graph *graphs = allocate(NULL, kernel_count * sizeof *graphs);
    *l = (struct local_memory){0};
    for (size_t k = 0; k < kernel_count; k++)
        call_graph_read(&graphs[k], LLVMGetNamedFunction(module, kernels[k]));
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
        if (LLVMGetPointerAddressSpace(LLVMTypeOf(g)) == ADDRESS_SPACE_LOCAL)
            local_memory_add(l, module, g, graphs, runs_with, kernel_count);
    for (size_t k = 0; k < kernel_count; k++) call_graph_free(&graphs[k]);
    free(graphs);
    for (size_t i = 0; i < l->count; i++)
        if (l->variables[i].kernel_count > 1) place(&l->variables[i], &shared);
    l->bytes = shared;
    for (size_t k = 0; k < kernel_count; k++) {
        unsigned end = shared;
        for (size_t i = 0; i < l->count; i++)
            if (l->variables[i].kernel_count == 1 && l->variables[i].kernels[0] == k)
                place(&l->variables[i], &end);
        if (end > l->bytes) l->bytes = end;
    }
    for (size_t i = 0; i < l->count; i++) {
        LLVMSetInitializer(l->variables[i].variable, NULL);
        LLVMSetLinkage(l->variables[i].variable, LLVMExternalLinkage);
    }
}

unsigned local_memory_kernel_bytes(const struct local_memory *l, size_t kernel) {
    unsigned end = 0;
    for (size_t i = 0; i < l->count; i++) {
        const struct local_variable *v = &l->variables[i];
        for (size_t k = 0; k < v->kernel_count; k++)
            if (v->kernels[k] == kernel && v->offset + v->size_bytes > end) end = v->offset + v->size_bytes;
    }
    return end;
}

void local_memory_free(struct local_memory *l) {
    for (size_t i = 0; i < l->count; i++) {
        free(l->variables[i].symbol);
        free(l->variables[i].kernels);
    }
    free(l->variables);
    *l = (struct local_memory){0};
}

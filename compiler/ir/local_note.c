#include "compiler/ir/local_note.h"

#include "compiler/driver/trouble.h"

#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>
#include <stdbool.h>
#include <string.h>

#define MOST_DIMENSIONS 4

/* Returns the name in the source, "tile", of the symbol "kernel.tile" or "kernel.tile.7". */
static json_t *name(const char *symbol) {
    const char *dot = strchr(symbol, '.');
    const char *own = dot ? dot + 1 : symbol;
    return json_stringn(own, strcspn(own, "."));
}

static LLVMMetadataRef declaration(LLVMValueRef variable) {
    size_t count;
    LLVMMetadataRef found = NULL;
    LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(variable, &count);
    for (unsigned i = 0; i < count && !found; i++) {
        LLVMMetadataRef node = LLVMValueMetadataEntriesGetMetadata(entries, i);
        if (LLVMGetMetadataKind(node) == LLVMDIGlobalVariableExpressionMetadataKind)
            found = LLVMDIGlobalVariableExpressionGetVariable(node);
    }
    LLVMDisposeValueMetadataEntries(entries);
    return found;
}

static json_t *file_of(LLVMMetadataRef declaration) {
    LLVMMetadataRef file = declaration ? LLVMDIVariableGetFile(declaration) : NULL;
    unsigned size = 0;
    const char *text = file ? LLVMDIFileGetFilename(file, &size) : "";
    return json_stringn(text, size);
}

static json_t *variable_note(const struct local_variable *v, LLVMModuleRef module) {
    json_t *dimensions = json_array();
    LLVMMetadataRef declared = declaration(v->variable);
    LLVMTypeRef type = LLVMGlobalGetValueType(v->variable);
    for (; LLVMGetTypeKind(type) == LLVMArrayTypeKind && json_array_size(dimensions) < MOST_DIMENSIONS;
         type = LLVMGetElementType(type))
        json_array_append_new(dimensions, json_integer(LLVMGetArrayLength(type)));
    return json_pack("{so so si si si si so}", "name", name(v->symbol), "file", file_of(declared), "line",
                     declared ? (int)LLVMDIVariableGetLine(declared) : 0, "offset", (int)v->offset, "size",
                     (int)v->size_bytes, "element",
                     (int)LLVMABISizeOfType(LLVMGetModuleDataLayout(module), type), "dimensions", dimensions);
}

static bool is_of(const struct local_variable *v, size_t kernel) {
    for (size_t k = 0; k < v->kernel_count; k++)
        if (v->kernels[k] == kernel) return true;
    return false;
}

json_t *local_note(const struct local_memory *l, LLVMModuleRef module, size_t kernel) {
    json_t *variables = json_array();
    for (size_t i = 0; i < l->count; i++)
        if (is_of(&l->variables[i], kernel) &&
            json_array_append_new(variables, variable_note(&l->variables[i], module)) != 0)
            trouble("local variable %s: its name or file is not UTF-8 text", l->variables[i].symbol);
    return variables;
}

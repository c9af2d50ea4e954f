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

/* Returns a variable of an LLVM type. name: consumed. declared: NULL if unknown. */
static json_t *variable_note(json_t *name, LLVMMetadataRef declared, LLVMTypeRef type, LLVMModuleRef module) {
    json_t *dimensions = json_array();
    for (; LLVMGetTypeKind(type) == LLVMArrayTypeKind && json_array_size(dimensions) < MOST_DIMENSIONS;
         type = LLVMGetElementType(type))
        json_array_append_new(dimensions, json_integer(LLVMGetArrayLength(type)));
    return json_pack("{so so si si so}", "name", name, "file", file_of(declared), "line",
                     declared ? (int)LLVMDIVariableGetLine(declared) : 0, "element",
                     (int)LLVMABISizeOfType(LLVMGetModuleDataLayout(module), type), "dimensions", dimensions);
}

/* Adds the variable's place, and returns the variable. */
static json_t *place(json_t *variable, unsigned offset, unsigned size_bytes, bool is_private) {
    json_object_set_new(variable, "offset", json_integer(offset));
    json_object_set_new(variable, "size", json_integer(size_bytes));
    json_object_set_new(variable, "private", json_integer(is_private));
    json_object_set_new(variable, "base", json_integer(0));
    json_object_set_new(variable, "stride", json_integer(0));
    return variable;
}

static bool is_of(const struct local_variable *v, size_t kernel) {
    for (size_t k = 0; k < v->kernel_count; k++)
        if (v->kernels[k] == kernel) return true;
    return false;
}

json_t *local_note(const struct local_memory *l, LLVMModuleRef module, size_t kernel) {
    json_t *variables = json_array();
    for (size_t i = 0; i < l->count; i++) {
        const struct local_variable *v = &l->variables[i];
        if (!is_of(v, kernel)) continue;
        json_t *note = variable_note(name(v->symbol), declaration(v->variable),
                                     LLVMGlobalGetValueType(v->variable), module);
        if (json_array_append_new(variables, place(note, v->offset, v->size_bytes, false)) != 0)
            trouble("local variable %s: its name or file is not UTF-8 text", v->symbol);
    }
    return variables;
}

/* A DILocalVariable's second operand is its name. */
enum { NAME_OPERAND = 1, MOST_OPERANDS = 8 };

json_t *private_note(LLVMValueRef declared, LLVMTypeRef type, LLVMModuleRef module) {
    LLVMValueRef operand[MOST_OPERANDS] = {NULL};
    const unsigned size = (unsigned)LLVMABISizeOfType(LLVMGetModuleDataLayout(module), type);
    unsigned length = 0;
    if (LLVMGetMDNodeNumOperands(declared) <= MOST_OPERANDS) LLVMGetMDNodeOperands(declared, operand);
    const char *text = operand[NAME_OPERAND] ? LLVMGetMDString(operand[NAME_OPERAND], &length) : NULL;
    return place(
        variable_note(json_stringn(text ? text : "", length), LLVMValueAsMetadata(declared), type, module), 0,
        size, true);
}

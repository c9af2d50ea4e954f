#include "compiler/stages/listing.h"

#include <string.h>

/* A function's text as LLVM prints it, from which each instruction's is taken in turn: printed by itself each
 * would have LLVM number the whole function again. */
struct printed {
    char *text;
    const char *rest;
};

static size_t line_length(const char *line) {
    size_t length = strcspn(line, "\n");
    return length + (line[length] == '\n');
}

/* Instructions are indented by two; labels and the function's own lines are not. A switch ends with a
 * bracket. */
static void print_instruction(LLVMValueRef i, struct printed *p, struct text *listing) {
    while (*p->rest && strncmp(p->rest, "  ", 2)) p->rest += line_length(p->rest);
    size_t size = line_length(p->rest);
    if (LLVMGetInstructionOpcode(i) == LLVMSwitch)
        for (const char *line = p->rest; *line && strncmp(line, "  ]", 3);) {
            line += line_length(line);
            size = (size_t)(line - p->rest) + line_length(line);
        }
    /* Without metadata: its numbers say nothing here. */
    const char *metadata = memmem(p->rest, size, ", !", 3);
    size_t shown = metadata ? (size_t)(metadata - p->rest) : size - 1;
    text_printf(listing, "%.*s\n", (int)shown, p->rest);
    p->rest += size;
}

static void print_line(LLVMValueRef i, unsigned *last, struct text *listing) {
    unsigned size = 0, line = LLVMGetDebugLocLine(i);
    const char *file = LLVMGetDebugLocFilename(i, &size);
    if (!file || !line || line == *last) return;
    text_printf(listing, "  ; %.*s:%u\n", (int)size, file, line);
    *last = line;
}

static void print_function(LLVMValueRef function, struct text *listing) {
    size_t size;
    unsigned last = 0;
    struct printed p = {.text = LLVMPrintValueToString(function)};
    p.rest = p.text;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        text_printf(listing, "%s:\n", LLVMGetBasicBlockName(b));
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            print_line(i, &last, listing);
            print_instruction(i, &p, listing);
        }
    }
    LLVMDisposeMessage(p.text);
    text_printf(listing, "; end of %s\n\n", LLVMGetValueName2(function, &size));
}

void listing_print(struct module *m, const struct thunks *kernels, struct text *listing) {
    /* Variables into registers again, and no more: regions and loops stay as they were made. */
    module_run_passes(m, "function(sroa,early-cse,adce,simplifycfg)");
    for (size_t k = 0; k < kernels->count; k++) {
        const struct thunk *t = &kernels->list[k];
        struct text name = {0};
        text_printf(&name, TWIN_PREFIX "%s", t->kernel);
        text_printf(listing, "; %s:%u: kernel %s: void %s(const void *argument_block)\n", t->file, t->line,
                    t->kernel, name.data);
        print_function(LLVMGetNamedFunction(m->llvm, name.data), listing);
        text_free(&name);
    }
}

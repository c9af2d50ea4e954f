#include "compiler/listing.h"

#include <string.h>

/* Without metadata: its numbers say nothing here. */
static void print_instruction(LLVMValueRef i, struct text *listing) {
    char *text = LLVMPrintValueToString(i), *end = strstr(text, ", !");
    if (end) *end = 0;
    text_printf(listing, "%s\n", text);
    LLVMDisposeMessage(text);
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
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        text_printf(listing, "%s:\n", LLVMGetBasicBlockName(b));
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            print_line(i, &last, listing);
            print_instruction(i, listing);
        }
    }
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

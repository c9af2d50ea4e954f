#include "compiler/llvm_library.h"

#include "compiler/library.h"
#include "compiler/program_directory.h"
#include "compiler/stages.h"
#include "compiler/trouble.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

const char *llvm_library_path(void) {
    static struct text path;
    if (!path.size) text_printf(&path, "%s/liblockstep_cc.so", program_directory());
    return path.data;
}

static void *find(const char *name) {
    static void *library;
    if (!library) library = dlopen(llvm_library_path(), RTLD_NOW | RTLD_LOCAL);
    void *symbol = library ? dlsym(library, name) : NULL;
    if (symbol) return symbol;
    const char *why = dlerror();
    if (why && (strstr(why, "libclang") || strstr(why, "libLLVM")))
        trouble("LLVM 14 is not installed; install it with: sudo apt-get install clang-14 lld-14 "
                "libclang1-14 libllvm14\n"
                "(%s)",
                why);
    trouble("%s cannot be loaded; build it again with make\n(%s)", llvm_library_path(), why ? why : name);
}

void llvm_library_run_stages(struct build *b) {
    __typeof__(stages_run) *run;
    void *symbol = find("stages_run");
    memcpy(&run, &symbol, sizeof run);
    run(b);
}

void llvm_library_compile(const char *path, const char *output, const struct arguments *extra) {
    __typeof__(library_compile) *run;
    void *symbol = find("library_compile");
    memcpy(&run, &symbol, sizeof run);
    run(path, output, extra);
}

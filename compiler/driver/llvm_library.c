#include "compiler/driver/llvm_library.h"

#include "compiler/stages/clang_run.h"
#include "compiler/stages/library.h"
#include "compiler/driver/program_directory.h"
#include "compiler/stages/stages.h"
#include "compiler/driver/trouble.h"

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define MAX_STACK_BYTES ((size_t)1 << 30)
#define MIN_STACK_BYTES ((size_t)64 << 20)
#define TOP_PAD_BYTES   (16 << 20)

const char *llvm_library_path(void) {
    static struct text path;
    if (!path.size) text_printf(&path, "%s/liblockstep_cc.so", program_directory());
    return path.data;
}

static void *find_symbol(const char *name) {
    static void *library;
    if (!library) library = dlopen(llvm_library_path(), RTLD_LAZY | RTLD_LOCAL);
    void *symbol = library ? dlsym(library, name) : NULL;
    if (symbol) return symbol;
    const char *why = dlerror();
    if (why && (strstr(why, "failed to map") || strstr(why, "llocate memory")))
        trouble("out of memory: LLVM cannot be loaded (%s)", why);
    if (why && (strstr(why, "libclang") || strstr(why, "libLLVM")))
        trouble("LLVM 14 is not installed; install it with: sudo apt-get install clang-14 "
                "libclang1-14 libllvm14\n"
                "(%s)",
                why);
    trouble("%s cannot be loaded; build it again with make\n(%s)", llvm_library_path(), why ? why : name);
}

struct call {
    void (*function)(const struct call *c);
    void *symbol;
    struct build *build;
    const char *path, *output; /* arguments for a source of the device library */
    const struct arguments *extra;
};

static void run_stages(const struct call *c) {
    __typeof__(stages_run) *run;
    memcpy(&run, &c->symbol, sizeof run);
    run(c->build);
}

static void run_library(const struct call *c) {
    __typeof__(library_compile) *run;
    memcpy(&run, &c->symbol, sizeof run);
    run(c->path, c->output, c->extra);
}

static void *run_call(void *call) {
    const struct call *c = call;
    c->function(c);
    return NULL;
}

/* Runs on a large stack, of which only the used part takes memory: LLVM and the walks over syntax trees
 * recurse along values and expressions, as deep as a kernel without branches is long. */
static void run_on_large_stack(struct call *c) {
    pthread_attr_t attributes;
    pthread_t thread;
    int error = ENOMEM;
    /* A separate arena of the thread would grow page by page. */
    mallopt(M_ARENA_MAX, 1);
    mallopt(M_TOP_PAD, TOP_PAD_BYTES);
    pthread_attr_init(&attributes);
    for (size_t bytes = MAX_STACK_BYTES; error && bytes >= MIN_STACK_BYTES; bytes /= 2) {
        pthread_attr_setstacksize(&attributes, bytes);
        error = pthread_create(&thread, &attributes, run_call, c);
    }
    if (error) trouble("no memory for a stack: %s", strerror(error));
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
}

void llvm_library_run_stages(struct build *b) {
    struct call c = {.function = run_stages, .symbol = find_symbol("stages_run"), .build = b};
    run_on_large_stack(&c);
}

void llvm_library_compile(const char *path, const char *output, const struct arguments *extra) {
    struct call c = {run_library, find_symbol("library_compile"), NULL, path, output, extra};
    run_on_large_stack(&c);
}

void llvm_library_start_clang(struct process *p, const struct arguments *command, const struct text *input) {
    void *symbol = find_symbol("clang_run");
    __typeof__(clang_run) *run;
    memcpy(&run, &symbol, sizeof run);
    process_start_function(p, command, input, run);
}

/* Preloaded into lockstep-cc by test_compiler_work.c. Writes counts of the compiler's work to $COUNT_WORK at
 * its end: "processes N modules N optimised N generated N". Children that run clang's library end differently
 * and write nothing. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static unsigned processes, modules, optimised, generated;
static pid_t self;

/* LLVM is loaded by the compiler, not with it. */
static void find_function(const char *library, const char *name, void *function) {
    void *symbol = dlsym(dlopen(library, RTLD_LAZY | RTLD_NOLOAD), name);
    memcpy(function, &symbol, sizeof symbol);
}

pid_t fork(void) {
    pid_t (*real)(void);
    find_function("libc.so.6", "fork", &real);
    processes++;
    return real();
}

int LLVMParseBitcodeInContext2(void *context, void *buffer, void **module) {
    int (*real)(void *, void *, void **);
    find_function("libLLVM-14.so.1", __func__, &real);
    modules++;
    return real(context, buffer, module);
}

void *LLVMRunPasses(void *module, const char *passes, void *machine, void *options) {
    void *(*real)(void *, const char *, void *, void *);
    find_function("libLLVM-14.so.1", __func__, &real);
    optimised += strcmp(passes, "default<O2>") == 0;
    return real(module, passes, machine, options);
}

int LLVMTargetMachineEmitToMemoryBuffer(void *machine, void *module, int type, char **message,
                                        void **buffer) {
    int (*real)(void *, void *, int, char **, void **);
    find_function("libLLVM-14.so.1", __func__, &real);
    generated++;
    return real(machine, module, type, message, buffer);
}

__attribute__((constructor)) static void begin(void) {
    self = getpid();
}

__attribute__((destructor)) static void end(void) {
    const char *path = getenv("COUNT_WORK");
    FILE *file = path && getpid() == self ? fopen(path, "w") : NULL;
    if (!file) return;
    fprintf(file, "processes %u modules %u optimised %u generated %u", processes, modules, optimised,
            generated);
    fclose(file);
}

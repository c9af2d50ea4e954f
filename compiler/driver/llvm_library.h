/*
 * llvm_library: the part of the compiler that uses libclang and LLVM (stages.h, library.h). Loading these
 * takes longer than a build from the cache, so they are in a shared library in the program's directory,
 * loaded only to compile. If the library or LLVM is missing, trouble() says what to install.
 */
#ifndef COMPILER_LLVM_LIBRARY_H
#define COMPILER_LLVM_LIBRARY_H

#include "compiler/driver/build.h"
#include "compiler/driver/process.h"

const char *llvm_library_path(void);

void llvm_library_run_stages(struct build *b); /* stages_run() */
void llvm_library_compile(const char *path, const char *output,
                          const struct arguments *extra); /* library.h */

/* Starts clang_run() in a process of its own, for which process_finish() waits. */
void llvm_library_start_clang(struct process *p, const struct arguments *command, const struct text *input);

#endif

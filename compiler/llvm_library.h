/*
 * llvm_library: the part of the compiler that uses libclang and LLVM (stages.h, library.h). Loading those
 * takes longer than a build from the cache, so it is a shared library beside this program that is loaded when
 * something must be compiled. One that is missing, or that lacks LLVM, is trouble() that says what to
 * install.
 */
#ifndef COMPILER_LLVM_LIBRARY_H
#define COMPILER_LLVM_LIBRARY_H

#include "compiler/build.h"
#include "compiler/process.h"

const char *llvm_library_path(void);

void llvm_library_run_stages(struct build *b); /* stages_run() */
void llvm_library_compile(const char *path, const char *output,
                          const struct arguments *extra); /* library.h */

/* clang_run() in a process of its own, which process_finish() waits for. */
void llvm_library_start_clang(struct process *p, const struct arguments *command, const struct text *input);

#endif

/*
 * clang_run: clang as a function with the program's standard input, output and error, to be called in a
 * process of its own (process.h). A child of a process that has loaded LLVM starts in a millisecond; the
 * program takes twenty to load LLVM.
 */
#ifndef COMPILER_CLANG_RUN_H
#define COMPILER_CLANG_RUN_H

#define LLVM_DIRECTORY "/usr/lib/llvm-14" /* directory of Debian's packages */

/* Runs the program's command line, which begins with its name and asks for one step of clang (not linking).
 * Returns the exit status. */
#ifdef __cplusplus
extern "C" {
#endif
int clang_run(int argc, char *const *argv);

/* Resets all options of LLVM, which are global in the process, to their defaults. */
void clang_forget_options(void);
#ifdef __cplusplus
}
#endif

#endif

/*
 * clang_run: clang as a function, which reads standard input and writes standard output and error like the
 * program: to be called in a process of its own (process.h). A child of a process that has LLVM loaded starts
 * in a millisecond; the program takes twenty to load LLVM once more.
 */
#ifndef COMPILER_CLANG_RUN_H
#define COMPILER_CLANG_RUN_H

#define LLVM_DIRECTORY "/usr/lib/llvm-14" /* of Debian's packages */

/* The program's command line, its name first; what it asks for must be one step of clang's (not linking).
 * Returns the exit status. */
#ifdef __cplusplus
extern "C" {
#endif
int clang_run(int argc, char *const *argv);

/* Gives every option of LLVM's, which are those of the whole process, its default again. */
void clang_forget_options(void);
#ifdef __cplusplus
}
#endif

#endif

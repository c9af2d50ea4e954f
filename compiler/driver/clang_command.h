/*
 * clang_command: the clang command lines of the stages. Every object for the machine, kernels and libraries
 * alike, is compiled with the same target flags, so that functions can be inlined into each other.
 */
#ifndef COMPILER_CLANG_COMMAND_H
#define COMPILER_CLANG_COMMAND_H

#include "compiler/driver/process.h"

enum language { LANGUAGE_OPENCL, LANGUAGE_C };

/* Returns the language by the file's name: C for *.c, else OpenCL C. */
enum language language_of(const char *path);

/* Source to preprocessed source (-E), or to diagnostics only (-fsyntax-only). `options` come last. */
void clang_preprocess(struct arguments *a, enum language language, const struct arguments *options);
void clang_check(struct arguments *a, enum language language, const struct arguments *options);

/* Adds the arguments with which libclang and the compiling clang read preprocessed source, and those
 * `options` that have a meaning after preprocessing. */
void clang_parse(struct arguments *a, enum language language, const struct arguments *options);

/* Preprocessed and instrumented source on standard input to unoptimised LLVM bitcode on standard output. */
void clang_compile(struct arguments *a, enum language language, const struct arguments *options);

#endif

/*
 * library: compiles a source of the device library to instrumented, unoptimised bitcode. The bitcode is
 * linked with others into library.bc, cut into parts (library_parts.h), and optimised together with the
 * kernels that use it.
 */
#ifndef COMPILER_LIBRARY_H
#define COMPILER_LIBRARY_H

#include "compiler/driver/process.h"

/* Compiles OpenCL C, or C11 for *.c. `extra`: more clang options. Clang's warnings go to standard error. */
void library_compile(const char *path, const char *output, const struct arguments *extra);

#endif

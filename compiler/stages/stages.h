/*
 * stages: the part of the compiler that needs libclang and LLVM, a library of its own (llvm_library.h): from
 * the preprocessed source or compiled objects to the result.
 */
#ifndef COMPILER_STAGES_H
#define COMPILER_STAGES_H

#include "compiler/driver/build.h"

/* Fills b->log and b->result. Refuses a source that does not compile. */
void stages_run(struct build *b);

#endif

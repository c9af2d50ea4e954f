/*
 * stages: what needs libclang and LLVM, a library of its own (llvm_library.h): from the preprocessed source
 * or compiled objects to the result.
 */
#ifndef COMPILER_STAGES_H
#define COMPILER_STAGES_H

#include "compiler/build.h"

/* Fills b->log and b->result. A source that does not compile is refused. */
void stages_run(struct build *b);

#endif

/*
 * scalar_partners: scalar kernels made by the compiler (scalar-unit.md §2): the program as OpenCL C with a
 * partner after each kernel that can have one. This text is then compiled; --emit=scalar-kernel shows it.
 * Reasons for loads and statements that do not qualify are comments in it, and messages in the build log.
 */
#ifndef COMPILER_SCALAR_PARTNERS_H
#define COMPILER_SCALAR_PARTNERS_H

#include "compiler/driver/build.h"

/* Makes b->generated from b->preprocessed: the whole program, preprocessed again. If `shown` is not NULL, it
 * gets the text that a user could have written. Does nothing if the source has errors. */
void scalar_partners_make(struct build *b, struct text *shown);

#endif

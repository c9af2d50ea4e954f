/*
 * scalar_partners: scalar kernels that the compiler makes (scalar-unit.md §2): the program as OpenCL C with a
 * partner behind each kernel that can have one. It is what is compiled then, and what --emit=scalar-kernel
 * shows. What does not qualify stands in comments there, and in the build log.
 */
#ifndef COMPILER_SCALAR_PARTNERS_H
#define COMPILER_SCALAR_PARTNERS_H

#include "compiler/build.h"

/* From b->preprocessed: the whole program, preprocessed again, to b->generated; with `shown`, the text that a
 * user could have written to *shown. Nothing if the source has errors. */
void scalar_partners_make(struct build *b, struct text *shown);

#endif

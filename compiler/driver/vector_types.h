/*
 * vector_types: the alignment of OpenCL's vectors. OpenCL aligns a vector to its size; the ARM procedure call
 * standard, and so clang, to at most 8 bytes. Hosts lay out structures by OpenCL's rule, so the types are
 * redeclared with it.
 */
#ifndef COMPILER_VECTOR_TYPES_H
#define COMPILER_VECTOR_TYPES_H

#include "compiler/driver/text.h"

/* Adds the alignment to every vector type declared in preprocessed OpenCL C (by clang's header). The number
 * of lines does not change. */
void vector_types_align(struct text *preprocessed);

#endif

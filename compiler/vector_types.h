/*
 * vector_types: OpenCL aligns a vector to its size; the ARM procedure call standard, and so clang, to at most
 * 8 bytes. Hosts lay out their structures by OpenCL's rule, so the types are declared anew with it.
 */
#ifndef COMPILER_VECTOR_TYPES_H
#define COMPILER_VECTOR_TYPES_H

#include "compiler/text.h"

/* Adds the alignment to every vector type declared in preprocessed OpenCL C (those of clang's own header).
 * Lines stay lines. */
void vector_types_align(struct text *preprocessed);

#endif

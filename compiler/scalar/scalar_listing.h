/*
 * scalar_listing: a listing of a program's scalarization. For each kernel it has the words that a warp of 32
 * threads needs by each rule. For each instruction it has the class, the register of each operand, and the
 * reason if the instruction or its result is a vector.
 */
#ifndef COMPILER_SCALAR_LISTING_H
#define COMPILER_SCALAR_LISTING_H

#include "compiler/scalar/scalar.h"

/* Lists a linked image by the rule, with source lines as in "  ; file.cl:12". */
void scalar_listing(const struct text *image, const json_t *kernels, enum compile_scalarize rule,
                    struct text *listing);

#endif

/*
 * scalar: scalarization of an image's SIMT code (lanes.md §3): the instructions that are executed once for a
 * warp, and the place of each operand (abi/scalar_note.h). The code does not change.
 */
#ifndef COMPILER_SCALAR_H
#define COMPILER_SCALAR_H

#include "compiler/scalar/scalar_registers.h"

#include <jansson.h>

struct scalar {
    struct scalar_code code;
    struct scalar_webs webs;
    struct scalar_classes classes;
    struct scalar_registers registers;
};

/* Analyses a linked image, which must stay in memory. `kernels`: objects of its note. */
void scalar_find(struct scalar *s, const struct text *image, const json_t *kernels,
                 enum compile_scalarize rule);
void scalar_free(struct scalar *s);

/* Returns the note's member "scalar", and adds the numbers of registers to the kernels' objects. */
json_t *scalar_note(const struct text *image, enum compile_scalarize rule, json_t *kernels);

/* Operands of an instruction, including a call's link register; whether it is scalar. */
struct scalar_operands {
    uint64_t reads, writes;
    size_t call; /* node that writes LR if it is another one; else SCALAR_NONE */
    bool scalar;
};
struct scalar_operands scalar_operands(const struct scalar *s, size_t node);

/* Returns the web of a written operand. */
size_t scalar_written(const struct scalar *s, const struct scalar_operands *o, size_t node, unsigned r);

extern const char *const scalar_rule_name[]; /* index: enum compile_scalarize */

#endif

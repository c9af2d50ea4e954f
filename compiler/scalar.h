/*
 * scalar: scalarization of an image's SIMT code (lanes.md §3): which instructions are executed once for a
 * warp, and where each operand is (abi/scalar_note.h). The code stays as it is.
 */
#ifndef COMPILER_SCALAR_H
#define COMPILER_SCALAR_H

#include "compiler/scalar_registers.h"

#include <jansson.h>

struct scalar {
    struct scalar_code code;
    struct scalar_webs webs;
    struct scalar_classes classes;
    struct scalar_registers registers;
};

/* Of a linked image, which has to stay. `kernels`: objects of its note. */
void scalar_find(struct scalar *s, const struct text *image, const json_t *kernels,
                 enum compile_scalarize rule);
void scalar_free(struct scalar *s);

/* The note's member "scalar"; the kernels' objects get their numbers of registers. */
json_t *scalar_note(const struct text *image, enum compile_scalarize rule, json_t *kernels);

/* What an instruction reads and writes, a call's link register included; whether it is scalar. */
struct scalar_operands {
    uint64_t reads, writes;
    size_t call; /* the node that writes LR, if it is another: SCALAR_NONE */
    bool scalar;
};
struct scalar_operands scalar_operands(const struct scalar *s, size_t node);

/* The web of an operand that is written. */
size_t scalar_written(const struct scalar *s, const struct scalar_operands *o, size_t node, unsigned r);

extern const char *const scalar_rule_name[]; /* by enum compile_scalarize */

#endif

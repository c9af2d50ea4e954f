/*
 * scalar_registers: numbers the registers of webs in each class (lanes.md §3): webs of one class that are
 * live at the same time have different numbers. A scalar that waits on one side of a divergent branch is live
 * on the other sides, which execute meanwhile. Webs are coloured by falling number of neighbours, then by
 * address, with the smallest free number; once for vectors, once for scalars, over the whole image.
 */
#ifndef COMPILER_SCALAR_REGISTERS_H
#define COMPILER_SCALAR_REGISTERS_H

#include "compiler/scalar/scalar_classes.h"

struct scalar_registers {
    unsigned *number;            /* for each web */
    unsigned *vectors, *scalars; /* for each kernel: highest number in its code, plus 1 */
};

void scalar_registers_find(struct scalar_registers *r, const struct scalar_code *c,
                           const struct scalar_webs *w, const struct scalar_classes *k);
void scalar_registers_free(struct scalar_registers *r);

#endif

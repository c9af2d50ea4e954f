/*
 * scalar_registers: gives each web the number of a register of its class (lanes.md §3): webs of one class
 * that are needed at the same time have different ones. A scalar that waits on one side of a divergent branch
 * is needed on the other sides, which run meanwhile. Webs are coloured by falling number of neighbours, then
 * by address, with the smallest number that is free; once for vectors, once for scalars, over the whole
 * image.
 */
#ifndef COMPILER_SCALAR_REGISTERS_H
#define COMPILER_SCALAR_REGISTERS_H

#include "compiler/scalar_classes.h"

struct scalar_registers {
    unsigned *number;            /* per web */
    unsigned *vectors, *scalars; /* per kernel: one more than the highest that its code uses */
};

void scalar_registers_find(struct scalar_registers *r, const struct scalar_code *c,
                           const struct scalar_webs *w, const struct scalar_classes *k);
void scalar_registers_free(struct scalar_registers *r);

#endif

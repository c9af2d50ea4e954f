/*
 * unwritten: marks of scalar variables without a value, for `run --check-memory` (model/check/value_check.h).
 * An optimiser may take any value for such a variable. With a mark it has a value like any other, that of the
 * instructions `orr rN, rN, rN` and `movt rN, #L`: the simulator takes rN for unwritten. L is the line of the
 * declaration; 0: unknown. The optimiser removes the marks of all variables that are always written before
 * they are read.
 */
#ifndef COMPILER_UNWRITTEN_H
#define COMPILER_UNWRITTEN_H

#include "compiler/ir/module.h"

/* Marks the variables of a module that has not been optimised. Arrays, structures, and variables with an
 * address in use are not marked. */
void unwritten_mark(const struct module *m);

#endif

/*
 * prefetch_check: whether scalar kernels that are said to load ahead (LOCKSTEP_PREFETCH_OF) do only that.
 * What their loads read may be anything, so it must not matter: they store nothing, and no loaded value
 * reaches an address, a branch or an operation of the machine.
 */
#ifndef COMPILER_PREFETCH_CHECK_H
#define COMPILER_PREFETCH_CHECK_H

#include "compiler/module.h"

#include <jansson.h>

/* The kernels of the note, in a module that has been prepared and linked. One that does more is refused. */
void prefetch_check(const struct module *m, const json_t *kernels);

#endif

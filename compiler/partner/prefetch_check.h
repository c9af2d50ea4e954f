/*
 * prefetch_check: checks that scalar kernels declared to prefetch (LOCKSTEP_PREFETCH_OF) do only that. Their
 * loads may read anything, so results must not matter: they store nothing, and no loaded value reaches an
 * address, a branch or an operation of the machine.
 */
#ifndef COMPILER_PREFETCH_CHECK_H
#define COMPILER_PREFETCH_CHECK_H

#include "compiler/ir/module.h"

#include <jansson.h>

/* Checks the kernels of the note, in a prepared and linked module; refuses kernels that do more. */
void prefetch_check(const struct module *m, const json_t *kernels);

#endif

/*
 * sync_check: detects lockstep_sync(1) where work-items certainly diverge. There, a branch separates the
 * work-items with local ids 0 and 1, or a named one: one side synchronises with the scalar thread, and the
 * other reaches a later barrier. Uncertain cases are left to the machine.
 */
#ifndef COMPILER_SYNC_CHECK_H
#define COMPILER_SYNC_CHECK_H

#include "compiler/ir/module.h"

#include <jansson.h>

/* Checks the kernels of the note that synchronise, in a prepared and linked module; refuses kernels that do
 * so in divergent code. */
void sync_check(const struct module *m, const json_t *kernels);

#endif

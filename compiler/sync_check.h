/*
 * sync_check: lockstep_sync(1) where work-items certainly part: at a branch on which those with local ids 0
 * and 1, or one that is named, go different ways, one side synchronises with the scalar thread and the other
 * comes to a barrier behind it. Where that is not certain the machine finds it.
 */
#ifndef COMPILER_SYNC_CHECK_H
#define COMPILER_SYNC_CHECK_H

#include "compiler/module.h"

#include <jansson.h>

/* The kernels of the note that synchronise, in a module that has been prepared and linked: one that does so
 * in divergent code is refused. */
void sync_check(const struct module *m, const json_t *kernels);

#endif

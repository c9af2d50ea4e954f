/*
 * listing: the twins' code for people: LLVM IR of each kernel's coalesced function, with the source lines it
 * comes from in front, before the optimiser rearranges it.
 */
#ifndef COMPILER_LISTING_H
#define COMPILER_LISTING_H

#include "compiler/module.h"
#include "compiler/thunk.h"

void listing_print(struct module *m, const struct thunks *kernels, struct text *listing);

#endif

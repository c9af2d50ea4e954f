/*
 * listing: the twins' code for people: LLVM IR of each kernel's coalesced function before optimisation, with
 * source lines before the instructions.
 */
#ifndef COMPILER_LISTING_H
#define COMPILER_LISTING_H

#include "compiler/ir/module.h"
#include "compiler/ir/thunk.h"

void listing_print(struct module *m, const struct thunks *kernels, struct text *listing);

#endif

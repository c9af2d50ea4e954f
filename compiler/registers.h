/*
 * registers: how many registers a kernel's SIMT code uses, counted in its assembler text: core registers (SP,
 * LR and PC included where they are named) and 32-bit VFP registers.
 */
#ifndef COMPILER_REGISTERS_H
#define COMPILER_REGISTERS_H

#include "compiler/module.h"
#include "compiler/thunk.h"

/* Of every kernel with all it calls, helpers in builtins.a excepted. The module has been optimised; code for
 * it has not been generated yet. */
void registers_count(const struct module *m, const struct thunks *kernels, unsigned *counts);

#endif

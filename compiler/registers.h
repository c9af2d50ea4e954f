/*
 * registers: how many registers a kernel's SIMT code uses, counted in its machine code: core registers (SP
 * and LR included where instructions name them, PC where they write it) and 32-bit VFP registers; and how
 * many conditional returns it has, behind which threads of a warp meet late (code_flow.h).
 */
#ifndef COMPILER_REGISTERS_H
#define COMPILER_REGISTERS_H

#include "compiler/module.h"
#include "compiler/thunk.h"

struct registers_counts {
    unsigned registers, conditional_returns;
};

/* Counts those of every kernel with all it calls, but for helpers in builtins.a. `object` is the module's
 * code.
 */
void registers_count(const struct module *m, const struct text *object, const struct thunks *kernels,
                     struct registers_counts *counts);

#endif

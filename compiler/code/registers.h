/*
 * registers: the number of registers in a kernel's SIMT code, counted in its machine code: core registers
 * (including SP and LR if instructions name them, PC if they write it) and 32-bit VFP registers; and its
 * number of conditional returns, after which threads of a warp reconverge late (code_flow.h).
 */
#ifndef COMPILER_REGISTERS_H
#define COMPILER_REGISTERS_H

#include "compiler/ir/module.h"
#include "compiler/ir/thunk.h"

struct registers_counts {
    unsigned registers, conditional_returns;
};

/* Counts the registers of every kernel with all its callees, except helpers in builtins.a. `object`: the
 * module's code. */
void registers_count(const struct module *m, const struct text *object, const struct thunks *kernels,
                     struct registers_counts *counts);

#endif

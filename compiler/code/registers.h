/*
 * registers: counts in the machine code of a kernel for SIMT mode. Registers are core registers and 32-bit
 * VFP registers; SP and LR count if an instruction names them, PC if one writes it. After conditional returns
 * threads of a warp reconverge late (code_flow.h).
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

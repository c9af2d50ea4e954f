/*
 * latches: gives a loop with several back jumps a single latch block, so that threads that diverge in the
 * body reconverge before the next iteration (docs/compiler.md, "Structured SIMT code"). An empty inline
 * assembly, which becomes no instruction, keeps LLVM from removing the block: LLVM turns a loop with several
 * back edges into two nested loops.
 */
#ifndef COMPILER_LATCHES_H
#define COMPILER_LATCHES_H

#include "compiler/ir/module.h"

/* To be called while variables are in memory: no loop's header has a PHI. */
void latches_make(const struct module *m);

#endif

/*
 * latches: gives a loop to which several jumps return one block that they all pass, its latch, so that
 * threads that part in the loop's body meet before its next turn (docs/compiler.md, "Structured SIMT code").
 * An empty piece of assembly, which becomes no instruction, keeps LLVM from taking the block out again: LLVM
 * makes two nested loops of one that has several ways back.
 */
#ifndef COMPILER_LATCHES_H
#define COMPILER_LATCHES_H

#include "compiler/module.h"

/* To be called while variables are in memory: no loop's header has a PHI. */
void latches_make(const struct module *m);

#endif

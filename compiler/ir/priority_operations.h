/*
 * priority_operations: removes priority operations of ICS-First insertion (priority.h) from a program: all of
 * them, or those without effect.
 */
#ifndef COMPILER_PRIORITY_OPERATIONS_H
#define COMPILER_PRIORITY_OPERATIONS_H

#include <llvm-c/Core.h>

void priority_operations_drop(LLVMModuleRef module);

/* Removes the operations around statements on which the work-items of a work-group do not diverge: all
 * branches are uniform (uniformity.h), and inner statements with operations have a single exit. In functions,
 * arguments count as uniform if they are uniform at all calls. Levels stay equal on all paths. */
void priority_operations_thin(LLVMModuleRef module);

#endif

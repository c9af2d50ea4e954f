/*
 * priority_operations: removes priority operations of ICS-First insertion (priority.h) from a program: all of
 * them, or those without effect.
 */
#ifndef COMPILER_PRIORITY_OPERATIONS_H
#define COMPILER_PRIORITY_OPERATIONS_H

#include <llvm-c/Core.h>

void priority_operations_drop(LLVMModuleRef module);

/* Removes the operations around statements that the work-items of a work-group pass alike, because all
 * branches are uniform (uniformity.h) and inner statements with operations have a single exit; in functions,
 * if the values that depend on their arguments are uniform at all their calls. Levels stay equal on all
 * paths. */
void priority_operations_thin(LLVMModuleRef module);

#endif

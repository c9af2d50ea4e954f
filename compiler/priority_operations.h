/*
 * priority_operations: taking the priority operations of ICS-First insertion (priority.h) out of a program
 * again, all of them or those that do nothing for it.
 */
#ifndef COMPILER_PRIORITY_OPERATIONS_H
#define COMPILER_PRIORITY_OPERATIONS_H

#include <llvm-c/Core.h>

void priority_operations_drop(LLVMModuleRef module);

/* Takes out those around statements that a work-group's work-items go through alike, because all their
 * branches are uniform (uniformity.h) and statements inside that have operations are left at one place only;
 * in functions, if what hangs on their arguments is uniform at all their calls. Levels stay the same on all
 * paths. */
void priority_operations_thin(LLVMModuleRef module);

#endif

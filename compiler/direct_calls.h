/*
 * direct_calls: calls of a function under another type become calls of the function itself: LLVM inlines only
 * those, and they show who calls whom. Clang and the device library declare wait_group_events differently;
 * thunks declare kernels anew whose parameter lists hold structures (thunk.h).
 */
#ifndef COMPILER_DIRECT_CALLS_H
#define COMPILER_DIRECT_CALLS_H

#include <llvm-c/Core.h>

void direct_calls_make(LLVMModuleRef module);

#endif

/*
 * direct_calls: turns calls of a function with another type into direct calls: only those can be inlined and
 * show the call graph. Clang and the device library declare wait_group_events differently; thunks redeclare
 * kernels whose parameter lists contain structures (thunk.h).
 */
#ifndef COMPILER_DIRECT_CALLS_H
#define COMPILER_DIRECT_CALLS_H

#include <llvm-c/Core.h>

void direct_calls_make(LLVMModuleRef module);

#endif

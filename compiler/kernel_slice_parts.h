/* Between the files of kernel_slice. */
#ifndef COMPILER_KERNEL_SLICE_PARTS_H
#define COMPILER_KERNEL_SLICE_PARTS_H

#include "compiler/kernel_slice.h"

/* Address spaces as libclang numbers OpenCL C's. */
enum { SLICE_PRIVATE_UNNAMED, SLICE_GLOBAL, SLICE_LOCAL, SLICE_CONSTANT, SLICE_PRIVATE };

/* That an lvalue is in: one of those; variables without a qualifier are private. */
unsigned slice_address_space(CXCursor lvalue);

/* The value that a change adds, or takes away (`minus`): change->has_value false: 1. False: it does something
 * else. */
bool slice_step_value(const struct kernel_slice *s, const struct slice_variable *v,
                      const struct slice_change *change, CXCursor *value, bool *minus);

#endif

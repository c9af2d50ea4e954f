/* Declarations shared by the files of kernel_slice. */
#ifndef COMPILER_KERNEL_SLICE_PARTS_H
#define COMPILER_KERNEL_SLICE_PARTS_H

#include "compiler/partner/kernel_slice.h"

/* Address spaces as libclang numbers OpenCL C's. */
enum { SLICE_PRIVATE_UNNAMED, SLICE_GLOBAL, SLICE_LOCAL, SLICE_CONSTANT, SLICE_PRIVATE };

/* Returns the address space of an lvalue; variables without a qualifier are private. */
unsigned slice_address_space(CXCursor lvalue);

/* Returns the value that a change adds or, with `minus`, subtracts; if change->has_value is false, it is 1.
 * Returns false if the change is of another kind. */
bool slice_step_value(const struct kernel_slice *s, const struct slice_variable *v,
                      const struct slice_change *change, CXCursor *value, bool *minus);

#endif

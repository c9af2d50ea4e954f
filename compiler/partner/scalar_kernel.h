/*
 * scalar_kernel: for the image's note, the kernels that are scalar partners of others (LOCKSTEP_SCALAR_OF,
 * runtime/device/lockstep_scalar.h), and the kernels that synchronise with one.
 */
#ifndef COMPILER_SCALAR_KERNEL_H
#define COMPILER_SCALAR_KERNEL_H

#include "compiler/ir/module.h"
#include "compiler/ir/thunk.h"

#include <jansson.h>

#define SCALAR_OF "lockstep.scalar_of=" /* beginning of a scalar kernel's annotation */

/* Merges the __local variables that a kernel and its partner share (LOCKSTEP_SHARED), and fills in
 * `runs_with`: the kernel with which each one runs. To be called before the layout of local memory. */
void scalar_kernel_share(const struct module *m, const struct thunks *t, size_t *runs_with);

/* Adds to each kernel of the note "scalar_kernel", the name of its partner ("" for none), and "prefetches",
 * whether it only prefetches; removes the annotations from the module. Refuses partners that do not match
 * their kernels. To be called before module_prepare(). */
void scalar_kernel_pair(const struct module *m, const struct thunks *t, json_t *kernels);

/* Returns whether a kernel or its callees wait at a barrier that includes the scalar thread. */
bool scalar_kernel_synchronises(const struct module *m, const char *kernel);

/* Returns whether a kernel or its callees store into global or local memory. To be called before linking with
 * the device library. */
bool scalar_kernel_stores(const struct module *m, const char *kernel);

#endif

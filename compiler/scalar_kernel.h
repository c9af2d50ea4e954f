/*
 * scalar_kernel: which kernels are scalar partners of others (LOCKSTEP_SCALAR_OF, runtime/device/
 * lockstep_scalar.h), and which synchronise with one, for the image's note.
 */
#ifndef COMPILER_SCALAR_KERNEL_H
#define COMPILER_SCALAR_KERNEL_H

#include "compiler/module.h"
#include "compiler/thunk.h"

#include <jansson.h>

#define SCALAR_OF "lockstep.scalar_of=" /* what the annotation of a scalar kernel begins with */

/* Makes one of the __local variables that a kernel and its partner share (LOCKSTEP_SHARED), and tells of each
 * kernel beside which it runs: `beside` has room for all. Before local memory is laid out. */
void scalar_kernel_share(const struct module *m, const struct thunks *t, size_t *beside);

/* Adds "scalar_kernel", the name of its partner, "" for none, to each kernel of the note, and "prefetches",
 * whether it is one that only loads ahead; takes the annotations out of the module. Partners that do not go
 * with their kernels are refused. Before module_prepare(). */
void scalar_kernel_pair(const struct module *m, const struct thunks *t, json_t *kernels);

/* Does a kernel, or what it calls, wait at a barrier that includes the scalar thread? */
bool scalar_kernel_synchronises(const struct module *m, const char *kernel);

/* Likewise, does it store into global or local memory? Before the device library is linked. */
bool scalar_kernel_stores(const struct module *m, const char *kernel);

#endif

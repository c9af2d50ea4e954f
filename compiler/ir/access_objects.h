/*
 * access_objects: the objects that loads and stores access, as far as the code shows: variables in local
 * memory, private variables, and the targets of a kernel's arguments. Each set of objects has a number, which
 * the discriminators of the image's line table hold for an instruction (abi/image_note.h). Code generation
 * drops the discriminators of instructions that it moves to other blocks or merges. For these, a kernel has
 * the set of all objects that its function accesses in local memory and buffers.
 */
#ifndef COMPILER_ACCESS_OBJECTS_H
#define COMPILER_ACCESS_OBJECTS_H

#include "compiler/ir/local_memory.h"
#include "compiler/ir/module.h"
#include "compiler/ir/thunk.h"

#include <jansson.h>

/* Numbers the sets of an optimised module and adds new ones to `sets`, for the note. It adds the private
 * variables in the sets to the "variables" of the kernels, or to the "twin_variables", without places
 * (private_frames.h); only members of the twin's records have them. The kernels get the numbers of their sets
 * of all objects. No pass may run afterwards. */
void access_objects_mark(const struct module *m, const struct thunks *thunks, const struct local_memory *l,
                         bool simt, json_t *kernels, json_t *sets);

#endif

/*
 * launch_objects: the memory of a launch that has names in the source, for diagnoses.
 */
#ifndef RUNTIME_LAUNCH_OBJECTS_H
#define RUNTIME_LAUNCH_OBJECTS_H

#include "model/core/launch.h"
#include "model/memory/memory.h"
#include "runtime/arguments.h"

/* Gives the launch its objects; launch_objects_free() frees them. */
void launch_objects_add(struct machine_launch *l, const struct arguments *a, const struct memory *memory);
void launch_objects_free(struct machine_launch *l);

#endif

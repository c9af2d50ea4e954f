/*
 * private_frames: places of private variables in the frames of kernels, from an image's DWARF, for the
 * image's note.
 */
#ifndef COMPILER_PRIVATE_FRAMES_H
#define COMPILER_PRIVATE_FRAMES_H

#include "compiler/driver/text.h"

#include <jansson.h>

/* Sets the "base" of each private variable of the kernels to a register of the kernel's thunk or twin, and
 * its "offset" to its distance from there. A variable whose place is unknown, or not the same everywhere,
 * gets the size 0. Members of records are left as they are. */
void private_frames_note(json_t *kernels, const struct text *image);

#endif

/*
 * fences: the memory that each barrier of a program fences, in the columns of the image's line table
 * (abi/image_note.h): the code of all barriers is the same.
 */
#ifndef COMPILER_FENCES_H
#define COMPILER_FENCES_H

#include "compiler/ir/module.h"

/* Notes the flags of each call of barrier() with constant flags. To be called before linking with the
 * library. */
void fences_note(const struct module *m);

#endif

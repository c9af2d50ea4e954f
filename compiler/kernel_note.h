/*
 * kernel_note: what an image says about its kernels (runtime/image.h): from clang's kernel metadata, the
 * thunk's layout and what the later stages found out, to JSON and to the note.
 */
#ifndef COMPILER_KERNEL_NOTE_H
#define COMPILER_KERNEL_NOTE_H

#include "compiler/compile.h"
#include "compiler/module.h"
#include "compiler/thunk.h"

#include <jansson.h>

/* A kernel as an object of the note. To be called before linking and optimisation. */
json_t *kernel_note(const struct module *m, const struct thunk *t, unsigned local_bytes);

/* The whole note, as it stands in its section: kernels and branches (code_flow.h) are JSON arrays, which it
 * takes over; so is `scalar` (abi/scalar_note.h), which may be NULL. `request`: how the image was made. */
void image_note(json_t *kernels, json_t *branches, json_t *scalar, const struct compilation *request,
                struct text *note);

#endif

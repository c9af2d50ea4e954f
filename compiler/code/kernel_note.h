/*
 * kernel_note: the descriptions of an image's kernels (runtime/image.h), in JSON and in the note: from
 * clang's kernel metadata, the thunk's layout and results of later stages.
 */
#ifndef COMPILER_KERNEL_NOTE_H
#define COMPILER_KERNEL_NOTE_H

#include "compiler/driver/compile.h"
#include "compiler/ir/module.h"
#include "compiler/ir/thunk.h"

#include <jansson.h>

/* Returns a kernel as an object of the note. To be called before linking and optimisation. */
json_t *kernel_note(const struct module *m, const struct thunk *t, unsigned local_bytes);

/* Makes the whole note as it is in its section. kernels, branches (code_flow.h), objects (access_objects.h)
 * and `scalar` (abi/scalar_note.h; may be NULL) become part of it. `request`: how the image was made. */
void image_note(json_t *kernels, json_t *branches, json_t *objects, json_t *scalar,
                const struct compilation *request, struct text *note);

#endif

/*
 * thunk: a kernel's entry, as source text behind the program: it loads the arguments from the argument block,
 * calls the kernel and ends the thread. The block is laid out like a C struct of the parameters, which is
 * OpenCL's natural alignment; a pointer takes 4 bytes, and so do the address of an image and a sampler. A
 * second one for the twin returns instead.
 */
#ifndef COMPILER_THUNK_H
#define COMPILER_THUNK_H

#include "compiler/program.h"

#define THUNK_PREFIX "__lockstep_thunk_"
#define TWIN_PREFIX  "__lockstep_twin_"

struct thunk_argument {
    unsigned offset, size_bytes, alignment;
};

struct thunk {
    char *kernel, *file;
    unsigned line;
    unsigned block_bytes;
    struct thunk_argument *arguments;
    size_t argument_count;
};

struct thunks {
    struct thunk *list;
    size_t count;
};

/* One pair of thunks per kernel, in the order of the source; their text is added to *source. Arguments that
 * the device cannot have (images but image2d_t, events) are refused, and so are functions of such names. */
void thunks_add(struct thunks *t, const struct program *p, struct text *source);

#endif

/*
 * thunk: a kernel's entry, as source text after the program. The thunk loads the arguments from the argument
 * block, calls the kernel and ends the thread. The block's layout is that of a C struct of the parameters,
 * which is OpenCL's natural alignment. A pointer takes 4 bytes, as do the address of an image and a sampler.
 * A second thunk, for the twin, returns instead of ending the thread.
 */
#ifndef COMPILER_THUNK_H
#define COMPILER_THUNK_H

#include "compiler/stages/program.h"

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

/* Adds one pair of thunks for each kernel, in the order of the source; their text is added to *source.
 * Refuses arguments that the device does not support (images except image2d_t, events) and functions with
 * names of thunks. */
void thunks_add(struct thunks *t, const struct program *p, struct text *source);

#endif

/*
 * printf_output: the printf buffer of a launch (abi/printf_buffer.h) in the machine's memory, and what the
 * kernel said in it once the launch is over. A kernel that does not print has none.
 */
#ifndef RUNTIME_PRINTF_OUTPUT_H
#define RUNTIME_PRINTF_OUTPUT_H

#include "model/memory/memory.h"
#include "runtime/printf_text.h"

struct printf_output {
    uint8_t *buffer; /* NULL: none */
    int region;
};

/* False if the host has no memory for it or the machine's memory no free region. */
bool printf_output_begin(struct printf_output *o, struct memory *m, const struct image_kernel *k);

/* Takes the buffer away and reads it; what is missing from *t (to be freed) is told on standard error. whole:
 * the launch has ended; one that was stopped may have been in the midst of a printf. */
void printf_output_end(struct printf_output *o, struct memory *m, const struct image *i,
                       const struct image_kernel *k, bool whole, struct printf_text *t);

#endif

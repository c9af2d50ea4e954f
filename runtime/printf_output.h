/*
 * printf_output: the printf buffer of a launch (abi/printf_buffer.h) in the machine's memory, and the
 * kernel's output after the launch. A kernel without printf has no buffer.
 */
#ifndef RUNTIME_PRINTF_OUTPUT_H
#define RUNTIME_PRINTF_OUTPUT_H

#include "model/memory/memory.h"
#include "runtime/printf_text.h"

struct printf_output {
    uint8_t *buffer; /* NULL: none */
    int region;
};

/* Adds the buffer. Returns false if the host has no memory for it or the machine's memory no free region. */
bool printf_output_begin(struct printf_output *o, struct memory *m, const struct image_kernel *k);

/* Removes the buffer and reads it into *t, to be freed. Reports lost output on standard error. whole: the
 * launch has ended; a stopped launch may have been inside printf. */
void printf_output_end(struct printf_output *o, struct memory *m, const struct image *i,
                       const struct image_kernel *k, bool whole, struct printf_text *t);

#endif

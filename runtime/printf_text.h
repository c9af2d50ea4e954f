/*
 * printf_text: the text of a launch's printf calls (OpenCL 1.2, 6.12.13), from the records that the kernel
 * left in its printf buffer (abi/printf_buffer.h).
 *
 * The order is that of the work-items' global ids, z before y before x, and of the calls within a
 * work-item: the same in both modes and on every machine.
 *
 * The records are not trusted. A conversion is printed as it stands in the format if OpenCL does not have
 * it, or if it is wider than 4095 characters. The same holds if its argument is missing, of another size or
 * no constant string. A number of another size than its conversion asks for (%d of a long, %v4f of a float4)
 * is printed by its own type.
 */
#ifndef RUNTIME_PRINTF_TEXT_H
#define RUNTIME_PRINTF_TEXT_H

#include "runtime/image.h"

struct printf_text {
    char *bytes;  /* text, which may contain zeros (%c of 0) */
    size_t size;  /* bytes of the text; 0: no output */
    bool lost;    /* the buffer was too small for all output */
    bool damaged; /* the kernel has overwritten the buffer: the output after that is missing */
};

/* Reads a buffer of PRINTF_MAPPED_BYTES. Returns false, with no text, if memory is out. */
bool printf_text_read(struct printf_text *t, const struct image *i, const uint8_t *buffer);
void printf_text_free(struct printf_text *t);

#endif

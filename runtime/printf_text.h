/*
 * printf_text: what a launch's printf calls say, as text (OpenCL 1.2, 6.12.13), from the records that the
 * kernel left in its printf buffer (abi/printf_buffer.h).
 *
 * The order is that of the work-items' global ids, z before y before x, and of the calls within a work-item:
 * the same in both modes and on every machine. Nothing that a kernel says is trusted: a conversion that
 * OpenCL does not have, that is wider than 4095 characters, or whose argument is missing, of another size or
 * no constant string, is printed as it stands in the format. A number of another size than its conversion
 * asks for (%d of a long, %v4f of a float4) is printed as what it is.
 */
#ifndef RUNTIME_PRINTF_TEXT_H
#define RUNTIME_PRINTF_TEXT_H

#include "runtime/image.h"

struct printf_text {
    char *bytes;  /* may contain zeros (%c of 0) */
    size_t size;  /* 0: no output */
    bool lost;    /* the buffer was too small for all of it */
    bool damaged; /* the kernel has overwritten the buffer: what came behind is missing */
};

/* Reads a buffer of PRINTF_MAPPED_BYTES. False if the host has no memory for the text
 * (then there is none). */
bool printf_text_read(struct printf_text *t, const struct image *i, const uint8_t *buffer);
void printf_text_free(struct printf_text *t);

#endif

/*
 * arguments: the argument block of a kernel launch: values as the kernel's thunk reads them, buffers as
 * device addresses, __local pointers as places in the local window behind the image's static local variables.
 */
#ifndef RUNTIME_ARGUMENTS_H
#define RUNTIME_ARGUMENTS_H

#include "runtime/image.h"

struct arguments {
    const struct image_kernel *kernel;
    uint8_t *block;       /* kernel->argument_block_bytes */
    uint32_t local_bytes; /* of the local window in use so far */
    size_t next;          /* argument to set next */
};

/* Starts an empty block. False if memory is out. */
bool arguments_begin(struct arguments *a, const struct image *i, const struct image_kernel *k);
void arguments_release(struct arguments *a);

/* Set the next argument. False if the kernel has no such argument there or the size differs. */
bool arguments_value(struct arguments *a, const void *bytes, size_t size_bytes);
bool arguments_pointer(struct arguments *a, uint32_t address);
/* False also if the window ends: more than limit_bytes. */
bool arguments_local(struct arguments *a, uint64_t size_bytes, uint32_t limit_bytes);

/* Bytes to which what a pointer type ("float4*") points to must be aligned: 1–128; 128 if not known. */
uint32_t arguments_pointee_alignment(const char *type);

#endif

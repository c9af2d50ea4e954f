/*
 * arguments: the argument block of a kernel launch: values and samplers as the kernel's thunk reads them,
 * buffers as device addresses, __local pointers as places in the local window behind the kernel's static
 * local variables, 2-D images as addresses of their image objects, which lie behind the block.
 */
#ifndef RUNTIME_ARGUMENTS_H
#define RUNTIME_ARGUMENTS_H

#include "abi/image_object.h"
#include "runtime/image.h"

struct arguments {
    const struct image_kernel *kernel;
    uint8_t *block;       /* the argument block, and the image objects behind it */
    uint32_t address;     /* of the block on the device */
    uint32_t size_bytes;  /* of all of it so far, at least 1 */
    uint32_t local_bytes; /* of the local window in use so far */
    size_t next;          /* argument to set next */
};

/* Starts an empty block that will lie at `address`. False if memory is out. */
bool arguments_begin(struct arguments *a, const struct image_kernel *k, uint32_t address);
void arguments_release(struct arguments *a);

/* Set the next argument. False if the kernel has no such argument there or the size differs. */
bool arguments_value(struct arguments *a, const void *bytes, size_t size_bytes);
bool arguments_pointer(struct arguments *a, uint32_t address);
bool arguments_image(struct arguments *a, const struct image_object *object);
/* False also if the window ends: more than limit_bytes. */
bool arguments_local(struct arguments *a, uint64_t size_bytes, uint32_t limit_bytes);

/* Bytes to which what a pointer type ("float4*") points to must be aligned: 1–128; 128 if not known. */
uint32_t arguments_pointee_alignment(const char *type);

#endif

/*
 * arguments: the argument block of a kernel launch. Values and samplers have the form that the kernel's thunk
 * reads; buffers are device addresses. __local pointers are addresses in the local window, after the kernel's
 * static local variables. 2-D images are addresses of their image objects, which follow the block.
 */
#ifndef RUNTIME_ARGUMENTS_H
#define RUNTIME_ARGUMENTS_H

#include "abi/image_object.h"
#include "runtime/image.h"

struct arguments {
    const struct image_kernel *kernel;
    uint8_t *block;       /* the argument block, followed by the image objects */
    uint32_t address;     /* device address of the block */
    uint32_t size_bytes;  /* bytes of block and image objects so far, at least 1 */
    uint32_t local_bytes; /* bytes of the local window in use so far */
    uint32_t *local_size; /* for each argument: bytes of local memory that it points to */
    size_t next;          /* number of the argument to set next */
};

/* Starts an empty block that will have the device address `address`. Returns false if memory is out. */
bool arguments_begin(struct arguments *a, const struct image_kernel *k, uint32_t address);
void arguments_release(struct arguments *a);

/* Set the next argument. Return false if the kernel has no such argument there or the size differs. */
bool arguments_value(struct arguments *a, const void *bytes, size_t size_bytes);
bool arguments_pointer(struct arguments *a, uint32_t address);
bool arguments_image(struct arguments *a, const struct image_object *object);
/* Sets a __local pointer. Returns false also if the window would have more than limit_bytes. */
bool arguments_local(struct arguments *a, uint64_t size_bytes, uint32_t limit_bytes);

/* Returns the alignment in bytes of the pointed-to type of a pointer type ("float4*"): 1–128; 128 if it is
 * not known. */
uint32_t arguments_pointee_alignment(const char *type);
/* Returns the bytes of the pointed-to type, or of an array's element; 0 if they are not known. */
uint32_t arguments_pointee_bytes(const char *type);

#endif

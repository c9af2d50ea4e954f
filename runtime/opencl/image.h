/*
 * image: limits of 2-D images, and boxes of pixels in them.
 */
#ifndef RUNTIME_OPENCL_IMAGE_H
#define RUNTIME_OPENCL_IMAGE_H

#include "runtime/opencl/transfer.h"

#define IMAGE_MAX_WIDTH  8192
#define IMAGE_MAX_HEIGHT 8192

/* Converts origin and region of an image: *box, and in bytes[0] to bytes[2] the region as bytes, rows,
 * slices. Returns CL_INVALID_VALUE if they exceed the image, whose third dimension is 1. */
cl_int image_box(const struct _cl_mem *image, const size_t *origin, const size_t *region, struct box *box,
                 size_t bytes[3]);

#endif

/*
 * pixel: the formats of images: which there are, how large a pixel is, and how a colour becomes one
 * (OpenCL 1.2, 5.3.1.1 and 8.3).
 */
#ifndef RUNTIME_OPENCL_PIXEL_H
#define RUNTIME_OPENCL_PIXEL_H

#include "runtime/opencl/objects.h"

#define PIXEL_MAX_BYTES 16

/* CL_SUCCESS; CL_INVALID_IMAGE_FORMAT_DESCRIPTOR for what OpenCL does not define;
 * CL_IMAGE_FORMAT_NOT_SUPPORTED for what it defines and this device does not have. */
cl_int pixel_check(const cl_image_format *format);

/* The supported formats, count of them at most; returns how many there are. */
cl_uint pixel_formats(cl_image_format *formats, cl_uint count);

size_t pixel_bytes(const cl_image_format *format); /* of a supported format: 1 to PIXEL_MAX_BYTES */

/* A colour (four floats, ints or unsigned ints, as the format's type asks for) as a pixel. Floats are rounded
 * to nearest even, what is out of range is the nearest in range; NaN is 0 in normalised formats. */
void pixel_encode(const cl_image_format *format, const void *colour, uint8_t pixel[PIXEL_MAX_BYTES]);

#endif

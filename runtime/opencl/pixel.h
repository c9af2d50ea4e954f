/*
 * pixel: the formats of images: supported formats, bytes of a pixel, and the conversion of a colour to a
 * pixel (OpenCL 1.2, 5.3.1.1 and 8.3).
 */
#ifndef RUNTIME_OPENCL_PIXEL_H
#define RUNTIME_OPENCL_PIXEL_H

#include "runtime/opencl/objects.h"

#define PIXEL_MAX_BYTES 16

/* Returns CL_SUCCESS, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR for a format that OpenCL does not define, or
 * CL_IMAGE_FORMAT_NOT_SUPPORTED for a defined one that this device does not have. */
cl_int pixel_check(const cl_image_format *format);

/* Writes at most count supported formats. Returns the number of all. */
cl_uint pixel_formats(cl_image_format *formats, cl_uint count);

size_t pixel_bytes(const cl_image_format *format); /* bytes of a pixel of a supported format, 1 to
                                                      PIXEL_MAX_BYTES */

/* Converts a colour (four floats, ints or unsigned ints, as the format's type demands) to a pixel. Floats
 * are rounded to nearest even; values out of range become the nearest in range; NaN is 0 in normalised
 * formats. */
void pixel_encode(const cl_image_format *format, const void *colour, uint8_t pixel[PIXEL_MAX_BYTES]);

#endif

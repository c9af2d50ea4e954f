/*
 * image_object: a 2-D image as kernels see it (OpenCL 1.2, 5.3 and 6.12.14). Host and device share this
 * header.
 *
 * A kernel's image argument is the device address of a struct image_object. The host fills it, and it does
 * not change while the kernel runs. A sampler argument is a 32-bit word of OpenCL C's CLK_* bits
 * (IMAGE_SAMPLER_* below names them for the host); a constant sampler in a kernel is the same word.
 *
 * Order and type are OpenCL's numbers, which host (CL_RGBA) and device (CLK_RGBA) share. Orders: R, A, RG,
 * RA, RGBA, BGRA, ARGB, INTENSITY, LUMINANCE. Types: {S,U}NORM_INT{8,16}, {SIGNED,UNSIGNED}_INT{8,16,32},
 * HALF_FLOAT, FLOAT. Pixel (x, y) is at base + y * row_pitch_bytes + x * element_bytes; its channels have the
 * sequence that the order names.
 *
 * A write outside the image has no effect (OpenCL leaves it undefined). A read outside the image with
 * CLK_ADDRESS_NONE returns the border colour, as with CLK_ADDRESS_CLAMP.
 */
#ifndef ABI_IMAGE_OBJECT_H
#define ABI_IMAGE_OBJECT_H

#ifdef __OPENCL_VERSION__
typedef uint image_word;
#else
#include <stdint.h>
typedef uint32_t image_word;
#endif

struct image_object {
    image_word base;              /* device address of pixel (0, 0), a multiple of the channel's size */
    image_word width, height;     /* size in pixels, at least 1 */
    image_word row_pitch_bytes;   /* bytes of a row: width * element_bytes or more, a multiple of the
                                     channel's size */
    image_word element_bytes;     /* bytes of a pixel: channels * bytes of a channel */
    image_word channel_order;     /* CL_RGBA… */
    image_word channel_data_type; /* CL_UNORM_INT8… */
};

/* Bits of a sampler, equal to clang's CLK_* constants. */
enum image_sampler {
    IMAGE_SAMPLER_NORMALIZED = 1,
    IMAGE_SAMPLER_ADDRESS_MASK = 0xe,
    IMAGE_SAMPLER_ADDRESS_NONE = 0,
    IMAGE_SAMPLER_ADDRESS_CLAMP_TO_EDGE = 2,
    IMAGE_SAMPLER_ADDRESS_CLAMP = 4,
    IMAGE_SAMPLER_ADDRESS_REPEAT = 6,
    IMAGE_SAMPLER_ADDRESS_MIRRORED_REPEAT = 8,
    IMAGE_SAMPLER_FILTER_NEAREST = 0x10,
    IMAGE_SAMPLER_FILTER_LINEAR = 0x20,
};

#endif

#include "runtime/opencl/pixel.h"

#include <math.h>
#include <string.h>

enum kind { NORMALISED_SIGNED, NORMALISED_UNSIGNED, SIGNED, UNSIGNED, FLOATING };

static const struct type {
    cl_channel_type type;
    unsigned bytes;
    enum kind kind;
} types[] = {
    {CL_SNORM_INT8, 1, NORMALISED_SIGNED},
    {CL_SNORM_INT16, 2, NORMALISED_SIGNED},
    {CL_UNORM_INT8, 1, NORMALISED_UNSIGNED},
    {CL_UNORM_INT16, 2, NORMALISED_UNSIGNED},
    {CL_SIGNED_INT8, 1, SIGNED},
    {CL_SIGNED_INT16, 2, SIGNED},
    {CL_SIGNED_INT32, 4, SIGNED},
    {CL_UNSIGNED_INT8, 1, UNSIGNED},
    {CL_UNSIGNED_INT16, 2, UNSIGNED},
    {CL_UNSIGNED_INT32, 4, UNSIGNED},
    {CL_HALF_FLOAT, 2, FLOATING},
    {CL_FLOAT, 4, FLOATING},
};
#define TYPES (sizeof types / sizeof types[0])

/* Order of the colour's components in a pixel, and the types that the order allows. */
enum allowed { ANY, NORMALISED_OR_FLOATING, BYTES };
static const struct order {
    cl_channel_order order;
    unsigned channels;
    uint8_t component[4];
    enum allowed allowed;
} orders[] = {
    {CL_R, 1, {0}, ANY},
    {CL_A, 1, {3}, ANY},
    {CL_RG, 2, {0, 1}, ANY},
    {CL_RA, 2, {0, 3}, ANY},
    {CL_RGBA, 4, {0, 1, 2, 3}, ANY},
    {CL_BGRA, 4, {2, 1, 0, 3}, BYTES},
    {CL_ARGB, 4, {3, 0, 1, 2}, BYTES},
    {CL_INTENSITY, 1, {0}, NORMALISED_OR_FLOATING},
    {CL_LUMINANCE, 1, {0}, NORMALISED_OR_FLOATING},
};
#define ORDERS (sizeof orders / sizeof orders[0])

static bool may_be(const struct order *o, const struct type *t) {
    if (o->allowed == BYTES) return t->bytes == 1;
    return o->allowed == ANY || (t->kind != SIGNED && t->kind != UNSIGNED);
}

static const struct type *find_type(cl_channel_type type) {
    for (size_t i = 0; i < TYPES; i++)
        if (types[i].type == type) return &types[i];
    return NULL;
}

static const struct order *find_order(cl_channel_order order) {
    for (size_t i = 0; i < ORDERS; i++)
        if (orders[i].order == order) return &orders[i];
    return NULL;
}

/* Returns whether OpenCL 1.2 defines the format, including formats not listed above. */
static bool is_defined(const cl_image_format *f) {
    bool packed = f->image_channel_data_type == CL_UNORM_SHORT_565 ||
                  f->image_channel_data_type == CL_UNORM_SHORT_555 ||
                  f->image_channel_data_type == CL_UNORM_INT_101010;
    bool rgb = f->image_channel_order == CL_RGB || f->image_channel_order == CL_RGBx;
    bool padded = f->image_channel_order == CL_Rx || f->image_channel_order == CL_RGx;
    return (rgb && packed) || (padded && find_type(f->image_channel_data_type) != NULL);
}

cl_int pixel_check(const cl_image_format *format) {
    if (format == NULL) return CL_INVALID_IMAGE_FORMAT_DESCRIPTOR;
    const struct order *o = find_order(format->image_channel_order);
    const struct type *t = find_type(format->image_channel_data_type);
    if (o != NULL && t != NULL && may_be(o, t)) return CL_SUCCESS;
    return is_defined(format) ? CL_IMAGE_FORMAT_NOT_SUPPORTED : CL_INVALID_IMAGE_FORMAT_DESCRIPTOR;
}

cl_uint pixel_formats(cl_image_format *formats, cl_uint count) {
    cl_uint found = 0;
    for (size_t o = 0; o < ORDERS; o++) {
        for (size_t t = 0; t < TYPES; t++) {
            if (!may_be(&orders[o], &types[t])) continue;
            if (found < count) formats[found] = (cl_image_format){orders[o].order, types[t].type};
            found++;
        }
    }
    return found;
}

size_t pixel_bytes(const cl_image_format *format) {
    return (size_t)find_order(format->image_channel_order)->channels *
           find_type(format->image_channel_data_type)->bytes;
}

/* --- one channel --- */

/* Rounds to nearest even in the current rounding mode, which is the host program's. */
static int32_t scale(float value, float limit, float low) {
    if (!(value == value)) return 0;
    float scaled = value * limit;
    if (scaled > limit) scaled = limit;
    if (scaled < low) scaled = low;
    return (int32_t)lrintf(scaled);
}

static int32_t clamp(int32_t value, unsigned bytes) {
    if (bytes == 4) return value;
    int32_t top = (1 << (8 * bytes - 1)) - 1;
    return value > top ? top : value < -top - 1 ? -top - 1 : value;
}

static uint32_t clamp_unsigned(uint32_t value, unsigned bytes) {
    if (bytes == 4) return value;
    uint32_t top = (1u << (8 * bytes)) - 1;
    return value > top ? top : value;
}

/* Converts a float to a half, rounded to nearest even. */
static uint16_t half(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint32_t sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
    if (magnitude > 0x7f800000) return (uint16_t)(sign | 0x7e00);  /* NaN */
    if (magnitude >= 0x477ff000) return (uint16_t)(sign | 0x7c00); /* rounds beyond 65504 */
    if (magnitude < 0x38800000) { /* below the smallest normal half: a multiple of 2^-24 */
        float absolute;
        memcpy(&absolute, &magnitude, sizeof absolute);
        return (uint16_t)(sign | (uint32_t)lrintf(absolute * 0x1p24f));
    }
    uint32_t rounded = magnitude + 0xfff + (magnitude >> 13 & 1) - (112u << 23);
    return (uint16_t)(sign | rounded >> 13);
}

static uint32_t encode_channel(const struct type *t, const void *colour, unsigned component) {
    float f;
    int32_t i;
    uint32_t u;
    const uint8_t *at = (const uint8_t *)colour + 4 * (size_t)component;
    memcpy(&f, at, sizeof f);
    memcpy(&i, at, sizeof i);
    memcpy(&u, at, sizeof u);
    switch (t->kind) {
    case NORMALISED_SIGNED: {
        float limit = t->bytes == 1 ? 127.0f : 32767.0f;
        return (uint32_t)scale(f, limit, -limit - 1);
    }
    case NORMALISED_UNSIGNED: return (uint32_t)scale(f, t->bytes == 1 ? 255.0f : 65535.0f, 0.0f);
    case SIGNED: return (uint32_t)clamp(i, t->bytes);
    case UNSIGNED: return clamp_unsigned(u, t->bytes);
    default: return t->bytes == 2 ? half(f) : u;
    }
}

void pixel_encode(const cl_image_format *format, const void *colour, uint8_t pixel[PIXEL_MAX_BYTES]) {
    const struct order *o = find_order(format->image_channel_order);
    const struct type *t = find_type(format->image_channel_data_type);
    for (unsigned n = 0; n < o->channels; n++) {
        uint32_t channel = encode_channel(t, colour, o->component[n]);
        memcpy(pixel + n * t->bytes, &channel, t->bytes);
    }
}

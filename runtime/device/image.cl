/*
 * image: reading and writing 2-D images (OpenCL 1.2, 6.12.14 and 8.2), as abi/image_object.h describes them.
 *
 * The descriptor and mostly the sampler are the same for all threads, so the choices by format, order and addressing
 * mode do not diverge. What a combination that OpenCL leaves undefined does: linear filtering of integers takes the
 * nearest pixel; read_imagei and read_imageui give the bits of floats, which programs put together to doubles; any other
 * read as another class of type than the image's gives zeros; a write as another class changes nothing, like one outside
 * the image.
 */
#include "abi/image_object.h"
#include "rounding.h"

#define OBJECT(image) __builtin_astype(image, global const struct image_object *)

/* --- which pixels (8.2) --- */

/* The two pixels of one dimension that a coordinate falls between, and how far it is towards the second. */
struct between {
    int first, second;
    float weight;
};

/* floor, as an integer; everything far outside the image is as good as just outside, and so is NaN. */
static int index_of(float at, uint size) {
    const float down = floor(at), highest = (float)size + 1;
    const float high = down > -2 ? down : -2;
    return (int)(high < highest ? high : highest);
}

static int at_edge(int i, uint size) { return clamp(i, 0, (int)size - 1); }

/* The coordinate in pixels: repeated and mirrored ones are brought inside first. */
static float in_pixels(float s, uint size, uint sampler) {
    float at = s;
    if ((sampler & IMAGE_SAMPLER_NORMALIZED) != 0) {
        switch (sampler & IMAGE_SAMPLER_ADDRESS_MASK) {
        case IMAGE_SAMPLER_ADDRESS_REPEAT: at = s - floor(s); break;
        case IMAGE_SAMPLER_ADDRESS_MIRRORED_REPEAT: at = fabs(s - 2 * rint(0.5f * s)); break;
        default: break;
        }
        at *= (float)size;
    }
    return at;
}

/* Where a pixel beyond an edge is taken from. Clamped ones stay outside: they have the border's colour. */
static int addressed(int i, uint size, uint sampler) {
    const uint mode = sampler & IMAGE_SAMPLER_ADDRESS_MASK;
    const int wrapped = i < 0 ? i + (int)size : i >= (int)size ? i - (int)size : i;
    const bool edge = mode == IMAGE_SAMPLER_ADDRESS_CLAMP_TO_EDGE || mode == IMAGE_SAMPLER_ADDRESS_MIRRORED_REPEAT;
    return mode == IMAGE_SAMPLER_ADDRESS_REPEAT ? wrapped : edge ? at_edge(i, size) : i;
}

static int nearest(float s, uint size, uint sampler) {
    return addressed(index_of(in_pixels(s, size, sampler), size), size, sampler);
}

static struct between linear(float s, uint size, uint sampler) {
    const float from_centre = in_pixels(s, size, sampler) - 0.5f;
    const int first = index_of(from_centre, size);
    const float weight = from_centre - floor(from_centre);
    return (struct between){addressed(first, size, sampler), addressed(first + 1, size, sampler), weight};
}

/* --- channels in memory, as their bits --- */

static bool is_inside(global const struct image_object *o, int x, int y) {
    return (uint)x < o->width && (uint)y < o->height;
}
static uint place_of(global const struct image_object *o, int x, int y) {
    return o->base + (uint)y * o->row_pitch_bytes + (uint)x * o->element_bytes;
}
static uint channel_bytes(uint type) {
    switch (type) {
    case CLK_SNORM_INT8:
    case CLK_UNORM_INT8:
    case CLK_SIGNED_INT8:
    case CLK_UNSIGNED_INT8: return 1;
    case CLK_FLOAT:
    case CLK_SIGNED_INT32:
    case CLK_UNSIGNED_INT32: return 4;
    default: return 2;
    }
}

#define CHANNELS(T)                                                                                            \
    static uint4 load_##T(uint place, uint bytes) {                                                            \
        const global T *p = (const global T *)place;                                                           \
        uint4 channels = (uint4)(p[0], 0, 0, 0);                                                               \
        if (bytes > sizeof(T)) {                                                                               \
            channels.y = p[1];                                                                                 \
            if (bytes > 2 * sizeof(T)) {                                                                       \
                channels.z = p[2];                                                                             \
                channels.w = p[3];                                                                             \
            }                                                                                                  \
        }                                                                                                      \
        return channels;                                                                                       \
    }                                                                                                          \
    static void store_##T(uint place, uint bytes, uint4 channels) {                                            \
        global T *p = (global T *)place;                                                                       \
        p[0] = (T)channels.x;                                                                                  \
        if (bytes > sizeof(T)) {                                                                               \
            p[1] = (T)channels.y;                                                                              \
            if (bytes > 2 * sizeof(T)) {                                                                       \
                p[2] = (T)channels.z;                                                                          \
                p[3] = (T)channels.w;                                                                          \
            }                                                                                                  \
        }                                                                                                      \
    }
CHANNELS(uchar)
CHANNELS(ushort)
CHANNELS(uint)

/* Zeros outside, which are the border colour once they are in order. */
static uint4 load(global const struct image_object *o, int x, int y) {
    uint4 channels = 0;
    if (is_inside(o, x, y)) {
        switch (channel_bytes(o->channel_data_type)) {
        case 1: channels = load_uchar(place_of(o, x, y), o->element_bytes); break;
        case 2: channels = load_ushort(place_of(o, x, y), o->element_bytes); break;
        default: channels = load_uint(place_of(o, x, y), o->element_bytes); break;
        }
    }
    return channels;
}

static void store(global const struct image_object *o, int2 at, uint4 channels) {
    if (is_inside(o, at.x, at.y)) {
        switch (channel_bytes(o->channel_data_type)) {
        case 1: store_uchar(place_of(o, at.x, at.y), o->element_bytes, channels); break;
        case 2: store_ushort(place_of(o, at.x, at.y), o->element_bytes, channels); break;
        default: store_uint(place_of(o, at.x, at.y), o->element_bytes, channels); break;
        }
    }
}

/* --- the order of channels: memory's to red, green, blue, alpha, and back --- */

#define ORDERED(T)                                                                                             \
    static T##4 OVERLOAD ordered(T##4 c, uint order) {                                                         \
        switch (order) {                                                                                       \
        case CLK_RGBA: return c;                                                                               \
        case CLK_BGRA: return c.zyxw;                                                                          \
        case CLK_ARGB: return c.yzwx;                                                                          \
        case CLK_R: return (T##4)(c.x, 0, 0, 1);                                                               \
        case CLK_RG: return (T##4)(c.xy, 0, 1);                                                                \
        case CLK_A: return (T##4)(0, 0, 0, c.x);                                                               \
        case CLK_RA: return (T##4)(c.x, 0, 0, c.y);                                                            \
        case CLK_LUMINANCE: return (T##4)(c.xxx, 1);                                                           \
        default: return c.xxxx; /* CLK_INTENSITY */                                                            \
        }                                                                                                      \
    }
ORDERED(float)
ORDERED(uint)
ORDERED(int)

static uint4 in_memory_order(uint4 c, uint order) {
    switch (order) {
    case CLK_BGRA: return c.zyxw;
    case CLK_ARGB: return c.wxyz;
    case CLK_A: return c.wwww;
    case CLK_RA: return c.xwww;
    default: return c;
    }
}

/* --- channels as values (8.3) --- */

static float4 float_value(uint4 bits, uint type) {
    switch (type) {
    case CLK_UNORM_INT8: return convert_float4(bits) / 255.0f;
    case CLK_UNORM_INT16: return convert_float4(bits) / 65535.0f;
    case CLK_SNORM_INT8: return fmax(convert_float4(as_int4(bits << 24) >> 24) / 127.0f, -1.0f);
    case CLK_SNORM_INT16: return fmax(convert_float4(as_int4(bits << 16) >> 16) / 32767.0f, -1.0f);
    case CLK_FLOAT: return as_float4(bits);
    case CLK_HALF_FLOAT:
        return (float4)(lockstep_float_from_half(bits.x), lockstep_float_from_half(bits.y),
                        lockstep_float_from_half(bits.z), lockstep_float_from_half(bits.w));
    default: return 0;
    }
}
static int4 int_value(uint4 bits, uint type) {
    switch (type) {
    case CLK_SIGNED_INT8: return as_int4(bits << 24) >> 24;
    case CLK_SIGNED_INT16: return as_int4(bits << 16) >> 16;
    case CLK_FLOAT:
    case CLK_SIGNED_INT32: return as_int4(bits);
    default: return 0;
    }
}
static uint4 uint_value(uint4 bits, uint type) {
    return type == CLK_UNSIGNED_INT8 || type == CLK_UNSIGNED_INT16 || type == CLK_UNSIGNED_INT32 || type == CLK_FLOAT ? bits
                                                                                                                      : 0;
}

#define PIXEL(T)                                                                                               \
    static T##4 T##_pixel(global const struct image_object *o, int x, int y) {                                 \
        return ordered(T##_value(load(o, x, y), o->channel_data_type), o->channel_order);                      \
    }
PIXEL(float)
PIXEL(int)
PIXEL(uint)

static float4 filtered(global const struct image_object *o, uint sampler, float2 at) {
    const struct between x = linear(at.x, o->width, sampler), y = linear(at.y, o->height, sampler);
    const float a = x.weight, b = y.weight;
    return (1 - a) * (1 - b) * float_pixel(o, x.first, y.first) + a * (1 - b) * float_pixel(o, x.second, y.first) +
           (1 - a) * b * float_pixel(o, x.first, y.second) + a * b * float_pixel(o, x.second, y.second);
}

/* --- the built-in functions --- */

#define READ(T, name)                                                                                          \
    T##4 OVERLOAD name(read_only image2d_t image, int2 at) { return T##_pixel(OBJECT(image), at.x, at.y); }    \
    T##4 OVERLOAD name(read_only image2d_t image, sampler_t sampler, int2 at) {                                \
        global const struct image_object *o = OBJECT(image);                                                   \
        const uint bits = __builtin_astype(sampler, uint);                                                     \
        return T##_pixel(o, addressed(at.x, o->width, bits), addressed(at.y, o->height, bits));                \
    }
#define READ_AT_FLOAT(T, name)                                                                                 \
    T##4 OVERLOAD name(read_only image2d_t image, sampler_t sampler, float2 at) {                              \
        global const struct image_object *o = OBJECT(image);                                                   \
        const uint bits = __builtin_astype(sampler, uint);                                                     \
        return T##_pixel(o, nearest(at.x, o->width, bits), nearest(at.y, o->height, bits));                    \
    }
READ(float, read_imagef)
READ(int, read_imagei)
READ(uint, read_imageui)
READ_AT_FLOAT(int, read_imagei)
READ_AT_FLOAT(uint, read_imageui)

float4 OVERLOAD read_imagef(read_only image2d_t image, sampler_t sampler, float2 at) {
    global const struct image_object *o = OBJECT(image);
    const uint bits = __builtin_astype(sampler, uint);
    float4 value;
    if ((bits & IMAGE_SAMPLER_FILTER_LINEAR) != 0)
        value = filtered(o, bits, at);
    else
        value = float_pixel(o, nearest(at.x, o->width, bits), nearest(at.y, o->height, bits));
    return value;
}

static void write(global const struct image_object *o, int2 at, uint4 rgba) {
    store(o, at, in_memory_order(rgba, o->channel_order));
}

void OVERLOAD write_imagef(write_only image2d_t image, int2 at, float4 c) {
    global const struct image_object *o = OBJECT(image);
    switch (o->channel_data_type) {
    case CLK_UNORM_INT8: write(o, at, convert_uint4(convert_uchar4_sat_rte(c * 255.0f))); break;
    case CLK_UNORM_INT16: write(o, at, convert_uint4(convert_ushort4_sat_rte(c * 65535.0f))); break;
    case CLK_SNORM_INT8: write(o, at, as_uint4(convert_int4(convert_char4_sat_rte(c * 127.0f)))); break;
    case CLK_SNORM_INT16: write(o, at, as_uint4(convert_int4(convert_short4_sat_rte(c * 32767.0f)))); break;
    case CLK_FLOAT: write(o, at, as_uint4(c)); break;
    case CLK_HALF_FLOAT:
        write(o, at,
              (uint4)(lockstep_half_from_double(c.x, ROUND_RTE), lockstep_half_from_double(c.y, ROUND_RTE),
                      lockstep_half_from_double(c.z, ROUND_RTE), lockstep_half_from_double(c.w, ROUND_RTE)));
        break;
    default: break;
    }
}
void OVERLOAD write_imagei(write_only image2d_t image, int2 at, int4 c) {
    global const struct image_object *o = OBJECT(image);
    switch (o->channel_data_type) {
    case CLK_SIGNED_INT8: write(o, at, as_uint4(clamp(c, CHAR_MIN, CHAR_MAX))); break;
    case CLK_SIGNED_INT16: write(o, at, as_uint4(clamp(c, SHRT_MIN, SHRT_MAX))); break;
    case CLK_SIGNED_INT32: write(o, at, as_uint4(c)); break;
    default: break;
    }
}
void OVERLOAD write_imageui(write_only image2d_t image, int2 at, uint4 c) {
    global const struct image_object *o = OBJECT(image);
    switch (o->channel_data_type) {
    case CLK_UNSIGNED_INT8: write(o, at, min(c, (uint)UCHAR_MAX)); break;
    case CLK_UNSIGNED_INT16: write(o, at, min(c, (uint)USHRT_MAX)); break;
    case CLK_UNSIGNED_INT32: write(o, at, c); break;
    default: break;
    }
}

#define QUERIES(access)                                                                                        \
    int OVERLOAD get_image_width(access image2d_t image) { return (int)OBJECT(image)->width; }                 \
    int OVERLOAD get_image_height(access image2d_t image) { return (int)OBJECT(image)->height; }               \
    int2 OVERLOAD get_image_dim(access image2d_t image) {                                                      \
        return (int2)((int)OBJECT(image)->width, (int)OBJECT(image)->height);                                  \
    }                                                                                                          \
    int OVERLOAD get_image_channel_data_type(access image2d_t image) {                                         \
        return (int)OBJECT(image)->channel_data_type;                                                          \
    }                                                                                                          \
    int OVERLOAD get_image_channel_order(access image2d_t image) { return (int)OBJECT(image)->channel_order; }
QUERIES(read_only)
QUERIES(write_only)

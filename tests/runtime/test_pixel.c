/* pixel: formats, their sizes, and colours as pixels, worked out by hand. */
#include "runtime/opencl/pixel.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

static void formats_are_those_of_the_standard(void **state) {
    (void)state;
    cl_image_format formats[80];
    /* R, A, RG, RA, RGBA: 12 types; BGRA, ARGB: 4; INTENSITY, LUMINANCE: 6 */
    assert_int_equal(pixel_formats(formats, 0), 80);
    assert_int_equal(pixel_formats(formats, 80), 80);
    for (size_t i = 0; i < 80; i++) {
        assert_int_equal(pixel_check(&formats[i]), CL_SUCCESS);
        assert_in_range(pixel_bytes(&formats[i]), 1, PIXEL_MAX_BYTES);
        for (size_t k = 0; k < i; k++) assert_memory_not_equal(&formats[i], &formats[k], sizeof formats[0]);
    }
    static const struct {
        cl_image_format format;
        size_t bytes;
    } sizes[] = {{{CL_R, CL_UNORM_INT8}, 1},    {{CL_RG, CL_HALF_FLOAT}, 4},  {{CL_RGBA, CL_FLOAT}, 16},
                 {{CL_BGRA, CL_UNORM_INT8}, 4}, {{CL_A, CL_SIGNED_INT16}, 2}, {{CL_RA, CL_FLOAT}, 8},
                 {{CL_LUMINANCE, CL_FLOAT}, 4}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        assert_int_equal(pixel_bytes(&sizes[i].format), sizes[i].bytes);
}

struct row {
    cl_image_format format;
    union {
        float f[4];
        int32_t i[4];
        uint32_t u[4];
    } colour;
    uint8_t pixel[PIXEL_MAX_BYTES];
};

static void check(const struct row *rows, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint8_t pixel[PIXEL_MAX_BYTES] = {0};
        pixel_encode(&rows[i].format, &rows[i].colour, pixel);
        if (memcmp(pixel, rows[i].pixel, sizeof pixel) != 0) print_error("row %zu\n", i);
        assert_memory_equal(pixel, rows[i].pixel, sizeof pixel);
    }
}

static void orders(void **state) {
    (void)state;
    static const struct row rows[] = {
        {{CL_R, CL_UNSIGNED_INT8}, {.u = {1, 2, 3, 4}}, {1}},
        {{CL_A, CL_UNSIGNED_INT8}, {.u = {1, 2, 3, 4}}, {4}},
        {{CL_RG, CL_UNSIGNED_INT8}, {.u = {1, 2, 3, 4}}, {1, 2}},
        {{CL_RA, CL_UNSIGNED_INT8}, {.u = {1, 2, 3, 4}}, {1, 4}},
        {{CL_RGBA, CL_UNSIGNED_INT8}, {.u = {1, 2, 3, 4}}, {1, 2, 3, 4}},
        {{CL_BGRA, CL_UNSIGNED_INT8}, {.u = {1, 2, 3, 4}}, {3, 2, 1, 4}},
        {{CL_ARGB, CL_UNSIGNED_INT8}, {.u = {1, 2, 3, 4}}, {4, 1, 2, 3}},
        {{CL_INTENSITY, CL_UNORM_INT8}, {.f = {1, 0, 0, 0}}, {255}},
        {{CL_LUMINANCE, CL_UNORM_INT8}, {.f = {1, 0, 0, 0}}, {255}},
    };
    check(rows, sizeof rows / sizeof rows[0]);
}

static void types(void **state) {
    (void)state;
    static const struct row rows[] = {
        /* 0.5 · 255 = 127.5 is rounded to even; so is 2.5/255, exactly between 2 and 3 as a float */
        {{CL_RGBA, CL_UNORM_INT8}, {.f = {0.5f, -1, 2, NAN}}, {128, 0, 255, 0}},
        {{CL_RGBA, CL_SNORM_INT8}, {.f = {1, -1, -2, 0.5f}}, {127, 0x81, 0x80, 64}},
        {{CL_RG, CL_UNORM_INT16}, {.f = {1, 0.5f}}, {0xff, 0xff, 0x00, 0x80}},
        {{CL_RG, CL_SNORM_INT16}, {.f = {-1, 1}}, {0x01, 0x80, 0xff, 0x7f}},
        {{CL_RGBA, CL_SIGNED_INT8}, {.i = {127, 128, -128, -129}}, {127, 127, 0x80, 0x80}},
        {{CL_RG, CL_SIGNED_INT16}, {.i = {40000, -40000}}, {0xff, 0x7f, 0x00, 0x80}},
        {{CL_R, CL_SIGNED_INT32}, {.i = {-2}}, {0xfe, 0xff, 0xff, 0xff}},
        {{CL_RG, CL_UNSIGNED_INT8}, {.u = {255, 256}}, {255, 255}},
        {{CL_RG, CL_UNSIGNED_INT16}, {.u = {65535, 1u << 31}}, {0xff, 0xff, 0xff, 0xff}},
        {{CL_R, CL_UNSIGNED_INT32}, {.u = {0x12345678}}, {0x78, 0x56, 0x34, 0x12}},
        {{CL_R, CL_FLOAT}, {.f = {1}}, {0, 0, 0x80, 0x3f}},
    };
    check(rows, sizeof rows / sizeof rows[0]);
}

/* Conversions as in _cvtss_sh(): IEEE 754 binary16, to nearest even. */
static void halves(void **state) {
    (void)state;
    static const struct {
        float value;
        uint16_t half;
    } rows[] = {{0, 0},
                {-0.0f, 0x8000},
                {1, 0x3c00},
                {-2, 0xc000},
                {65504, 0x7bff},
                {65519.996f, 0x7bff},
                {65520, 0x7c00}, /* halfway beyond the largest: to even */
                {1e9f, 0x7c00},
                {-INFINITY, 0xfc00},
                {0x1p-14f, 0x0400},
                {0x1.ff8p-15f, 0x03ff}, /* the largest below: 1023 · 2^-24 */
                {0x1p-24f, 0x0001},
                {0x1p-25f, 0x0000}, /* halfway: to even */
                {0x1.8p-24f, 0x0002},
                {0x1.002p0f, 0x3c00}, /* 1 + 2^-11: halfway: to even */
                {0x1.006p0f, 0x3c02},
                {0x1.ffep0f, 0x4000}};
    const cl_image_format format = {CL_R, CL_HALF_FLOAT};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const float colour[4] = {rows[i].value};
        uint8_t pixel[PIXEL_MAX_BYTES];
        pixel_encode(&format, colour, pixel);
        if ((pixel[0] | pixel[1] << 8) != rows[i].half) print_error("%a\n", (double)rows[i].value);
        assert_int_equal(pixel[0] | pixel[1] << 8, rows[i].half);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats_are_those_of_the_standard),
        cmocka_unit_test(orders),
        cmocka_unit_test(types),
        cmocka_unit_test(halves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

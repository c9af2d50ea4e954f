/* images: 2-D images of every channel order and the common channel types, written, read, copied and filled by
 * the host. Kernels sample them with every addressing and filter mode. All results are checked against plain
 * C. */
#include "benchmarks/host.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = 13, HEIGHT = 7 };

static const char SOURCE[] =
    "__constant sampler_t NEAREST = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;\n"
    "__kernel void copy_f(__read_only image2d_t from, __write_only image2d_t to) {\n"
    "  int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
    "  write_imagef(to, at, read_imagef(from, NEAREST, at)); }\n"
    "__kernel void copy_i(__read_only image2d_t from, __write_only image2d_t to) {\n"
    "  int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
    "  write_imagei(to, at, read_imagei(from, NEAREST, at)); }\n"
    "__kernel void copy_ui(__read_only image2d_t from, __write_only image2d_t to) {\n"
    "  int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
    "  write_imageui(to, at, read_imageui(from, NEAREST, at)); }\n"
    "__kernel void bits(__read_only image2d_t from, __global int4 *i, __global uint4 *ui) {\n"
    "  int2 at = (int2)(get_global_id(0), 0);\n"
    "  i[at.x] = read_imagei(from, NEAREST, at); ui[at.x] = read_imageui(from, NEAREST, convert_float2(at)); "
    "}\n"
    "__kernel void sample(__read_only image2d_t from, sampler_t how, __global const float2 *where,\n"
    "                     __global float4 *out) {\n"
    "  size_t i = get_global_id(0);\n"
    "  out[i] = read_imagef(from, how, where[i]); }\n"
    "__kernel void ask(__read_only image2d_t a, __write_only image2d_t b, __global int *out) {\n"
    "  out[0] = get_image_width(a); out[1] = get_image_height(a);\n"
    "  out[2] = get_image_channel_order(a); out[3] = get_image_channel_data_type(a);\n"
    "  int2 size = get_image_dim(b); out[4] = size.x; out[5] = size.y; }\n";

static struct host host;
static unsigned wrong;

static void expect(bool condition, const char *what) {
    if (condition) return;
    wrong++;
    printf("images: not so: %s\n", what);
}

static cl_mem make(cl_mem_flags flags, const cl_image_format *format, size_t width, size_t height,
                   size_t row_pitch, void *data) {
    const cl_image_desc shape = {.image_type = CL_MEM_OBJECT_IMAGE2D,
                                 .image_width = width,
                                 .image_height = height,
                                 .image_row_pitch = row_pitch};
    return HOST_CREATE(clCreateImage, host.context, flags, format, &shape, data);
}

static size_t element_size(cl_mem image) {
    size_t size;
    HOST_CHECK(clGetImageInfo(image, CL_IMAGE_ELEMENT_SIZE, sizeof size, &size, NULL));
    return size;
}

/* --- formats --- */

static const char *copy_kernel(cl_channel_type type) {
    switch (type) {
    case CL_SIGNED_INT8:
    case CL_SIGNED_INT16:
    case CL_SIGNED_INT32: return "copy_i";
    case CL_UNSIGNED_INT8:
    case CL_UNSIGNED_INT16:
    case CL_UNSIGNED_INT32: return "copy_ui";
    default: return "copy_f";
    }
}

/* Fills with bytes (0–58) that every format keeps: no NaN, and no -128, which reads as -127. */
static void fill_bytes(unsigned char *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) bytes[i] = (unsigned char)((i * 37 + 11) % 59);
}

/* Every format that a kernel can read is also written and compared. */
static void check_format(cl_program program, const cl_image_format *format) {
    static unsigned char before[WIDTH * HEIGHT * 16], after[WIDTH * HEIGHT * 16];
    const size_t origin[3] = {0}, region[3] = {WIDTH, HEIGHT, 1}, size[2] = {WIDTH, HEIGHT};
    cl_mem from = make(CL_MEM_READ_ONLY, format, WIDTH, HEIGHT, 0, NULL);
    cl_mem to = make(CL_MEM_WRITE_ONLY, format, WIDTH, HEIGHT, 0, NULL);
    size_t bytes = WIDTH * HEIGHT * element_size(from);
    fill_bytes(before, bytes);
    HOST_CHECK(clEnqueueWriteImage(host.queue, from, CL_TRUE, origin, region, 0, 0, before, 0, NULL, NULL));
    cl_kernel copy = HOST_CREATE(clCreateKernel, program, copy_kernel(format->image_channel_data_type));
    HOST_ARGUMENT(copy, 0, from);
    HOST_ARGUMENT(copy, 1, to);
    HOST_CHECK(clEnqueueNDRangeKernel(host.queue, copy, 2, NULL, size, NULL, 0, NULL, NULL));
    memset(after, 0, sizeof after);
    HOST_CHECK(clEnqueueReadImage(host.queue, to, CL_TRUE, origin, region, 0, 0, after, 0, NULL, NULL));
    if (memcmp(before, after, bytes) != 0) {
        wrong++;
        printf("images: order %#x, type %#x: a copy differs\n", format->image_channel_order,
               format->image_channel_data_type);
    }
    HOST_CHECK(clReleaseKernel(copy));
    HOST_CHECK(clReleaseMemObject(from));
    HOST_CHECK(clReleaseMemObject(to));
}

static void check_formats(cl_program program) {
    cl_image_format formats[200];
    cl_uint count;
    HOST_CHECK(clGetSupportedImageFormats(host.context, CL_MEM_READ_WRITE, CL_MEM_OBJECT_IMAGE2D, 200,
                                          formats, &count));
    expect(count >= 11, "the eleven formats that OpenCL 1.2 asks for are there");
    static const cl_channel_order orders[] = {CL_R,    CL_A,    CL_RG,        CL_RA,       CL_RGBA,
                                              CL_BGRA, CL_ARGB, CL_INTENSITY, CL_LUMINANCE};
    for (cl_uint i = 0; i < count && i < 200; i++)
        for (size_t o = 0; o < sizeof orders / sizeof orders[0]; o++)
            if (formats[i].image_channel_order == orders[o] &&
                formats[i].image_channel_data_type >= CL_SNORM_INT8 &&
                formats[i].image_channel_data_type <= CL_FLOAT &&
                (formats[i].image_channel_data_type < CL_UNORM_SHORT_565 ||
                 formats[i].image_channel_data_type > CL_UNORM_INT_101010))
                check_format(program, &formats[i]);
}

/* OpenCL does not define the result of read_imagei and read_imageui for floats. Programs read the bits of two
 * floats as a double. */
static void check_bits_of_floats(cl_program program) {
    static const cl_image_format format = {CL_RGBA, CL_FLOAT};
    double in[2 * WIDTH], out[2][2 * WIDTH];
    for (int i = 0; i < 2 * WIDTH; i++) in[i] = 1.0 / (i + 1);
    cl_mem image = make(CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format, WIDTH, 1, 0, in), buffers[2];
    cl_kernel bits = HOST_CREATE(clCreateKernel, program, "bits");
    HOST_ARGUMENT(bits, 0, image);
    for (cl_uint i = 0; i < 2; i++) {
        buffers[i] = HOST_CREATE(clCreateBuffer, host.context, CL_MEM_WRITE_ONLY, sizeof in, NULL);
        HOST_ARGUMENT(bits, i + 1, buffers[i]);
    }
    HOST_CHECK(clEnqueueNDRangeKernel(host.queue, bits, 1, NULL, (size_t[]){WIDTH}, NULL, 0, NULL, NULL));
    for (int i = 0; i < 2; i++) {
        HOST_CHECK(clEnqueueReadBuffer(host.queue, buffers[i], CL_TRUE, 0, sizeof in, out[i], 0, NULL, NULL));
        HOST_CHECK(clReleaseMemObject(buffers[i]));
    }
    expect(memcmp(out[0], in, sizeof in) == 0, "read_imagei gives the bits of floats");
    expect(memcmp(out[1], in, sizeof in) == 0, "read_imageui gives the bits of floats");
    HOST_CHECK(clReleaseKernel(bits));
    HOST_CHECK(clReleaseMemObject(image));
}

/* --- sampling --- */

static float texel(int x, int y) {
    return (float)(x * 16 + y * 256);
}

/* Returns the pixel coordinate that an addressing mode selects for an integer coordinate; −1: the border. */
static int address(cl_addressing_mode mode, int i, int size) {
    switch (mode) {
    case CL_ADDRESS_CLAMP_TO_EDGE: return i < 0 ? 0 : i >= size ? size - 1 : i;
    case CL_ADDRESS_REPEAT: return ((i % size) + size) % size;
    case CL_ADDRESS_MIRRORED_REPEAT: {
        int period = ((i % (2 * size)) + 2 * size) % (2 * size);
        return period < size ? period : 2 * size - 1 - period;
    }
    default: return i < 0 || i >= size ? -1 : i;
    }
}

static float pixel(cl_addressing_mode mode, int x, int y) {
    int column = address(mode, x, WIDTH), row = address(mode, y, HEIGHT);
    return column < 0 || row < 0 ? 0.0f : texel(column, row);
}

/* Returns the expected result for coordinates u, v in pixels. */
static float expected_sample(cl_addressing_mode mode, cl_filter_mode filter, float u, float v) {
    if (filter == CL_FILTER_NEAREST) return pixel(mode, (int)floorf(u), (int)floorf(v));
    int x = (int)floorf(u - 0.5f), y = (int)floorf(v - 0.5f);
    float a = u - 0.5f - (float)x, b = v - 0.5f - (float)y;
    return (1 - a) * (1 - b) * pixel(mode, x, y) + a * (1 - b) * pixel(mode, x + 1, y) +
           (1 - a) * b * pixel(mode, x, y + 1) + a * b * pixel(mode, x + 1, y + 1);
}

enum { SAMPLES = 96 };

/* Places in and around the image, in quarters of a pixel and away from the edges between pixels, where the
 * rounding of a normalised coordinate decides. */
static void choose_places(float where[SAMPLES][2]) {
    for (int i = 0; i < SAMPLES; i++) {
        where[i][0] = (float)((i * 29) % (3 * WIDTH) - WIDTH) + (i % 2 ? 0.25f : 0.75f);
        where[i][1] = (float)((i * 17) % (3 * HEIGHT) - HEIGHT) + (i % 3 ? 0.75f : 0.25f);
    }
}

static void check_sampler(cl_kernel sample, cl_bool normalised, cl_addressing_mode mode,
                          cl_filter_mode filter) {
    float where[SAMPLES][2], asked[SAMPLES][2], out[SAMPLES][4];
    cl_sampler how = HOST_CREATE(clCreateSampler, host.context, normalised, mode, filter);
    choose_places(where);
    for (int i = 0; i < SAMPLES; i++) {
        bool inside =
            where[i][0] >= 1 && where[i][0] < WIDTH - 1 && where[i][1] >= 1 && where[i][1] < HEIGHT - 1;
        if (mode == CL_ADDRESS_NONE && !inside) where[i][0] = where[i][1] = 3.25f;
        asked[i][0] = normalised ? where[i][0] / WIDTH : where[i][0];
        asked[i][1] = normalised ? where[i][1] / HEIGHT : where[i][1];
    }
    cl_mem places = host_buffer(&host, sizeof asked, asked), found = host_buffer(&host, sizeof out, NULL);
    const size_t count = SAMPLES;
    HOST_ARGUMENT(sample, 1, how);
    HOST_ARGUMENT(sample, 2, places);
    HOST_ARGUMENT(sample, 3, found);
    HOST_CHECK(clReleaseSampler(how)); /* the kernel has its value */
    host_launch(&host, sample, 1, &count, NULL);
    host_read(&host, found, out, sizeof out);
    for (int i = 0; i < SAMPLES; i++) {
        float e = expected_sample(mode, filter, where[i][0], where[i][1]);
        /* A GPU may use weights of 8 bits; ours are floats. */
        if (fabsf(out[i][0] - e) <= (filter == CL_FILTER_LINEAR ? 8.0f : 0.0f)) continue;
        wrong++;
        printf("images: address %#x, filter %#x, normalised %u at (%g, %g): %g instead of %g\n", mode, filter,
               normalised, (double)where[i][0], (double)where[i][1], (double)out[i][0], (double)e);
    }
    HOST_CHECK(clReleaseMemObject(places));
    HOST_CHECK(clReleaseMemObject(found));
}

static void check_samplers(cl_program program) {
    static float pixels[HEIGHT][WIDTH];
    const cl_image_format format = {CL_R, CL_FLOAT};
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) pixels[y][x] = texel(x, y);
    /* Borders of CL_R have red 0. No other property of CL_ADDRESS_CLAMP is needed here. */
    cl_mem image = make(CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format, WIDTH, HEIGHT, 0, pixels);
    cl_kernel sample = HOST_CREATE(clCreateKernel, program, "sample");
    HOST_ARGUMENT(sample, 0, image);
    static const cl_addressing_mode modes[] = {CL_ADDRESS_NONE, CL_ADDRESS_CLAMP_TO_EDGE, CL_ADDRESS_CLAMP,
                                               CL_ADDRESS_REPEAT, CL_ADDRESS_MIRRORED_REPEAT};
    static const cl_filter_mode filters[] = {CL_FILTER_NEAREST, CL_FILTER_LINEAR};
    for (size_t m = 0; m < 5; m++)
        for (size_t f = 0; f < 2; f++)
            for (cl_bool normalised = CL_FALSE; normalised <= CL_TRUE; normalised++)
                if (normalised || m < 3) check_sampler(sample, normalised, modes[m], filters[f]);
    HOST_CHECK(clReleaseKernel(sample));
    HOST_CHECK(clReleaseMemObject(image));
}

/* --- the host's own commands --- */

static const cl_image_format BYTES = {CL_RGBA, CL_UNSIGNED_INT8};

static void check_copies(void) {
    static cl_uint pixels[HEIGHT][WIDTH], back[HEIGHT][WIDTH + 3], packed[4 * 3];
    const size_t whole[3] = {WIDTH, HEIGHT, 1}, part[3] = {4, 3, 1}, zero[3] = {0}, at[3] = {2, 1, 0},
                 there[3] = {8, 3, 0};
    for (unsigned i = 0; i < WIDTH * HEIGHT; i++) pixels[i / WIDTH][i % WIDTH] = i * 0x01010101u + 5;
    cl_mem a = make(CL_MEM_COPY_HOST_PTR, &BYTES, WIDTH, HEIGHT, 0, pixels);
    cl_mem b = make(CL_MEM_READ_WRITE, &BYTES, WIDTH, HEIGHT, 0, NULL);
    cl_mem buffer = host_buffer(&host, 64 + sizeof packed, NULL);
    const cl_uint colour[4] = {1, 2, 3, 400};
    HOST_CHECK(clEnqueueFillImage(host.queue, b, colour, zero, whole, 0, NULL, NULL));
    HOST_CHECK(clEnqueueCopyImage(host.queue, a, b, at, there, part, 0, NULL, NULL));
    HOST_CHECK(clEnqueueCopyImageToBuffer(host.queue, a, buffer, at, part, 64, 0, NULL, NULL));
    HOST_CHECK(clEnqueueCopyBufferToImage(host.queue, buffer, b, 64, zero, part, 0, NULL, NULL));
    HOST_CHECK(
        clEnqueueReadImage(host.queue, b, CL_TRUE, zero, whole, sizeof back[0], 0, back, 0, NULL, NULL));
    HOST_CHECK(clEnqueueReadBuffer(host.queue, buffer, CL_TRUE, 64, sizeof packed, packed, 0, NULL, NULL));
    for (unsigned y = 0; y < HEIGHT; y++)
        for (unsigned x = 0; x < WIDTH; x++) {
            cl_uint e = 0xff030201; /* 400 is beyond a byte */
            if (x >= 8 && x < 12 && y >= 3 && y < 6) e = pixels[y - 3 + 1][x - 8 + 2];
            if (x < 4 && y < 3) e = pixels[y + 1][x + 2];
            wrong += back[y][x] != e;
        }
    for (unsigned i = 0; i < 12; i++) wrong += packed[i] != pixels[1 + i / 4][2 + i % 4];
    /* Rows from a wider array. */
    HOST_CHECK(clEnqueueWriteImage(host.queue, a, CL_FALSE, at, part, sizeof back[0], 0, &back[1][3], 0, NULL,
                                   NULL));
    HOST_CHECK(clEnqueueReadImage(host.queue, a, CL_TRUE, at, part, 0, 0, packed, 0, NULL, NULL));
    for (unsigned i = 0; i < 12; i++) wrong += packed[i] != back[1 + i / 4][3 + i % 4];
    HOST_CHECK(clReleaseMemObject(a));
    HOST_CHECK(clReleaseMemObject(b));
    HOST_CHECK(clReleaseMemObject(buffer));
}

/* The program's own memory, with gaps between its rows, under an image that a kernel writes. */
static void check_maps(cl_program program) {
    enum { PITCH = WIDTH + 5 };
    static cl_uint pixels[HEIGHT][PITCH], own[HEIGHT][PITCH];
    const size_t at[3] = {3, 2, 0}, part[3] = {5, 4, 1}, size[2] = {WIDTH, HEIGHT};
    size_t pitch = 0;
    for (unsigned i = 0; i < HEIGHT * PITCH; i++) pixels[i / PITCH][i % PITCH] = i * 0x00030201u;
    cl_mem from =
        make(CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &BYTES, WIDTH, HEIGHT, sizeof pixels[0], pixels);
    cl_mem to = make(CL_MEM_WRITE_ONLY | CL_MEM_USE_HOST_PTR, &BYTES, WIDTH, HEIGHT, sizeof own[0], own);
    cl_kernel copy = HOST_CREATE(clCreateKernel, program, "copy_ui");
    HOST_ARGUMENT(copy, 0, from);
    HOST_ARGUMENT(copy, 1, to);
    HOST_CHECK(clEnqueueNDRangeKernel(host.queue, copy, 2, NULL, size, NULL, 0, NULL, NULL));
    unsigned char *row = HOST_CREATE(clEnqueueMapImage, host.queue, to, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE,
                                     at, part, &pitch, NULL, 0, NULL, NULL);
    expect(row == (unsigned char *)&own[2][3], "the mapping is in the program's memory");
    expect(pitch == sizeof own[0], "a mapping has the image's row pitch");
    for (unsigned y = 0; y < 4; y++)
        for (unsigned x = 0; x < 5; x++) wrong += own[2 + y][3 + x] != pixels[2 + y][3 + x];
    own[4][5] = 0x12345678;
    HOST_CHECK(clEnqueueUnmapMemObject(host.queue, to, row, 0, NULL, NULL));
    const size_t one[3] = {1, 1, 1}, there[3] = {5, 4, 0};
    cl_uint found = 0;
    HOST_CHECK(clEnqueueReadImage(host.queue, to, CL_TRUE, there, one, 0, 0, &found, 0, NULL, NULL));
    expect(found == 0x12345678, "what is written to a mapping reaches the image");
    HOST_CHECK(clReleaseKernel(copy));
    HOST_CHECK(clReleaseMemObject(from));
    HOST_CHECK(clReleaseMemObject(to));
}

static void check_queries(cl_program program) {
    const cl_image_format format = {CL_RG, CL_HALF_FLOAT};
    const size_t one = 1;
    cl_int out[6];
    cl_mem a = make(CL_MEM_READ_ONLY, &format, 40, 30, 0, NULL);
    cl_mem b = make(CL_MEM_WRITE_ONLY, &BYTES, 21, 22, 0, NULL);
    cl_mem answers = host_buffer(&host, sizeof out, NULL);
    cl_kernel ask = HOST_CREATE(clCreateKernel, program, "ask");
    HOST_ARGUMENT(ask, 0, a);
    HOST_ARGUMENT(ask, 1, b);
    HOST_ARGUMENT(ask, 2, answers);
    host_launch(&host, ask, 1, &one, NULL);
    host_read(&host, answers, out, sizeof out);
    const cl_int expected[6] = {40, 30, CL_RG, CL_HALF_FLOAT, 21, 22};
    wrong += host_count_wrong("answers", out, expected, sizeof out[0], 6);
    size_t width, height, pitch, depth;
    HOST_CHECK(clGetImageInfo(a, CL_IMAGE_WIDTH, sizeof width, &width, NULL));
    HOST_CHECK(clGetImageInfo(a, CL_IMAGE_HEIGHT, sizeof height, &height, NULL));
    HOST_CHECK(clGetImageInfo(a, CL_IMAGE_ROW_PITCH, sizeof pitch, &pitch, NULL));
    HOST_CHECK(clGetImageInfo(a, CL_IMAGE_DEPTH, sizeof depth, &depth, NULL));
    expect(width == 40 && height == 30 && pitch >= 160 && depth == 0, "the image's sizes");
    cl_mem_object_type type;
    HOST_CHECK(clGetMemObjectInfo(a, CL_MEM_TYPE, sizeof type, &type, NULL));
    expect(type == CL_MEM_OBJECT_IMAGE2D, "an image is a 2-D image");
    HOST_CHECK(clReleaseKernel(ask));
    HOST_CHECK(clReleaseMemObject(a));
    HOST_CHECK(clReleaseMemObject(b));
    HOST_CHECK(clReleaseMemObject(answers));
}

int main(void) {
    host_open(&host);
    cl_program program = host_build(&host, SOURCE, "");
    check_formats(program);
    check_bits_of_floats(program);
    check_samplers(program);
    check_copies();
    check_maps(program);
    check_queries(program);
    HOST_CHECK(clReleaseProgram(program));
    host_close(&host);
    return host_verdict("images", wrong == 0, "%u values wrong", wrong);
}

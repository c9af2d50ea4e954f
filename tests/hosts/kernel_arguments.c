/* kernel_arguments: results of clGetKernelArgInfo for arguments of every kind, with and without
 * -cl-kernel-arg-info, and arguments that clSetKernelArg accepts for images and samplers. */
#include "benchmarks/host.h"

#include <stdio.h>
#include <string.h>

#define GLOBAL     CL_KERNEL_ARG_ADDRESS_GLOBAL
#define CONSTANT   CL_KERNEL_ARG_ADDRESS_CONSTANT
#define LOCAL      CL_KERNEL_ARG_ADDRESS_LOCAL
#define PRIVATE    CL_KERNEL_ARG_ADDRESS_PRIVATE
#define NO_ACCESS  CL_KERNEL_ARG_ACCESS_NONE
#define READ_ONLY  CL_KERNEL_ARG_ACCESS_READ_ONLY
#define WRITE_ONLY CL_KERNEL_ARG_ACCESS_WRITE_ONLY
#define NONE       CL_KERNEL_ARG_TYPE_NONE
#define CONST      CL_KERNEL_ARG_TYPE_CONST
#define RESTRICT   CL_KERNEL_ARG_TYPE_RESTRICT
#define VOLATILE   CL_KERNEL_ARG_TYPE_VOLATILE

static const char TYPES[] = "typedef struct s { int a; float4 b; } S;\n"
                            "struct plain { char c; };\n"
                            "union u { int i; float f; };\n"
                            "typedef union u U;\n"
                            "typedef enum e { one, two } E;\n"
                            "typedef struct { int x; } image_t;\n"
                            "typedef const global float *restrict input;\n"
                            "typedef unsigned int word;\n"
                            "typedef float4 quad;\n"
                            "typedef const int fixed;\n"
                            "typedef float row[4];\n"
                            "typedef image2d_t picture;\n"
                            "typedef sampler_t how;\n";

struct expected {
    const char *declaration; /* %s: the argument's name */
    cl_kernel_arg_address_qualifier address;
    cl_kernel_arg_access_qualifier access;
    cl_kernel_arg_type_qualifier qualifiers;
    const char *type;
};

static const struct expected arguments[] = {
    {"global float *%s", GLOBAL, NO_ACCESS, NONE, "float*"},
    {"global const float4 *%s", GLOBAL, NO_ACCESS, CONST, "float4*"},
    {"constant int *%s", CONSTANT, NO_ACCESS, CONST, "int*"},
    {"constant struct plain *%s", CONSTANT, NO_ACCESS, CONST, "struct plain*"},
    {"local short3 *%s", LOCAL, NO_ACCESS, NONE, "short3*"},
    {"local volatile float *%s", LOCAL, NO_ACCESS, VOLATILE, "float*"},
    {"global volatile uchar *restrict %s", GLOBAL, NO_ACCESS, RESTRICT | VOLATILE, "uchar*"},
    {"const volatile global double *restrict %s", GLOBAL, NO_ACCESS, CONST | RESTRICT | VOLATILE, "double*"},
    {"global const S *%s", GLOBAL, NO_ACCESS, CONST, "S*"},
    {"global union u *%s", GLOBAL, NO_ACCESS, NONE, "union u*"},
    {"global U *%s", GLOBAL, NO_ACCESS, NONE, "U*"},
    {"global E *%s", GLOBAL, NO_ACCESS, NONE, "E*"},
    {"global image_t *%s", GLOBAL, NO_ACCESS, NONE, "image_t*"},
    {"input %s", GLOBAL, NO_ACCESS, CONST | RESTRICT, "float*"},
    {"global word *%s", GLOBAL, NO_ACCESS, NONE, "word*"},
    {"global quad *%s", GLOBAL, NO_ACCESS, NONE, "quad*"},
    {"global row *%s", GLOBAL, NO_ACCESS, NONE, "row*"},
    {"global float %s[]", GLOBAL, NO_ACCESS, NONE, "float*"},
    {"global void *%s", GLOBAL, NO_ACCESS, NONE, "void*"},
    {"global half *%s", GLOBAL, NO_ACCESS, NONE, "half*"},
    {"global unsigned long *%s", GLOBAL, NO_ACCESS, NONE, "ulong*"},
    {"global long unsigned *%s", GLOBAL, NO_ACCESS, NONE, "ulong*"},
    {"char %s", PRIVATE, NO_ACCESS, NONE, "char"},
    {"unsigned char %s", PRIVATE, NO_ACCESS, NONE, "uchar"},
    {"short unsigned int %s", PRIVATE, NO_ACCESS, NONE, "ushort"},
    {"signed %s", PRIVATE, NO_ACCESS, NONE, "int"},
    {"unsigned %s", PRIVATE, NO_ACCESS, NONE, "uint"},
    {"long %s", PRIVATE, NO_ACCESS, NONE, "long"},
    {"const float %s", PRIVATE, NO_ACCESS, NONE, "float"},
    {"volatile int %s", PRIVATE, NO_ACCESS, NONE, "int"},
    {"float4 %s", PRIVATE, NO_ACCESS, NONE, "float4"},
    {"ulong16 %s", PRIVATE, NO_ACCESS, NONE, "ulong16"},
    {"double3 %s", PRIVATE, NO_ACCESS, NONE, "double3"},
    {"quad %s", PRIVATE, NO_ACCESS, NONE, "quad"},
    {"word %s", PRIVATE, NO_ACCESS, NONE, "word"},
    {"fixed %s", PRIVATE, NO_ACCESS, NONE, "int"},
    {"S %s", PRIVATE, NO_ACCESS, NONE, "S"},
    {"struct plain %s", PRIVATE, NO_ACCESS, NONE, "struct plain"},
    {"union u %s", PRIVATE, NO_ACCESS, NONE, "union u"},
    {"U %s", PRIVATE, NO_ACCESS, NONE, "U"},
    {"E %s", PRIVATE, NO_ACCESS, NONE, "E"},
    {"enum e %s", PRIVATE, NO_ACCESS, NONE, "enum e"},
    {"image_t %s", PRIVATE, NO_ACCESS, NONE, "image_t"},
    {"sampler_t %s", PRIVATE, NO_ACCESS, NONE, "sampler_t"},
    {"const sampler_t %s", PRIVATE, NO_ACCESS, NONE, "sampler_t"},
    {"how %s", PRIVATE, NO_ACCESS, NONE, "how"},
    {"image2d_t %s", GLOBAL, READ_ONLY, NONE, "image2d_t"},
    {"read_only image2d_t %s", GLOBAL, READ_ONLY, NONE, "image2d_t"},
    {"__write_only image2d_t %s", GLOBAL, WRITE_ONLY, NONE, "image2d_t"},
    {"picture %s", GLOBAL, READ_ONLY, NONE, "picture"},
    {"read_only image3d_t %s", GLOBAL, READ_ONLY, NONE, "image3d_t"},
    {"image1d_t %s", GLOBAL, READ_ONLY, NONE, "image1d_t"},
    {"write_only image1d_t %s", GLOBAL, WRITE_ONLY, NONE, "image1d_t"},
    {"write_only image1d_buffer_t %s", GLOBAL, WRITE_ONLY, NONE, "image1d_buffer_t"},
    {"read_only image1d_array_t %s", GLOBAL, READ_ONLY, NONE, "image1d_array_t"},
    {"read_only image2d_array_t %s", GLOBAL, READ_ONLY, NONE, "image2d_array_t"},
};
enum { COUNT = sizeof arguments / sizeof arguments[0] };

static struct host host;
static unsigned wrong;

static void expect(bool condition, const char *what) {
    if (condition) return;
    wrong++;
    printf("kernel_arguments: not so: %s\n", what);
}

/* All of them in one kernel, named a0, a1, … */
static void write_source(char *source, size_t size) {
    size_t n = (size_t)snprintf(source, size, "%skernel void all(", TYPES);
    for (unsigned i = 0; i < COUNT; i++) {
        char name[16], declaration[100];
        snprintf(name, sizeof name, "a%u", i);
        const char *d = arguments[i].declaration, *at = strstr(d, "%s");
        snprintf(declaration, sizeof declaration, "%.*s%s%s", (int)(at - d), d, name, at + 2);
        n += (size_t)snprintf(source + n, size - n, "%s%s", i ? ", " : "", declaration);
    }
    snprintf(source + n, size - n, ") {}\n");
}

static void check_argument(cl_kernel kernel, unsigned i, const char *options) {
    const struct expected *e = &arguments[i];
    cl_kernel_arg_address_qualifier address;
    cl_kernel_arg_access_qualifier access;
    cl_kernel_arg_type_qualifier qualifiers;
    char type[64], name[16], expected_name[16];
    size_t type_size, name_size;
    snprintf(expected_name, sizeof expected_name, "a%u", i);
#define ASK(what, variable, size)                                                                            \
    HOST_CHECK(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_##what, sizeof variable, &variable, size))
    ASK(ADDRESS_QUALIFIER, address, NULL);
    ASK(ACCESS_QUALIFIER, access, NULL);
    ASK(TYPE_QUALIFIER, qualifiers, NULL);
    ASK(TYPE_NAME, type, &type_size);
    ASK(NAME, name, &name_size);
    if (address == e->address && access == e->access && qualifiers == e->qualifiers &&
        strcmp(type, e->type) == 0 && strcmp(name, expected_name) == 0 && type_size == strlen(type) + 1 &&
        name_size == strlen(name) + 1)
        return;
    wrong++;
    printf(
        "kernel_arguments: '%s' (options '%s'): name %s, type %s, address %#x, access %#x, qualifiers %#x\n",
        e->declaration, options, name, type, address, access, (unsigned)qualifiers);
}

static void check_information(const char *options) {
    static char source[8192];
    write_source(source, sizeof source);
    cl_program program = host_build(&host, source, options);
    cl_kernel kernel = HOST_CREATE(clCreateKernel, program, "all");
    for (unsigned i = 0; i < COUNT; i++) check_argument(kernel, i, options);
    HOST_CHECK(clReleaseKernel(kernel));
    HOST_CHECK(clReleaseProgram(program));
}

/* Typedefs of images and samplers make no difference. Images that the device does not support have
 * no object. */
static void check_setting(void) {
    static const char source[] =
        "typedef image2d_t picture; typedef const sampler_t how;\n"
        "kernel void read(picture from, how with, const sampler_t also, global float4 *out) {\n"
        "  out[0] = read_imagef(from, with, (float2)(0.5f, 0.5f)) + read_imagef(from, also, (int2)(1, 0)); "
        "}\n"
        "kernel void deep(read_only image3d_t from) {}\n";
    static const cl_image_format format = {CL_RGBA, CL_FLOAT};
    static const cl_image_desc shape = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 2, .image_height = 1};
    float in[8] = {1, 2, 3, 4, 10, 20, 30, 40}, out[4] = {0};
    cl_program program = host_build(&host, source, "");
    cl_kernel read = HOST_CREATE(clCreateKernel, program, "read"),
              deep = HOST_CREATE(clCreateKernel, program, "deep");
    cl_mem image = HOST_CREATE(clCreateImage, host.context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format,
                               &shape, in);
    cl_mem buffer = HOST_CREATE(clCreateBuffer, host.context, CL_MEM_WRITE_ONLY, sizeof out, NULL);
    cl_sampler sampler =
        HOST_CREATE(clCreateSampler, host.context, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST);
    HOST_ARGUMENT(read, 0, image);
    HOST_ARGUMENT(read, 1, sampler);
    HOST_ARGUMENT(read, 2, sampler);
    HOST_ARGUMENT(read, 3, buffer);
    HOST_CHECK(clEnqueueTask(host.queue, read, 0, NULL, NULL));
    HOST_CHECK(clEnqueueReadBuffer(host.queue, buffer, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
    expect(out[0] == 11 && out[1] == 22 && out[2] == 33 && out[3] == 44, "images and samplers have typedefs");
    expect(clSetKernelArg(deep, 0, sizeof image, &image) != CL_SUCCESS, "a 2-D image is no image3d_t");
    HOST_CHECK(clReleaseSampler(sampler));
    HOST_CHECK(clReleaseMemObject(buffer));
    HOST_CHECK(clReleaseMemObject(image));
    HOST_CHECK(clReleaseKernel(deep));
    HOST_CHECK(clReleaseKernel(read));
    HOST_CHECK(clReleaseProgram(program));
}

int main(void) {
    host_open(&host);
    check_information("");
    check_information("-cl-kernel-arg-info");
    check_setting();
    host_close(&host);
    return host_verdict("kernel_arguments", wrong == 0, "%u values wrong", wrong);
}

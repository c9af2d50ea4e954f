/* api_errors: common parts of the programs api_errors, api_errors_programs and api_errors_commands: one
 * object of each kind, and rows of a table: a mistake, the code that OpenCL 1.2 requires, the call. Every
 * call with another code is printed. */
#ifndef TESTS_HOSTS_API_ERRORS_H
#define TESTS_HOSTS_API_ERRORS_H

#define CL_TARGET_OPENCL_VERSION 300 /* includes declarations of later versions */
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include <CL/cl.h>

#include <stdio.h>
#include <string.h>

static unsigned rows, wrong;
static cl_platform_id platform;
static cl_device_id device;
static cl_context context, other_context;
static cl_command_queue queue, plain_queue, other_queue;
static cl_mem buffer, other_buffer, read_only, hidden, sub, image, other_image, read_image, write_image,
    hidden_image, float_image;
static cl_sampler sampler, other_sampler;
static cl_program program, unbuilt, object;
static cl_kernel scale, required, draw;
static cl_event event, other_event;
static size_t size_max;

/* Invalid handles, used by mistake or after the release of the object. */
#define STRAY(type) ((type)(uintptr_t)0x1234560)
static cl_mem released;

static void check(int line, const char *mistake, const char *call, cl_int found, cl_int expected) {
    rows++;
    if (found == expected) return;
    wrong++;
    printf("line %d: %s: %d instead of %d from %s\n", line, mistake, found, expected, call);
}

/* A call that returns its status, and one that stores it in `status` and must return nothing on an error. */
#define ROW(mistake, expected, call) check(__LINE__, mistake, #call, call, expected)
#define MAKE(mistake, expected, call)                                                                        \
    do {                                                                                                     \
        cl_int status = 1;                                                                                   \
        const void *made = call;                                                                             \
        check(__LINE__, mistake, #call, status, expected);                                                   \
        if ((made == NULL) != ((expected) != CL_SUCCESS))                                                    \
            check(__LINE__, mistake, #call " returns a handle", made != NULL, (expected) == CL_SUCCESS);     \
    } while (0)
#define SUCCEEDS(call) ROW("none", CL_SUCCESS, call)
#define NO             0, NULL, NULL /* no wait list, no event */

static char text[4096];
static size_t length;

/* Checks common to every query: CALL(name, room, destination, size). `good` is a query whose result has more
 * than one byte. */
#define QUERY(CALL, good)                                                                                    \
    ROW("no such fact", CL_INVALID_VALUE, CALL(0x7fff, sizeof text, text, &length));                         \
    ROW("no room", CL_INVALID_VALUE, CALL(good, 1, text, &length));                                          \
    SUCCEEDS(CALL(good, 0, NULL, &length));                                                                  \
    SUCCEEDS(CALL(good, length, text, NULL))

static const char SOURCE[] =
    "__kernel void scale(__global int *a, __constant int *b, __local float4 *scratch, int n, float4 v) {\n"
    "  a[get_global_id(0)] = b[0] + n + (int)v.x; }\n"
    "__kernel __attribute__((reqd_work_group_size(8, 2, 1))) void required(__global int *a) {\n"
    "  a[get_global_id(0)] = 1; }\n"
    "__kernel void draw(__read_only image2d_t from, __write_only image2d_t to, sampler_t how) {\n"
    "  write_imageui(to, (int2)(0, 0), read_imageui(from, how, (int2)(1, 1))); }\n";

static const cl_image_format FORMAT = {CL_RGBA, CL_UNSIGNED_INT8};

static cl_mem make_image(cl_context c, cl_mem_flags flags, const cl_image_format *format) {
    const cl_image_desc shape = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 16, .image_height = 8};
    cl_int status = 1;
    cl_mem made = clCreateImage(c, flags, format, &shape, NULL, &status);
    SUCCEEDS(status);
    return made;
}

static void set_up_memory(void) {
    cl_int status, values[256] = {0};
    const cl_image_format floats = {CL_RGBA, CL_FLOAT};
    buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof values, values, &status);
    other_buffer = clCreateBuffer(other_context, 0, 64, NULL, &status);
    read_only = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_HOST_READ_ONLY, 1024, NULL, &status);
    hidden = clCreateBuffer(context, CL_MEM_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS, 1024, NULL, &status);
    const cl_buffer_region region = {128, 256};
    sub = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &status);
    released = clCreateBuffer(context, 0, 64, NULL, &status);
    SUCCEEDS(clReleaseMemObject(released));
    image = make_image(context, 0, &FORMAT);
    other_image = make_image(other_context, 0, &FORMAT);
    read_image = make_image(context, CL_MEM_READ_ONLY | CL_MEM_HOST_READ_ONLY, &FORMAT);
    write_image = make_image(context, CL_MEM_WRITE_ONLY | CL_MEM_HOST_WRITE_ONLY, &FORMAT);
    hidden_image = make_image(context, CL_MEM_HOST_NO_ACCESS, &FORMAT);
    float_image = make_image(context, 0, &floats);
    sampler = clCreateSampler(context, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &status);
    other_sampler = clCreateSampler(other_context, CL_TRUE, CL_ADDRESS_REPEAT, CL_FILTER_LINEAR, &status);
}

static void set_up(void) {
    cl_int status;
    const char *source = SOURCE;
    SUCCEEDS(clGetPlatformIDs(1, &platform, NULL));
    SUCCEEDS(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    other_context = clCreateContextFromType(NULL, CL_DEVICE_TYPE_DEFAULT, NULL, NULL, &status);
    queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &status);
    plain_queue = clCreateCommandQueue(context, device, 0, &status);
    other_queue = clCreateCommandQueue(other_context, device, 0, &status);
    set_up_memory();
    program = clCreateProgramWithSource(context, 1, &source, NULL, &status);
    unbuilt = clCreateProgramWithSource(context, 1, &source, NULL, &status);
    object = clCreateProgramWithSource(context, 1, &source, NULL, &status);
    SUCCEEDS(clBuildProgram(program, 0, NULL, "", NULL, NULL));
    SUCCEEDS(clCompileProgram(object, 0, NULL, "", 0, NULL, NULL, NULL, NULL));
    scale = clCreateKernel(program, "scale", &status);
    required = clCreateKernel(program, "required", &status);
    draw = clCreateKernel(program, "draw", &status);
    SUCCEEDS(status);
    event = clCreateUserEvent(context, &status);
    other_event = clCreateUserEvent(other_context, &status);
    SUCCEEDS(status);
    SUCCEEDS(clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof size_max, &size_max, NULL));
}

static int verdict(const char *name) {
    printf("%s: %s (%u of %u calls answered wrongly)\n", name, wrong == 0 ? "PASS" : "FAIL", wrong, rows);
    return wrong != 0;
}

#endif

/* api_errors: what each entry point answers to each mistake: a table of calls, in groups, with the code that
 * the standard asks for. Prints every call that answers something else. For this driver: its limits and
 * refusals are expected too (no images, no linker), so that it does not pass elsewhere. */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#include <CL/cl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char SOURCE[] =
    "__kernel void scale(__global int *a, __constant int *b, __local float4 *scratch, int n, float4 v) {\n"
    "  a[get_global_id(0)] = b[0] + n + (int)v.x; }\n"
    "__kernel __attribute__((reqd_work_group_size(8, 2, 1))) void required(__global int *a) {\n"
    "  a[get_global_id(0)] = 1; }\n";

static unsigned calls, wrong;
static cl_platform_id platform;
static cl_device_id device;
static cl_context context, other_context;
static cl_command_queue queue, plain_queue;
static cl_mem buffer, other_buffer, read_only, hidden, sub;
static cl_program program, unbuilt;
static cl_kernel scale, required;
static cl_event event, other_event;
static size_t size_max;

static void check(int line, const char *call, cl_int found, cl_int expected) {
    calls++;
    if (found == expected) return;
    wrong++;
    printf("api_errors.c:%d: %d instead of %d from %s\n", line, found, expected, call);
}

/* A call that returns its status, and one that stores it in `status` and must return nothing on an error. */
#define STATUS(expected, call) check(__LINE__, #call, call, expected)
#define OBJECT(expected, call)                                                                               \
    do {                                                                                                     \
        cl_int status = 1;                                                                                   \
        const void *made = call;                                                                             \
        check(__LINE__, #call, status, expected);                                                            \
        if (made != NULL && (expected) != CL_SUCCESS) check(__LINE__, #call " made something", 1, 0);        \
    } while (0)
#define NO 0, NULL, NULL /* no wait list, no event */

static void set_up(void) {
    cl_int status;
    cl_int values[256] = {0};
    const char *source = SOURCE;
    STATUS(CL_SUCCESS, clGetPlatformIDs(1, &platform, NULL));
    STATUS(CL_SUCCESS, clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    other_context = clCreateContextFromType(NULL, CL_DEVICE_TYPE_DEFAULT, NULL, NULL, &status);
    queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &status);
    plain_queue = clCreateCommandQueue(context, device, 0, &status);
    buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof values, values, &status);
    other_buffer = clCreateBuffer(other_context, 0, 64, NULL, &status);
    read_only = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_HOST_READ_ONLY, 1024, NULL, &status);
    hidden = clCreateBuffer(context, CL_MEM_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS, 1024, NULL, &status);
    const cl_buffer_region region = {128, 256};
    sub = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &status);
    program = clCreateProgramWithSource(context, 1, &source, NULL, &status);
    unbuilt = clCreateProgramWithSource(context, 1, &source, NULL, &status);
    STATUS(CL_SUCCESS, clBuildProgram(program, 0, NULL, "", NULL, NULL));
    scale = clCreateKernel(program, "scale", &status);
    required = clCreateKernel(program, "required", &status);
    event = clCreateUserEvent(context, &status);
    other_event = clCreateUserEvent(other_context, &status);
    STATUS(CL_SUCCESS,
           clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof size_max, &size_max, NULL));
}

static void check_platforms_and_devices(void) {
    cl_uint count;
    char text[256];
    cl_device_id found;
    STATUS(CL_INVALID_VALUE, clGetPlatformIDs(0, NULL, NULL));
    STATUS(CL_INVALID_VALUE, clGetPlatformInfo(platform, CL_DEVICE_NAME, sizeof text, text, NULL));
    STATUS(CL_INVALID_VALUE, clGetPlatformInfo(platform, CL_PLATFORM_NAME, 1, text, NULL));
    STATUS(CL_INVALID_DEVICE_TYPE, clGetDeviceIDs(platform, 0, 1, &found, NULL));
    STATUS(CL_INVALID_DEVICE_TYPE, clGetDeviceIDs(platform, 1 << 20, 1, &found, NULL));
    STATUS(CL_INVALID_VALUE, clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 0, &found, NULL));
    STATUS(CL_INVALID_VALUE, clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 0, NULL, NULL));
    STATUS(CL_DEVICE_NOT_FOUND, clGetDeviceIDs(platform, CL_DEVICE_TYPE_CUSTOM, 1, &found, &count));
    static const cl_device_type types[] = {CL_DEVICE_TYPE_CPU, CL_DEVICE_TYPE_GPU, CL_DEVICE_TYPE_ACCELERATOR,
                                           CL_DEVICE_TYPE_DEFAULT, CL_DEVICE_TYPE_ALL};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        STATUS(CL_SUCCESS, clGetDeviceIDs(platform, types[i], 1, &found, &count));
        check(__LINE__, "number of devices", (cl_int)count, 1);
    }
    STATUS(CL_INVALID_VALUE, clGetDeviceInfo(device, CL_PLATFORM_NAME, sizeof text, text, NULL));
    STATUS(CL_INVALID_VALUE, clGetDeviceInfo(device, CL_DEVICE_NAME, 3, text, NULL));
    STATUS(CL_INVALID_DEVICE,
           clGetDeviceInfo((cl_device_id)platform, CL_DEVICE_NAME, sizeof text, text, NULL));
    STATUS(CL_INVALID_VALUE, clCreateSubDevices(device, NULL, 0, NULL, NULL));
}

static void check_contexts_and_queues(void) {
    const cl_context_properties bad_platform[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)device, 0};
    const cl_context_properties unknown[] = {0x7777, 1, 0};
    cl_uint count;
    OBJECT(CL_INVALID_VALUE, clCreateContext(NULL, 0, NULL, NULL, NULL, &status));
    OBJECT(CL_INVALID_VALUE, clCreateContext(NULL, 1, &device, NULL, &count, &status));
    OBJECT(CL_INVALID_PLATFORM, clCreateContext(bad_platform, 1, &device, NULL, NULL, &status));
    OBJECT(CL_INVALID_PROPERTY, clCreateContext(unknown, 1, &device, NULL, NULL, &status));
    OBJECT(CL_DEVICE_NOT_FOUND, clCreateContextFromType(NULL, CL_DEVICE_TYPE_CUSTOM, NULL, NULL, &status));
    STATUS(CL_INVALID_VALUE, clGetContextInfo(context, CL_DEVICE_NAME, sizeof count, &count, NULL));
    STATUS(CL_INVALID_CONTEXT, clRetainContext((cl_context)queue));
    STATUS(CL_INVALID_COMMAND_QUEUE, clReleaseCommandQueue((cl_command_queue)context));
    OBJECT(CL_INVALID_CONTEXT, clCreateCommandQueue((cl_context)queue, device, 0, &status));
    OBJECT(CL_INVALID_DEVICE, clCreateCommandQueue(context, (cl_device_id)platform, 0, &status));
    OBJECT(CL_INVALID_VALUE, clCreateCommandQueue(context, device, 1 << 10, &status));
    STATUS(CL_INVALID_COMMAND_QUEUE, clFinish((cl_command_queue)context));
    STATUS(CL_INVALID_COMMAND_QUEUE, clFlush((cl_command_queue)context));
}

static void check_buffers(void) {
    cl_int word;
    const cl_buffer_region crooked = {64, 64}, outside = {896, 256}, empty = {128, 0}, whole = {0, 1024};
    const cl_buffer_create_type type = CL_BUFFER_CREATE_TYPE_REGION;
    OBJECT(CL_INVALID_BUFFER_SIZE, clCreateBuffer(context, 0, 0, NULL, &status));
    OBJECT(CL_INVALID_BUFFER_SIZE, clCreateBuffer(context, 0, (size_t)1 << 40, NULL, &status));
    OBJECT(CL_INVALID_VALUE, clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 4, NULL, &status));
    OBJECT(CL_INVALID_VALUE,
           clCreateBuffer(context, CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR, 4, &word, &status));
    OBJECT(CL_INVALID_VALUE, clCreateBuffer(context, (cl_mem_flags)1 << 30, 4, NULL, &status));
    OBJECT(CL_INVALID_HOST_PTR, clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 4, NULL, &status));
    OBJECT(CL_INVALID_HOST_PTR, clCreateBuffer(context, CL_MEM_READ_WRITE, 4, &word, &status));
    OBJECT(CL_INVALID_CONTEXT, clCreateBuffer((cl_context)queue, 0, 4, NULL, &status));
    OBJECT(CL_MISALIGNED_SUB_BUFFER_OFFSET, clCreateSubBuffer(buffer, 0, type, &crooked, &status));
    OBJECT(CL_INVALID_VALUE, clCreateSubBuffer(buffer, 0, type, &outside, &status));
    OBJECT(CL_INVALID_BUFFER_SIZE, clCreateSubBuffer(buffer, 0, type, &empty, &status));
    OBJECT(CL_INVALID_VALUE, clCreateSubBuffer(buffer, 0, 7, &whole, &status));
    OBJECT(CL_INVALID_VALUE, clCreateSubBuffer(buffer, 0, type, NULL, &status));
    OBJECT(CL_INVALID_VALUE, clCreateSubBuffer(read_only, CL_MEM_READ_WRITE, type, &whole, &status));
    OBJECT(CL_INVALID_VALUE, clCreateSubBuffer(buffer, CL_MEM_ALLOC_HOST_PTR, type, &whole, &status));
    OBJECT(CL_INVALID_MEM_OBJECT, clCreateSubBuffer(sub, 0, type, &whole, &status));
    STATUS(CL_INVALID_MEM_OBJECT, clReleaseMemObject((cl_mem)context));
    STATUS(CL_INVALID_VALUE, clGetMemObjectInfo(buffer, CL_DEVICE_NAME, 4, &word, NULL));
    STATUS(CL_INVALID_VALUE, clSetMemObjectDestructorCallback(buffer, NULL, NULL));
}

static void check_transfers(void) {
    static cl_int host[256];
    cl_int pattern[3] = {0};
    const cl_mem b = buffer;
    STATUS(CL_INVALID_COMMAND_QUEUE,
           clEnqueueReadBuffer((cl_command_queue)context, b, CL_TRUE, 0, 4, host, NO));
    STATUS(CL_INVALID_MEM_OBJECT, clEnqueueReadBuffer(queue, (cl_mem)context, CL_TRUE, 0, 4, host, NO));
    STATUS(CL_INVALID_CONTEXT, clEnqueueReadBuffer(queue, other_buffer, CL_TRUE, 0, 4, host, NO));
    STATUS(CL_INVALID_VALUE, clEnqueueReadBuffer(queue, b, CL_TRUE, 1021, 4, host, NO));
    STATUS(CL_INVALID_VALUE, clEnqueueReadBuffer(queue, b, CL_TRUE, 0, 4, NULL, NO));
    STATUS(CL_INVALID_VALUE, clEnqueueWriteBuffer(queue, b, CL_TRUE, (size_t)-4, 8, host, NO));
    STATUS(CL_INVALID_VALUE, clEnqueueReadBuffer(queue, sub, CL_TRUE, 0, 257, host, NO));
    STATUS(CL_SUCCESS, clEnqueueReadBuffer(queue, sub, CL_TRUE, 0, 256, host, NO));
    STATUS(CL_INVALID_OPERATION, clEnqueueWriteBuffer(queue, read_only, CL_TRUE, 0, 4, host, NO));
    STATUS(CL_INVALID_OPERATION, clEnqueueReadBuffer(queue, hidden, CL_TRUE, 0, 4, host, NO));
    STATUS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueReadBuffer(queue, b, CL_TRUE, 0, 4, host, 1, NULL, NULL));
    STATUS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueReadBuffer(queue, b, CL_TRUE, 0, 4, host, 0, &event, NULL));
    STATUS(CL_INVALID_CONTEXT, clEnqueueReadBuffer(queue, b, CL_TRUE, 0, 4, host, 1, &other_event, NULL));
    STATUS(CL_MEM_COPY_OVERLAP, clEnqueueCopyBuffer(queue, b, b, 0, 3, 4, NO));
    STATUS(CL_SUCCESS, clEnqueueCopyBuffer(queue, b, b, 0, 4, 4, NO));
    STATUS(CL_MEM_COPY_OVERLAP, clEnqueueCopyBuffer(queue, b, sub, 128, 0, 4, NO));
    STATUS(CL_INVALID_VALUE, clEnqueueCopyBuffer(queue, b, sub, 0, 253, 4, NO));
    STATUS(CL_INVALID_VALUE, clEnqueueFillBuffer(queue, b, pattern, 12, 0, 24, NO));
    STATUS(CL_INVALID_VALUE, clEnqueueFillBuffer(queue, b, pattern, 4, 2, 4, NO));
    STATUS(CL_INVALID_VALUE, clEnqueueFillBuffer(queue, b, NULL, 4, 0, 4, NO));
    STATUS(CL_INVALID_VALUE, clEnqueueFillBuffer(queue, b, pattern, 4, 1020, 8, NO));
    STATUS(CL_INVALID_VALUE, clEnqueueMigrateMemObjects(queue, 0, NULL, 0, NO));
}

static void check_rectangles(void) {
    static cl_char host[1024];
    const size_t zero[3] = {0}, one[3] = {16, 4, 1}, none[3] = {16, 0, 1}, late[3] = {0, 13, 0},
                 next[3] = {15, 0, 0};
    STATUS(CL_SUCCESS,
           clEnqueueReadBufferRect(queue, buffer, CL_TRUE, zero, zero, one, 64, 0, 0, 0, host, NO));
    STATUS(CL_INVALID_VALUE,
           clEnqueueReadBufferRect(queue, buffer, CL_TRUE, zero, zero, none, 0, 0, 0, 0, host, NO));
    STATUS(CL_INVALID_VALUE,
           clEnqueueReadBufferRect(queue, buffer, CL_TRUE, zero, zero, one, 15, 0, 0, 0, host, NO));
    STATUS(CL_INVALID_VALUE,
           clEnqueueReadBufferRect(queue, buffer, CL_TRUE, late, zero, one, 64, 0, 0, 0, host, NO));
    STATUS(CL_INVALID_VALUE,
           clEnqueueReadBufferRect(queue, buffer, CL_TRUE, zero, zero, one, 64, 65, 0, 0, host, NO));
    STATUS(CL_INVALID_VALUE,
           clEnqueueWriteBufferRect(queue, buffer, CL_TRUE, zero, zero, one, 0, 0, 0, 0, NULL, NO));
    STATUS(CL_INVALID_VALUE,
           clEnqueueWriteBufferRect(queue, buffer, CL_TRUE, zero, zero, one, (size_t)-1, 0, 0, 0, host, NO));
    STATUS(CL_MEM_COPY_OVERLAP,
           clEnqueueCopyBufferRect(queue, buffer, buffer, zero, next, one, 64, 0, 64, 0, NO));
    STATUS(CL_INVALID_VALUE,
           clEnqueueCopyBufferRect(queue, buffer, buffer, zero, next, one, 64, 0, 32, 0, NO));
    const size_t beside[3] = {16, 0, 0};
    STATUS(CL_SUCCESS, clEnqueueCopyBufferRect(queue, buffer, buffer, zero, beside, one, 64, 0, 64, 0, NO));
}

static void check_maps(void) {
    cl_int answer, elsewhere;
    cl_uint count = 9;
    const cl_map_flags both = CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION;
    OBJECT(CL_INVALID_VALUE, clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, 1000, 25, NO, &status));
    OBJECT(CL_INVALID_VALUE, clEnqueueMapBuffer(queue, buffer, CL_TRUE, both, 0, 4, NO, &status));
    OBJECT(CL_INVALID_OPERATION,
           clEnqueueMapBuffer(queue, read_only, CL_TRUE, CL_MAP_WRITE, 0, 4, NO, &status));
    OBJECT(CL_INVALID_OPERATION, clEnqueueMapBuffer(queue, hidden, CL_TRUE, CL_MAP_READ, 0, 4, NO, &status));
    void *mapped = clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, 8, 4, NO, &answer);
    STATUS(CL_SUCCESS, answer);
    STATUS(CL_SUCCESS, clGetMemObjectInfo(buffer, CL_MEM_MAP_COUNT, sizeof count, &count, NULL));
    check(__LINE__, "map count", (cl_int)count, 1);
    STATUS(CL_INVALID_VALUE, clEnqueueUnmapMemObject(queue, buffer, &elsewhere, NO));
    STATUS(CL_SUCCESS, clEnqueueUnmapMemObject(queue, buffer, mapped, NO));
    STATUS(CL_INVALID_VALUE, clEnqueueUnmapMemObject(queue, buffer, mapped, NO));
}

static void check_programs(void) {
    const char *source = SOURCE, *missing[] = {NULL};
    const unsigned char noise[] = "\177ELF and no more", *binary = noise;
    size_t length = sizeof noise;
    cl_int binary_status = 1, word;
    char text[64];
    OBJECT(CL_INVALID_VALUE, clCreateProgramWithSource(context, 0, &source, NULL, &status));
    OBJECT(CL_INVALID_VALUE, clCreateProgramWithSource(context, 1, missing, NULL, &status));
    OBJECT(CL_INVALID_CONTEXT, clCreateProgramWithSource((cl_context)queue, 1, &source, NULL, &status));
    OBJECT(CL_INVALID_BINARY,
           clCreateProgramWithBinary(context, 1, &device, &length, &binary, &binary_status, &status));
    check(__LINE__, "binary status", binary_status, CL_INVALID_BINARY);
    OBJECT(CL_INVALID_VALUE, clCreateProgramWithBinary(context, 1, &device, &length, NULL, NULL, &status));
    OBJECT(CL_INVALID_VALUE, clCreateProgramWithBuiltInKernels(context, 1, &device, "k", &status));
    STATUS(CL_INVALID_OPERATION, clBuildProgram(program, 0, NULL, "", NULL, NULL)); /* it has kernels */
    STATUS(CL_INVALID_VALUE, clBuildProgram(unbuilt, 1, NULL, "", NULL, NULL));
    STATUS(CL_INVALID_VALUE, clBuildProgram(unbuilt, 0, NULL, "", NULL, &word));
    STATUS(CL_INVALID_PROGRAM, clBuildProgram((cl_program)context, 0, NULL, "", NULL, NULL));
    STATUS(CL_INVALID_PROGRAM_EXECUTABLE,
           clGetProgramInfo(unbuilt, CL_PROGRAM_NUM_KERNELS, sizeof text, text, NULL));
    STATUS(CL_INVALID_DEVICE, clGetProgramBuildInfo(program, NULL, CL_PROGRAM_BUILD_LOG, 0, NULL, NULL));
    OBJECT(CL_INVALID_OPERATION, clLinkProgram(context, 0, NULL, "", 1, &program, NULL, NULL, &status));
}

static void check_kernels(void) {
    cl_uint count;
    cl_mem none = NULL;
    cl_kernel few[1];
    const cl_int word = 1;
    OBJECT(CL_INVALID_KERNEL_NAME, clCreateKernel(program, "scal", &status));
    OBJECT(CL_INVALID_VALUE, clCreateKernel(program, NULL, &status));
    OBJECT(CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernel(unbuilt, "scale", &status));
    OBJECT(CL_INVALID_PROGRAM, clCreateKernel((cl_program)context, "scale", &status));
    STATUS(CL_INVALID_VALUE, clCreateKernelsInProgram(program, 1, few, &count));
    STATUS(CL_INVALID_KERNEL_ARGS, clEnqueueNDRangeKernel(queue, required, 1, NULL, &size_max, NULL, NO));
    STATUS(CL_INVALID_ARG_INDEX, clSetKernelArg(scale, 5, 4, &word));
    STATUS(CL_INVALID_ARG_SIZE, clSetKernelArg(scale, 0, 4, &buffer));
    STATUS(CL_INVALID_MEM_OBJECT, clSetKernelArg(scale, 0, sizeof(cl_mem), &context));
    STATUS(CL_INVALID_MEM_OBJECT, clSetKernelArg(scale, 0, sizeof(cl_mem), &other_buffer));
    STATUS(CL_SUCCESS, clSetKernelArg(scale, 0, sizeof(cl_mem), &none));
    STATUS(CL_SUCCESS, clSetKernelArg(scale, 0, sizeof(cl_mem), NULL));
    STATUS(CL_INVALID_ARG_VALUE, clSetKernelArg(scale, 2, 64, &word));
    STATUS(CL_INVALID_ARG_SIZE, clSetKernelArg(scale, 2, 0, NULL));
    STATUS(CL_INVALID_ARG_VALUE, clSetKernelArg(scale, 3, 4, NULL));
    STATUS(CL_INVALID_ARG_SIZE, clSetKernelArg(scale, 3, 8, &word));
    STATUS(CL_INVALID_KERNEL, clSetKernelArg((cl_kernel)program, 0, 4, &word));
    STATUS(CL_INVALID_ARG_INDEX, clGetKernelArgInfo(scale, 5, CL_KERNEL_ARG_NAME, 0, NULL, NULL));
    STATUS(CL_INVALID_VALUE, clGetKernelInfo(scale, CL_DEVICE_NAME, 0, NULL, NULL));
    STATUS(CL_INVALID_VALUE,
           clGetKernelWorkGroupInfo(scale, device, CL_KERNEL_GLOBAL_WORK_SIZE, sizeof count, &count, NULL));
}

static cl_int run(cl_kernel k, cl_uint dimensions, const size_t *global, const size_t *local) {
    return clEnqueueNDRangeKernel(queue, k, dimensions, NULL, global, local, NO);
}

static void check_launches(void) {
    const float vector[4] = {0};
    const cl_int n = 1;
    const size_t zero[3] = {64, 0, 1}, good[3] = {64, 1, 1}, third[1] = {3}, two[2] = {16, 2},
                 shape[2] = {8, 2};
    const size_t swapped[2] = {2, 8}, wide[2] = {2 * size_max, 1}, all[2] = {size_max, 2},
                 far[1] = {0xffffffff};
    STATUS(CL_SUCCESS, clSetKernelArg(scale, 0, sizeof(cl_mem), &buffer));
    STATUS(CL_SUCCESS, clSetKernelArg(scale, 1, sizeof(cl_mem), &buffer));
    STATUS(CL_SUCCESS, clSetKernelArg(scale, 2, 256, NULL));
    STATUS(CL_SUCCESS, clSetKernelArg(scale, 3, sizeof n, &n));
    STATUS(CL_SUCCESS, clSetKernelArg(scale, 4, sizeof vector, vector));
    STATUS(CL_SUCCESS, clSetKernelArg(required, 0, sizeof(cl_mem), &buffer));
    STATUS(CL_SUCCESS, run(scale, 1, good, NULL));
    STATUS(CL_INVALID_WORK_DIMENSION, run(scale, 0, good, NULL));
    STATUS(CL_INVALID_WORK_DIMENSION, run(scale, 4, good, NULL));
    STATUS(CL_INVALID_GLOBAL_WORK_SIZE, run(scale, 1, NULL, NULL));
    STATUS(CL_INVALID_GLOBAL_WORK_SIZE, run(scale, 2, zero, NULL));
    STATUS(CL_INVALID_WORK_GROUP_SIZE, run(scale, 1, good, third));
    STATUS(CL_INVALID_WORK_GROUP_SIZE, run(scale, 2, good, zero));
    STATUS(CL_INVALID_WORK_ITEM_SIZE, run(scale, 1, wide, wide));
    STATUS(CL_INVALID_WORK_GROUP_SIZE, run(scale, 2, all, all));
    STATUS(CL_INVALID_WORK_GROUP_SIZE, run(required, 2, two, NULL));
    STATUS(CL_INVALID_WORK_GROUP_SIZE, run(required, 2, two, two));
    STATUS(CL_INVALID_WORK_GROUP_SIZE, run(required, 2, two, swapped));
    STATUS(CL_SUCCESS, run(required, 2, two, shape));
    STATUS(CL_INVALID_GLOBAL_OFFSET, clEnqueueNDRangeKernel(queue, scale, 1, far, good, NULL, NO));
    STATUS(CL_INVALID_KERNEL, run((cl_kernel)program, 1, good, NULL));
    STATUS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueTask(queue, scale, 1, NULL, NULL));
    STATUS(CL_SUCCESS, clSetKernelArg(scale, 2, 1 << 20, NULL));
    STATUS(CL_OUT_OF_RESOURCES, run(scale, 1, good, NULL));
    STATUS(CL_INVALID_VALUE, clEnqueueNativeKernel(queue, NULL, NULL, 0, 0, NULL, NULL, NO));
}

static void check_events(void) {
    cl_event done;
    cl_ulong time;
    STATUS(CL_INVALID_VALUE, clWaitForEvents(0, NULL));
    const cl_event not_an_event = (cl_event)context, two[2] = {event, other_event};
    STATUS(CL_INVALID_EVENT, clWaitForEvents(1, &not_an_event));
    STATUS(CL_INVALID_CONTEXT, clWaitForEvents(2, two));
    OBJECT(CL_INVALID_CONTEXT, clCreateUserEvent((cl_context)queue, &status));
    STATUS(CL_SUCCESS, clEnqueueMarkerWithWaitList(plain_queue, 0, NULL, &done));
    STATUS(CL_INVALID_EVENT, clSetUserEventStatus(done, CL_COMPLETE));
    STATUS(CL_PROFILING_INFO_NOT_AVAILABLE,
           clGetEventProfilingInfo(done, CL_PROFILING_COMMAND_END, sizeof time, &time, NULL));
    STATUS(CL_PROFILING_INFO_NOT_AVAILABLE,
           clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof time, &time, NULL));
    STATUS(CL_INVALID_VALUE, clSetEventCallback(done, 7, NULL, NULL));
    STATUS(CL_INVALID_VALUE, clGetEventInfo(done, CL_DEVICE_NAME, 0, NULL, NULL));
    STATUS(CL_INVALID_VALUE, clEnqueueMarker(queue, NULL));
    STATUS(CL_INVALID_EVENT, clEnqueueWaitForEvents(queue, 1, &not_an_event));
    STATUS(CL_INVALID_VALUE, clSetUserEventStatus(event, CL_RUNNING));
    STATUS(CL_SUCCESS, clSetUserEventStatus(event, CL_COMPLETE));
    STATUS(CL_INVALID_OPERATION, clSetUserEventStatus(event, CL_COMPLETE));
    STATUS(CL_SUCCESS, clReleaseEvent(done));
    STATUS(CL_INVALID_EVENT, clReleaseEvent((cl_event)context));
}

static void check_images(void) {
    const cl_image_format format = {CL_RGBA, CL_FLOAT}, none = {CL_RGBA, CL_UNORM_SHORT_565};
    const cl_image_desc empty = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4};
    OBJECT(CL_INVALID_IMAGE_SIZE, clCreateImage(context, 0, &format, &empty, NULL, &status));
    OBJECT(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, clCreateImage2D(context, 0, &none, 4, 4, 0, NULL, &status));
    OBJECT(CL_INVALID_VALUE,
           clCreateSampler(context, CL_FALSE, CL_ADDRESS_REPEAT, CL_FILTER_NEAREST, &status));
}

int main(void) {
    set_up();
    if (wrong == 0) {
        check_platforms_and_devices();
        check_contexts_and_queues();
        check_buffers();
        check_transfers();
        check_rectangles();
        check_maps();
        check_programs();
        check_kernels();
        check_launches();
        check_events();
        check_images();
    }
    printf("api_errors: %s (%u of %u calls answered wrongly)\n", wrong == 0 ? "PASS" : "FAIL", wrong, calls);
    return wrong != 0;
}

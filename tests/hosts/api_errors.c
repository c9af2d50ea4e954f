/* api_errors: what the entry points that make, ask and release objects answer to each mistake; those that
 * enqueue commands are in api_errors_commands. For this driver: limits and refusals are expected as they are
 * here. */
#include "tests/hosts/api_errors.h"

static char text[4096];
static size_t length;

/* What every query checks: CALL(name, room, where to, size). `good` is a fact that takes more than a byte. */
#define QUERY(CALL, good)                                                                                    \
    ROW("no such fact", CL_INVALID_VALUE, CALL(0x7fff, sizeof text, text, &length));                         \
    ROW("no room", CL_INVALID_VALUE, CALL(good, 1, text, &length));                                          \
    SUCCEEDS(CALL(good, 0, NULL, &length));                                                                  \
    SUCCEEDS(CALL(good, length, text, NULL))

static void CL_CALLBACK told_of_error(const char *why, const void *data, size_t size, void *user_data) {
    (void)why, (void)data, (void)size, (void)user_data;
}
static void CL_CALLBACK told_of_program(cl_program p, void *user_data) {
    (void)p, (void)user_data;
}
static void CL_CALLBACK told_of_end(cl_mem m, void *user_data) {
    (void)m, (void)user_data;
}

/* --- platform, device, context, queue
 * ----------------------------------------------------------------------- */

#define PLATFORM(...) clGetPlatformInfo(platform, __VA_ARGS__)
#define DEVICE(...)   clGetDeviceInfo(device, __VA_ARGS__)
#define CONTEXT(...)  clGetContextInfo(context, __VA_ARGS__)
#define QUEUE(...)    clGetCommandQueueInfo(queue, __VA_ARGS__)

static void check_platform_and_device(void) {
    cl_uint count;
    cl_device_id found;
    static const cl_device_type types[] = {CL_DEVICE_TYPE_CPU,     CL_DEVICE_TYPE_GPU,
                                           CL_DEVICE_TYPE_DEFAULT, CL_DEVICE_TYPE_ACCELERATOR,
                                           CL_DEVICE_TYPE_ALL,     CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU};
    ROW("nothing asked", CL_INVALID_VALUE, clGetPlatformIDs(0, NULL, NULL));
    ROW("no room", CL_INVALID_VALUE, clGetPlatformIDs(0, &platform, NULL));
    QUERY(PLATFORM, CL_PLATFORM_NAME);
    ROW("a device's fact", CL_INVALID_VALUE, PLATFORM(CL_DEVICE_NAME, sizeof text, text, NULL));
    ROW("not a platform", CL_INVALID_PLATFORM,
        clGetPlatformInfo((cl_platform_id)device, CL_PLATFORM_NAME, sizeof text, text, NULL));
    ROW("no type", CL_INVALID_DEVICE_TYPE, clGetDeviceIDs(platform, 0, 1, &found, NULL));
    ROW("unknown type", CL_INVALID_DEVICE_TYPE, clGetDeviceIDs(platform, 1 << 20, 1, &found, NULL));
    ROW("no room", CL_INVALID_VALUE, clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 0, &found, NULL));
    ROW("nothing asked", CL_INVALID_VALUE, clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 0, NULL, NULL));
    ROW("not a platform", CL_INVALID_PLATFORM,
        clGetDeviceIDs((cl_platform_id)device, CL_DEVICE_TYPE_GPU, 1, &found, NULL));
    ROW("no custom device", CL_DEVICE_NOT_FOUND,
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_CUSTOM, 1, &found, &count));
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        SUCCEEDS(clGetDeviceIDs(platform, types[i], 1, &found, &count));
        ROW("none: one device", 1, (cl_int)count);
    }
    QUERY(DEVICE, CL_DEVICE_NAME);
    ROW("no room for all sizes", CL_INVALID_VALUE, DEVICE(CL_DEVICE_MAX_WORK_ITEM_SIZES, 8, text, NULL));
    ROW("not a device", CL_INVALID_DEVICE,
        clGetDeviceInfo((cl_device_id)platform, CL_DEVICE_NAME, sizeof text, text, NULL));
    ROW("no device", CL_INVALID_DEVICE, clGetDeviceInfo(NULL, CL_DEVICE_NAME, sizeof text, text, NULL));
    ROW("not a device", CL_INVALID_DEVICE, clRetainDevice((cl_device_id)platform));
    ROW("not a device", CL_INVALID_DEVICE, clReleaseDevice((cl_device_id)platform));
    SUCCEEDS(clRetainDevice(device));
    SUCCEEDS(clReleaseDevice(device));
    const cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    ROW("not divisible", CL_INVALID_VALUE, clCreateSubDevices(device, equally, 1, &found, &count));
    ROW("not a device", CL_INVALID_DEVICE,
        clCreateSubDevices((cl_device_id)platform, equally, 1, &found, &count));
    ROW("not a platform", CL_INVALID_PLATFORM, clUnloadPlatformCompiler((cl_platform_id)device));
    SUCCEEDS(clUnloadPlatformCompiler(platform));
    SUCCEEDS(clUnloadCompiler());
    ROW("no such extension", 1, clGetExtensionFunctionAddressForPlatform(platform, "clNothing") == NULL);
    ROW("no name", 1, clGetExtensionFunctionAddressForPlatform(platform, NULL) == NULL);
}

static void check_contexts(void) {
    const cl_context_properties bad[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)device, 0},
                                unknown[] = {0x7777, 1, 0},
                                good[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)platform, 0},
                                twice[] = {CL_CONTEXT_INTEROP_USER_SYNC, 1, CL_CONTEXT_INTEROP_USER_SYNC, 1,
                                           0};
    const cl_device_id second[2] = {device, STRAY(cl_device_id)}; /* the loader looks at the first */
    cl_uint count;
    MAKE("no device", CL_INVALID_VALUE, clCreateContext(NULL, 0, NULL, NULL, NULL, &status));
    MAKE("no list", CL_INVALID_VALUE, clCreateContext(NULL, 1, NULL, NULL, NULL, &status));
    MAKE("a stray handle", CL_INVALID_DEVICE, clCreateContext(NULL, 2, second, NULL, NULL, &status));
    MAKE("data for no function", CL_INVALID_VALUE, clCreateContext(NULL, 1, &device, NULL, &count, &status));
    MAKE("not a platform", CL_INVALID_PLATFORM, clCreateContext(bad, 1, &device, NULL, NULL, &status));
    MAKE("unknown property", CL_INVALID_PROPERTY, clCreateContext(unknown, 1, &device, NULL, NULL, &status));
    MAKE("a property twice", CL_INVALID_PROPERTY, clCreateContext(twice, 1, &device, NULL, NULL, &status));
    MAKE("no custom device", CL_DEVICE_NOT_FOUND,
         clCreateContextFromType(good, CL_DEVICE_TYPE_CUSTOM, NULL, NULL, &status));
    MAKE("no type", CL_INVALID_DEVICE_TYPE, clCreateContextFromType(good, 0, NULL, NULL, &status));
    MAKE("data for no function", CL_INVALID_VALUE,
         clCreateContextFromType(good, CL_DEVICE_TYPE_GPU, NULL, &count, &status));
    MAKE("unknown property", CL_INVALID_PROPERTY,
         clCreateContextFromType((const cl_context_properties[]){CL_CONTEXT_PLATFORM,
                                                                 (cl_context_properties)platform, 0x7777, 1,
                                                                 0},
                                 CL_DEVICE_TYPE_GPU, NULL, NULL, &status));
    cl_int status;
    cl_context made = clCreateContext(good, 1, &device, told_of_error, &count, &status);
    SUCCEEDS(status);
    SUCCEEDS(clRetainContext(made));
    SUCCEEDS(clReleaseContext(made));
    SUCCEEDS(clReleaseContext(made));
    ROW("released", CL_INVALID_CONTEXT, clReleaseContext(made));
    QUERY(CONTEXT, CL_CONTEXT_DEVICES);
    ROW("not a context", CL_INVALID_CONTEXT,
        clGetContextInfo((cl_context)queue, CL_CONTEXT_DEVICES, sizeof text, text, NULL));
    ROW("not a context", CL_INVALID_CONTEXT, clRetainContext((cl_context)queue));
    ROW("not a context", CL_INVALID_CONTEXT, clReleaseContext((cl_context)queue));
    ROW("no context", CL_INVALID_CONTEXT, clReleaseContext(NULL));
}

static void check_queues(void) {
    cl_command_queue_properties before;
    MAKE("not a context", CL_INVALID_CONTEXT, clCreateCommandQueue((cl_context)queue, device, 0, &status));
    MAKE("no device", CL_INVALID_DEVICE, clCreateCommandQueue(context, NULL, 0, &status));
    MAKE("not a device", CL_INVALID_DEVICE,
         clCreateCommandQueue(context, (cl_device_id)platform, 0, &status));
    MAKE("a stray handle", CL_INVALID_DEVICE, clCreateCommandQueue(context, STRAY(cl_device_id), 0, &status));
    MAKE("unknown property", CL_INVALID_VALUE, clCreateCommandQueue(context, device, 1 << 10, &status));
    MAKE("a property of OpenCL 2.0", CL_INVALID_QUEUE_PROPERTIES,
         clCreateCommandQueue(context, device, 1 << 2, &status));
    QUERY(QUEUE, CL_QUEUE_CONTEXT);
    ROW("not a queue", CL_INVALID_COMMAND_QUEUE,
        clGetCommandQueueInfo((cl_command_queue)context, CL_QUEUE_CONTEXT, sizeof text, text, NULL));
    ROW("not a queue", CL_INVALID_COMMAND_QUEUE, clRetainCommandQueue((cl_command_queue)context));
    ROW("not a queue", CL_INVALID_COMMAND_QUEUE, clReleaseCommandQueue((cl_command_queue)context));
    ROW("unknown property", CL_INVALID_VALUE, clSetCommandQueueProperty(queue, 1 << 10, CL_TRUE, &before));
    ROW("not a queue", CL_INVALID_COMMAND_QUEUE,
        clSetCommandQueueProperty((cl_command_queue)context, 0, CL_TRUE, NULL));
    SUCCEEDS(clSetCommandQueueProperty(queue, CL_QUEUE_PROFILING_ENABLE, CL_TRUE, &before));
}

/* --- memory objects
 * ----------------------------------------------------------------------------------------- */

#define MEMORY(...)                        clGetMemObjectInfo(buffer, __VA_ARGS__)
#define BUFFER(context, flags, size, data) clCreateBuffer(context, flags, size, data, &status)
#define PART(parent, flags, type, region)  clCreateSubBuffer(parent, flags, type, region, &status)

static void check_buffers(void) {
    cl_int word;
    const cl_buffer_region crooked = {64, 64}, outside = {896, 256}, empty = {128, 0}, whole = {0, 1024};
    const cl_buffer_create_type region = CL_BUFFER_CREATE_TYPE_REGION;
    MAKE("no size", CL_INVALID_BUFFER_SIZE, BUFFER(context, 0, 0, NULL));
    MAKE("too large", CL_INVALID_BUFFER_SIZE, BUFFER(context, 0, (size_t)1 << 40, NULL));
    MAKE("flags against each other", CL_INVALID_VALUE,
         BUFFER(context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 4, NULL));
    MAKE("flags against each other", CL_INVALID_VALUE,
         BUFFER(context, CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR, 4, &word));
    MAKE("flags against each other", CL_INVALID_VALUE,
         BUFFER(context, CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS, 4, NULL));
    MAKE("unknown flags", CL_INVALID_VALUE, BUFFER(context, (cl_mem_flags)1 << 30, 4, NULL));
    MAKE("no memory to use", CL_INVALID_HOST_PTR, BUFFER(context, CL_MEM_USE_HOST_PTR, 4, NULL));
    MAKE("no memory to copy", CL_INVALID_HOST_PTR, BUFFER(context, CL_MEM_COPY_HOST_PTR, 4, NULL));
    MAKE("memory for nothing", CL_INVALID_HOST_PTR, BUFFER(context, CL_MEM_READ_WRITE, 4, &word));
    MAKE("not a context", CL_INVALID_CONTEXT, BUFFER((cl_context)queue, 0, 4, NULL));
    MAKE("not aligned", CL_MISALIGNED_SUB_BUFFER_OFFSET, PART(buffer, 0, region, &crooked));
    MAKE("past the end", CL_INVALID_VALUE, PART(buffer, 0, region, &outside));
    MAKE("nothing", CL_INVALID_BUFFER_SIZE, PART(buffer, 0, region, &empty));
    MAKE("unknown type", CL_INVALID_VALUE, PART(buffer, 0, 7, &whole));
    MAKE("no region", CL_INVALID_VALUE, PART(buffer, 0, region, NULL));
    MAKE("more than the parent allows", CL_INVALID_VALUE, PART(read_only, CL_MEM_READ_WRITE, region, &whole));
    MAKE("more than the parent allows", CL_INVALID_VALUE,
         PART(hidden, CL_MEM_HOST_READ_ONLY, region, &whole));
    MAKE("memory of its own", CL_INVALID_VALUE, PART(buffer, CL_MEM_ALLOC_HOST_PTR, region, &whole));
    MAKE("a part of a part", CL_INVALID_MEM_OBJECT, PART(sub, 0, region, &whole));
    MAKE("a part of an image", CL_INVALID_MEM_OBJECT, PART(image, 0, region, &whole));
    MAKE("a part of what is released", CL_INVALID_MEM_OBJECT, PART(released, 0, region, &whole));
    QUERY(MEMORY, CL_MEM_SIZE);
    ROW("an image's fact", CL_INVALID_VALUE, MEMORY(CL_IMAGE_WIDTH, sizeof text, text, NULL));
    ROW("not a memory object", CL_INVALID_MEM_OBJECT,
        clGetMemObjectInfo((cl_mem)context, CL_MEM_SIZE, sizeof text, text, NULL));
    ROW("released", CL_INVALID_MEM_OBJECT,
        clGetMemObjectInfo(released, CL_MEM_SIZE, sizeof text, text, NULL));
    ROW("not a memory object", CL_INVALID_MEM_OBJECT, clReleaseMemObject((cl_mem)context));
    ROW("not a memory object", CL_INVALID_MEM_OBJECT, clRetainMemObject((cl_mem)context));
    ROW("released", CL_INVALID_MEM_OBJECT, clRetainMemObject(released));
    ROW("released", CL_INVALID_MEM_OBJECT, clReleaseMemObject(released));
    ROW("no function", CL_INVALID_VALUE, clSetMemObjectDestructorCallback(buffer, NULL, NULL));
    ROW("not a memory object", CL_INVALID_MEM_OBJECT,
        clSetMemObjectDestructorCallback((cl_mem)context, told_of_end, NULL));
}

#define IMAGE(...) clGetImageInfo(image, __VA_ARGS__)
#define SHAPED(type, width, height, ...)                                                                     \
    &(const cl_image_desc) {                                                                                 \
        .image_type = type, .image_width = width, .image_height = height, __VA_ARGS__                        \
    }
#define SHAPE(...)                         SHAPED(CL_MEM_OBJECT_IMAGE2D, 4, 4, __VA_ARGS__)
#define CREATE(flags, format, shape, data) clCreateImage(context, flags, format, shape, data, &status)

static void check_image_formats(void) {
    cl_uint count = 0;
    cl_image_format formats[2];
    const cl_mem_object_type type = CL_MEM_OBJECT_IMAGE2D;
    static const cl_image_format bad[] = {{CL_RGBA, CL_UNORM_SHORT_565},
                                          {CL_RGB, CL_UNORM_INT8},
                                          {CL_INTENSITY, CL_SIGNED_INT8},
                                          {CL_LUMINANCE, CL_UNSIGNED_INT32},
                                          {CL_BGRA, CL_FLOAT},
                                          {CL_ARGB, CL_UNORM_INT16},
                                          {0x1, CL_FLOAT},
                                          {CL_RGBA, 0x1}};
    static const cl_image_format none[] = {{CL_RGB, CL_UNORM_SHORT_565},
                                           {CL_RGBx, CL_UNORM_INT_101010},
                                           {CL_Rx, CL_FLOAT},
                                           {CL_RGx, CL_UNORM_INT8}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        MAKE("no format of OpenCL 1.2", CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
             CREATE(0, &bad[i], SHAPE(), NULL));
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        MAKE("not of this device", CL_IMAGE_FORMAT_NOT_SUPPORTED, CREATE(0, &none[i], SHAPE(), NULL));
    MAKE("no format", CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, CREATE(0, NULL, SHAPE(), NULL));
    ROW("not a context", CL_INVALID_CONTEXT,
        clGetSupportedImageFormats((cl_context)queue, 0, type, 2, formats, &count));
    ROW("no room", CL_INVALID_VALUE, clGetSupportedImageFormats(context, 0, type, 0, formats, &count));
    ROW("unknown flags", CL_INVALID_VALUE,
        clGetSupportedImageFormats(context, (cl_mem_flags)1 << 30, type, 2, formats, &count));
    ROW("a buffer", CL_INVALID_VALUE,
        clGetSupportedImageFormats(context, 0, CL_MEM_OBJECT_BUFFER, 2, formats, &count));
    SUCCEEDS(clGetSupportedImageFormats(context, 0, CL_MEM_OBJECT_IMAGE3D, 0, NULL, &count));
    ROW("none: no 3-D image", 0, (cl_int)count);
    SUCCEEDS(clGetSupportedImageFormats(context, 0, type, 2, formats, &count));
    ROW("none: 5 orders of 12 types, 2 of 4, 2 of 6", 80, (cl_int)count);
}

static void check_images(void) {
    static cl_uint pixels[64];
    const cl_image_format *f = &FORMAT;
    check_image_formats();
    MAKE("not a context", CL_INVALID_CONTEXT, clCreateImage((cl_context)queue, 0, f, SHAPE(), NULL, &status));
    MAKE("unknown flags", CL_INVALID_VALUE, CREATE((cl_mem_flags)1 << 30, f, SHAPE(), NULL));
    MAKE("no shape", CL_INVALID_IMAGE_DESCRIPTOR, CREATE(0, f, NULL, NULL));
    MAKE("no type", CL_INVALID_IMAGE_DESCRIPTOR, CREATE(0, f, SHAPED(7, 4, 4, ), NULL));
    MAKE("mipmaps", CL_INVALID_IMAGE_DESCRIPTOR, CREATE(0, f, SHAPE(.num_mip_levels = 1), NULL));
    MAKE("samples", CL_INVALID_IMAGE_DESCRIPTOR, CREATE(0, f, SHAPE(.num_samples = 1), NULL));
    MAKE("upon a buffer", CL_INVALID_IMAGE_DESCRIPTOR, CREATE(0, f, SHAPE(.buffer = buffer), NULL));
    MAKE("no width", CL_INVALID_IMAGE_SIZE, CREATE(0, f, SHAPED(CL_MEM_OBJECT_IMAGE2D, 0, 4, ), NULL));
    MAKE("no height", CL_INVALID_IMAGE_SIZE, CREATE(0, f, SHAPED(CL_MEM_OBJECT_IMAGE2D, 4, 0, ), NULL));
    MAKE("too wide", CL_INVALID_IMAGE_SIZE, CREATE(0, f, SHAPED(CL_MEM_OBJECT_IMAGE2D, 8193, 4, ), NULL));
    MAKE("too high", CL_INVALID_IMAGE_SIZE, CREATE(0, f, SHAPED(CL_MEM_OBJECT_IMAGE2D, 4, 8193, ), NULL));
    MAKE("a row pitch of no memory", CL_INVALID_IMAGE_DESCRIPTOR,
         CREATE(0, f, SHAPE(.image_row_pitch = 32), NULL));
    MAKE("rows closer than long", CL_INVALID_IMAGE_DESCRIPTOR,
         CREATE(CL_MEM_COPY_HOST_PTR, f, SHAPE(.image_row_pitch = 12), pixels));
    MAKE("rows of half pixels", CL_INVALID_IMAGE_DESCRIPTOR,
         CREATE(CL_MEM_COPY_HOST_PTR, f, SHAPE(.image_row_pitch = 18), pixels));
    MAKE("no memory to copy", CL_INVALID_HOST_PTR, CREATE(CL_MEM_COPY_HOST_PTR, f, SHAPE(), NULL));
    MAKE("memory for nothing", CL_INVALID_HOST_PTR, CREATE(0, f, SHAPE(), pixels));
    MAKE("3-D", CL_IMAGE_FORMAT_NOT_SUPPORTED,
         CREATE(0, f, SHAPED(CL_MEM_OBJECT_IMAGE3D, 4, 4, .image_depth = 4), NULL));
    MAKE("an array", CL_IMAGE_FORMAT_NOT_SUPPORTED,
         CREATE(0, f, SHAPED(CL_MEM_OBJECT_IMAGE2D_ARRAY, 4, 4, .image_array_size = 4), NULL));
    MAKE("3-D", CL_IMAGE_FORMAT_NOT_SUPPORTED, clCreateImage3D(context, 0, f, 4, 4, 4, 0, 0, NULL, &status));
    MAKE("no width", CL_INVALID_IMAGE_SIZE, clCreateImage2D(context, 0, f, 0, 4, 0, NULL, &status));
    MAKE("a row pitch of no memory", CL_INVALID_IMAGE_SIZE,
         clCreateImage2D(context, 0, f, 4, 4, 16, NULL, &status));
    MAKE("no memory to use", CL_INVALID_HOST_PTR,
         clCreateImage2D(context, CL_MEM_USE_HOST_PTR, f, 4, 4, 0, NULL, &status));
    QUERY(IMAGE, CL_IMAGE_FORMAT);
    ROW("a buffer's fact", CL_INVALID_VALUE, IMAGE(CL_MEM_SIZE, sizeof text, text, NULL));
    ROW("a buffer", CL_INVALID_MEM_OBJECT, clGetImageInfo(buffer, CL_IMAGE_WIDTH, sizeof text, text, NULL));
    ROW("released", CL_INVALID_MEM_OBJECT, clGetImageInfo(released, CL_IMAGE_WIDTH, sizeof text, text, NULL));
}

#define SAMPLER(...)                           clGetSamplerInfo(sampler, __VA_ARGS__)
#define SAMPLE(c, normalised, address, filter) clCreateSampler(c, normalised, address, filter, &status)

static void check_samplers(void) {
    MAKE("not a context", CL_INVALID_CONTEXT,
         SAMPLE((cl_context)queue, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST));
    MAKE("no boolean", CL_INVALID_VALUE, SAMPLE(context, 2, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST));
    MAKE("no address mode", CL_INVALID_VALUE, SAMPLE(context, CL_TRUE, 7, CL_FILTER_NEAREST));
    MAKE("no filter mode", CL_INVALID_VALUE, SAMPLE(context, CL_TRUE, CL_ADDRESS_CLAMP, 7));
    MAKE("repeats pixels", CL_INVALID_VALUE, SAMPLE(context, CL_FALSE, CL_ADDRESS_REPEAT, CL_FILTER_NEAREST));
    MAKE("mirrors pixels", CL_INVALID_VALUE,
         SAMPLE(context, CL_FALSE, CL_ADDRESS_MIRRORED_REPEAT, CL_FILTER_NEAREST));
    QUERY(SAMPLER, CL_SAMPLER_CONTEXT);
    ROW("not a sampler", CL_INVALID_SAMPLER,
        clGetSamplerInfo((cl_sampler)context, CL_SAMPLER_CONTEXT, sizeof text, text, NULL));
    ROW("not a sampler", CL_INVALID_SAMPLER, clRetainSampler((cl_sampler)context));
    ROW("not a sampler", CL_INVALID_SAMPLER, clReleaseSampler((cl_sampler)context));
    SUCCEEDS(clRetainSampler(sampler));
    SUCCEEDS(clReleaseSampler(sampler));
}

/* --- programs
 * ----------------------------------------------------------------------------------------------- */

#define PROGRAM(...) clGetProgramInfo(program, __VA_ARGS__)
#define BUILD(...)   clGetProgramBuildInfo(program, device, __VA_ARGS__)

static void check_creation(void) {
    const char *source = SOURCE, *missing[] = {NULL};
    const unsigned char noise[] = "\177ELF and no more", *binary = noise;
    const cl_device_id two[2] = {device, device}, stray = STRAY(cl_device_id);
    size_t size = sizeof noise, none = 0;
    cl_int binary_status = 1;
    MAKE("no string", CL_INVALID_VALUE, clCreateProgramWithSource(context, 0, &source, NULL, &status));
    MAKE("no list", CL_INVALID_VALUE, clCreateProgramWithSource(context, 1, NULL, NULL, &status));
    MAKE("a missing string", CL_INVALID_VALUE, clCreateProgramWithSource(context, 1, missing, NULL, &status));
    MAKE("not a context", CL_INVALID_CONTEXT,
         clCreateProgramWithSource((cl_context)queue, 1, &source, NULL, &status));
    MAKE("noise", CL_INVALID_BINARY,
         clCreateProgramWithBinary(context, 1, &device, &size, &binary, &binary_status, &status));
    ROW("noise", CL_INVALID_BINARY, binary_status);
    MAKE("no binaries", CL_INVALID_VALUE,
         clCreateProgramWithBinary(context, 1, &device, &size, NULL, NULL, &status));
    MAKE("no sizes", CL_INVALID_VALUE,
         clCreateProgramWithBinary(context, 1, &device, NULL, &binary, NULL, &status));
    MAKE("no size", CL_INVALID_VALUE,
         clCreateProgramWithBinary(context, 1, &device, &none, &binary, &binary_status, &status));
    ROW("no size", CL_INVALID_VALUE, binary_status);
    MAKE("no devices", CL_INVALID_VALUE,
         clCreateProgramWithBinary(context, 0, NULL, &size, &binary, NULL, &status));
    MAKE("two devices", CL_INVALID_DEVICE,
         clCreateProgramWithBinary(context, 2, two, &size, &binary, NULL, &status));
    MAKE("a stray handle", CL_INVALID_DEVICE,
         clCreateProgramWithBinary(context, 1, &stray, &size, &binary, NULL, &status));
    MAKE("not a context", CL_INVALID_CONTEXT,
         clCreateProgramWithBinary((cl_context)queue, 1, &device, &size, &binary, NULL, &status));
    MAKE("no such kernel", CL_INVALID_VALUE,
         clCreateProgramWithBuiltInKernels(context, 1, &device, "k", &status));
    MAKE("no name", CL_INVALID_VALUE, clCreateProgramWithBuiltInKernels(context, 1, &device, NULL, &status));
    MAKE("a stray handle", CL_INVALID_DEVICE,
         clCreateProgramWithBuiltInKernels(context, 1, &stray, "k", &status));
    MAKE("not a context", CL_INVALID_CONTEXT,
         clCreateProgramWithBuiltInKernels((cl_context)queue, 1, &device, "k", &status));
}

static void check_building(void) {
    const cl_device_id stray = STRAY(cl_device_id);
    cl_int word;
    cl_build_status built;
    const cl_program p = unbuilt;
    ROW("it has kernels", CL_INVALID_OPERATION, clBuildProgram(program, 0, NULL, "", NULL, NULL));
    ROW("no devices", CL_INVALID_VALUE, clBuildProgram(p, 1, NULL, "", NULL, NULL));
    ROW("devices of no number", CL_INVALID_VALUE, clBuildProgram(p, 0, &device, "", NULL, NULL));
    ROW("a stray handle", CL_INVALID_DEVICE, clBuildProgram(p, 1, &stray, "", NULL, NULL));
    ROW("data for no function", CL_INVALID_VALUE, clBuildProgram(p, 0, NULL, "", NULL, &word));
    ROW("not a program", CL_INVALID_PROGRAM, clBuildProgram((cl_program)context, 0, NULL, "", NULL, NULL));
    ROW("no program", CL_INVALID_PROGRAM, clBuildProgram(NULL, 0, NULL, "", NULL, NULL));
    ROW("unknown option", CL_INVALID_BUILD_OPTIONS, clBuildProgram(p, 0, NULL, "-O7", NULL, NULL));
    ROW("an option without its value", CL_INVALID_BUILD_OPTIONS,
        clBuildProgram(p, 0, NULL, "-D", told_of_program, NULL));
    ROW("macros that break the source", CL_BUILD_PROGRAM_FAILURE,
        clBuildProgram(p, 0, NULL, "-D scale=3", NULL, NULL));
    SUCCEEDS(clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_STATUS, sizeof built, &built, NULL));
    ROW("none: the status tells", CL_BUILD_ERROR, built);
    ROW("not built", CL_INVALID_PROGRAM_EXECUTABLE,
        clGetProgramInfo(p, CL_PROGRAM_NUM_KERNELS, sizeof text, text, NULL));
    ROW("not built", CL_INVALID_PROGRAM_EXECUTABLE,
        clGetProgramInfo(p, CL_PROGRAM_KERNEL_NAMES, sizeof text, text, NULL));
    QUERY(PROGRAM, CL_PROGRAM_SOURCE);
    ROW("not a program", CL_INVALID_PROGRAM,
        clGetProgramInfo((cl_program)context, CL_PROGRAM_SOURCE, sizeof text, text, NULL));
    QUERY(BUILD, CL_PROGRAM_BUILD_STATUS);
    ROW("no device", CL_INVALID_DEVICE,
        clGetProgramBuildInfo(program, NULL, CL_PROGRAM_BUILD_LOG, 0, NULL, NULL));
    ROW("not a program", CL_INVALID_PROGRAM,
        clGetProgramBuildInfo((cl_program)context, device, CL_PROGRAM_BUILD_LOG, 0, NULL, NULL));
    ROW("not a program", CL_INVALID_PROGRAM, clRetainProgram((cl_program)context));
    ROW("not a program", CL_INVALID_PROGRAM, clReleaseProgram((cl_program)context));
}

#define COMPILE(p, options, count, headers, names)                                                           \
    clCompileProgram(p, 0, NULL, options, count, headers, names, NULL, NULL)
#define LINK(c, options, count, programs)                                                                    \
    clLinkProgram(c, 0, NULL, options, count, programs, NULL, NULL, &status)

static void check_linking(void) {
    const char *name = "a.h", *none = NULL;
    const cl_program stray = STRAY(cl_program), both[2] = {object, unbuilt};
    const cl_device_id bad_device = STRAY(cl_device_id);
    cl_int word;
    ROW("it has kernels", CL_INVALID_OPERATION, COMPILE(program, "", 0, NULL, NULL));
    ROW("not a program", CL_INVALID_PROGRAM, COMPILE((cl_program)context, "", 0, NULL, NULL));
    ROW("unknown option", CL_INVALID_COMPILER_OPTIONS, COMPILE(unbuilt, "-O7", 0, NULL, NULL));
    ROW("macros that break the source", CL_COMPILE_PROGRAM_FAILURE,
        COMPILE(unbuilt, "-D scale=3", 0, NULL, NULL));
    ROW("no headers", CL_INVALID_VALUE, COMPILE(unbuilt, "", 1, NULL, &name));
    ROW("no names", CL_INVALID_VALUE, COMPILE(unbuilt, "", 1, &program, NULL));
    ROW("names of no number", CL_INVALID_VALUE, COMPILE(unbuilt, "", 0, NULL, &name));
    ROW("a missing name", CL_INVALID_VALUE, COMPILE(unbuilt, "", 1, &program, &none));
    ROW("a stray header", CL_INVALID_PROGRAM, COMPILE(unbuilt, "", 1, &stray, &name));
    ROW("a stray device", CL_INVALID_DEVICE,
        clCompileProgram(unbuilt, 1, &bad_device, "", 0, NULL, NULL, NULL, NULL));
    ROW("data for no function", CL_INVALID_VALUE,
        clCompileProgram(unbuilt, 0, NULL, "", 0, NULL, NULL, NULL, &word));
    MAKE("not a context", CL_INVALID_CONTEXT, LINK((cl_context)queue, "", 1, &object));
    MAKE("no programs", CL_INVALID_VALUE, LINK(context, "", 0, NULL));
    MAKE("no list", CL_INVALID_VALUE, LINK(context, "", 1, NULL));
    MAKE("a stray handle", CL_INVALID_PROGRAM, LINK(context, "", 1, &stray));
    MAKE("another context's program", CL_INVALID_PROGRAM, LINK(other_context, "", 1, &object));
    MAKE("not compiled", CL_INVALID_OPERATION, LINK(context, "", 2, both));
    MAKE("unknown option", CL_INVALID_LINKER_OPTIONS, LINK(context, "-O7", 1, &object));
    MAKE("a stray device", CL_INVALID_DEVICE,
         clLinkProgram(context, 1, &bad_device, "", 1, &object, NULL, NULL, &status));
    MAKE("data for no function", CL_INVALID_VALUE,
         clLinkProgram(context, 0, NULL, "", 1, &object, NULL, &word, &status));
    MAKE("a kernel of an object", CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernel(object, "scale", &status));
}

/* --- kernels
 * ------------------------------------------------------------------------------------------------ */

#define KERNEL(...)   clGetKernelInfo(scale, __VA_ARGS__)
#define ARGUMENT(...) clGetKernelArgInfo(scale, 0, __VA_ARGS__)
#define GROUP(...)    clGetKernelWorkGroupInfo(scale, device, __VA_ARGS__)

static void check_kernels(void) {
    cl_uint count;
    cl_kernel few[1];
    const cl_kernel bad = (cl_kernel)program;
    MAKE("no such kernel", CL_INVALID_KERNEL_NAME, clCreateKernel(program, "scal", &status));
    MAKE("no name", CL_INVALID_VALUE, clCreateKernel(program, NULL, &status));
    MAKE("not built", CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernel(unbuilt, "scale", &status));
    MAKE("not a program", CL_INVALID_PROGRAM, clCreateKernel((cl_program)context, "scale", &status));
    ROW("no room", CL_INVALID_VALUE, clCreateKernelsInProgram(program, 1, few, &count));
    ROW("not built", CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernelsInProgram(unbuilt, 1, few, &count));
    ROW("not a program", CL_INVALID_PROGRAM, clCreateKernelsInProgram((cl_program)context, 1, few, &count));
    SUCCEEDS(clCreateKernelsInProgram(program, 0, NULL, &count));
    ROW("none: three kernels", 3, (cl_int)count);
    QUERY(KERNEL, CL_KERNEL_FUNCTION_NAME);
    QUERY(ARGUMENT, CL_KERNEL_ARG_TYPE_NAME);
    QUERY(GROUP, CL_KERNEL_WORK_GROUP_SIZE);
    ROW("no such argument", CL_INVALID_ARG_INDEX,
        clGetKernelArgInfo(scale, 5, CL_KERNEL_ARG_NAME, 0, NULL, NULL));
    ROW("a custom device's fact", CL_INVALID_VALUE,
        GROUP(CL_KERNEL_GLOBAL_WORK_SIZE, sizeof text, text, NULL));
    ROW("not a device", CL_INVALID_DEVICE,
        clGetKernelWorkGroupInfo(scale, (cl_device_id)platform, CL_KERNEL_WORK_GROUP_SIZE, 0, NULL, NULL));
    ROW("not a kernel", CL_INVALID_KERNEL, clGetKernelInfo(bad, CL_KERNEL_NUM_ARGS, 0, NULL, NULL));
    ROW("not a kernel", CL_INVALID_KERNEL, clGetKernelArgInfo(bad, 0, CL_KERNEL_ARG_NAME, 0, NULL, NULL));
    ROW("not a kernel", CL_INVALID_KERNEL,
        clGetKernelWorkGroupInfo(bad, device, CL_KERNEL_WORK_GROUP_SIZE, 0, NULL, NULL));
    ROW("not a kernel", CL_INVALID_KERNEL, clRetainKernel(bad));
    ROW("not a kernel", CL_INVALID_KERNEL, clReleaseKernel(bad));
}

#define SET(index, size, value) clSetKernelArg(scale, index, size, value)

static void check_arguments(void) {
    const cl_mem none = NULL, stray = STRAY(cl_mem);
    const cl_sampler bad_sampler = STRAY(cl_sampler);
    const cl_int word[16] = {1};
    ROW("not a kernel", CL_INVALID_KERNEL, clSetKernelArg((cl_kernel)program, 0, 4, &word));
    ROW("no such argument", CL_INVALID_ARG_INDEX, SET(5, 4, word));
    ROW("a pointer of 4 bytes", CL_INVALID_ARG_SIZE, SET(0, 4, &buffer));
    ROW("not a memory object", CL_INVALID_MEM_OBJECT, SET(0, sizeof(cl_mem), &context));
    ROW("a stray handle", CL_INVALID_MEM_OBJECT, SET(0, sizeof(cl_mem), &stray));
    ROW("released", CL_INVALID_MEM_OBJECT, SET(0, sizeof(cl_mem), &released));
    ROW("an image", CL_INVALID_MEM_OBJECT, SET(0, sizeof(cl_mem), &image));
    ROW("another context's buffer", CL_INVALID_MEM_OBJECT, SET(0, sizeof(cl_mem), &other_buffer));
    ROW("another context's buffer", CL_INVALID_MEM_OBJECT, SET(1, sizeof(cl_mem), &other_buffer));
    SUCCEEDS(SET(0, sizeof(cl_mem), &none));
    SUCCEEDS(SET(0, sizeof(cl_mem), NULL));
    ROW("a value of local memory", CL_INVALID_ARG_VALUE, SET(2, 64, word));
    ROW("no local memory", CL_INVALID_ARG_SIZE, SET(2, 0, NULL));
    ROW("no value", CL_INVALID_ARG_VALUE, SET(3, 4, NULL));
    ROW("an int of 8 bytes", CL_INVALID_ARG_SIZE, SET(3, 8, word));
    ROW("an int of 1 byte", CL_INVALID_ARG_SIZE, SET(3, 1, word));
    ROW("a float4 of 12 bytes", CL_INVALID_ARG_SIZE, SET(4, 12, word));
    ROW("no image", CL_INVALID_ARG_VALUE, clSetKernelArg(draw, 0, sizeof(cl_mem), NULL));
    ROW("no image", CL_INVALID_MEM_OBJECT, clSetKernelArg(draw, 0, sizeof(cl_mem), &none));
    ROW("an image of 4 bytes", CL_INVALID_ARG_SIZE, clSetKernelArg(draw, 0, 4, &image));
    ROW("a buffer", CL_INVALID_MEM_OBJECT, clSetKernelArg(draw, 0, sizeof(cl_mem), &buffer));
    ROW("another context's image", CL_INVALID_MEM_OBJECT,
        clSetKernelArg(draw, 0, sizeof(cl_mem), &other_image));
    ROW("an image to write", CL_INVALID_ARG_VALUE, clSetKernelArg(draw, 0, sizeof(cl_mem), &write_image));
    ROW("an image to read", CL_INVALID_ARG_VALUE, clSetKernelArg(draw, 1, sizeof(cl_mem), &read_image));
    SUCCEEDS(clSetKernelArg(draw, 0, sizeof(cl_mem), &read_image));
    SUCCEEDS(clSetKernelArg(draw, 1, sizeof(cl_mem), &write_image));
    ROW("a stray sampler", CL_INVALID_SAMPLER, clSetKernelArg(draw, 2, sizeof(cl_sampler), &bad_sampler));
    ROW("not a sampler", CL_INVALID_SAMPLER, clSetKernelArg(draw, 2, sizeof(cl_sampler), &image));
    ROW("another context's sampler", CL_INVALID_SAMPLER,
        clSetKernelArg(draw, 2, sizeof(cl_sampler), &other_sampler));
    ROW("a sampler of 4 bytes", CL_INVALID_ARG_SIZE, clSetKernelArg(draw, 2, 4, &sampler));
    ROW("no sampler", CL_INVALID_ARG_VALUE, clSetKernelArg(draw, 2, sizeof(cl_sampler), NULL));
    SUCCEEDS(clSetKernelArg(draw, 2, sizeof(cl_sampler), &sampler));
    const size_t one = 1;
    SUCCEEDS(clEnqueueNDRangeKernel(queue, draw, 1, NULL, &one, NULL, NO));
}

int main(void) {
    set_up();
    if (wrong == 0) {
        check_platform_and_device();
        check_contexts();
        check_queues();
        check_buffers();
        check_images();
        check_samplers();
        check_creation();
        check_building();
        check_linking();
        check_kernels();
        check_arguments();
    }
    return verdict("api_errors");
}

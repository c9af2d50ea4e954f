/* api_errors: error codes of the entry points that create, query and release objects, for each mistake.
 * Programs and kernels are in api_errors_programs, commands in api_errors_commands. For this driver only,
 * whose limits and refusals are expected. */
#include "tests/hosts/api_errors.h"

static void CL_CALLBACK told_of_error(const char *why, const void *data, size_t size, void *user_data) {
    (void)why, (void)data, (void)size, (void)user_data;
}
static void CL_CALLBACK told_of_end(cl_mem m, void *user_data) {
    (void)m, (void)user_data;
}

/* --- platform, device, context, queue --- */

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
    const cl_device_id second[2] = {device, STRAY(cl_device_id)}; /* the loader inspects the first one */
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

/* --- memory objects --- */

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

/* --- later versions --- */

/* Entry points exist that only express, by properties, what OpenCL 1.2 expresses without. */
static void check_properties(void) {
    const cl_queue_properties profiling[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0},
                              on_device[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE, 0},
                              sized[] = {CL_QUEUE_SIZE, 100, 0};
    const cl_sampler_properties linear[] = {CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, 0},
                                unknown[] = {0x7777, 1, 0};
    const cl_mem_properties some[] = {0x7777, 1, 0}, none[] = {0};
    MAKE("none", CL_SUCCESS, clCreateCommandQueueWithProperties(context, device, profiling, &status));
    MAKE("none", CL_SUCCESS, clCreateCommandQueueWithProperties(context, device, NULL, &status));
    MAKE("a queue on the device", CL_INVALID_QUEUE_PROPERTIES,
         clCreateCommandQueueWithProperties(context, device, on_device, &status));
    MAKE("a size for the host", CL_INVALID_VALUE,
         clCreateCommandQueueWithProperties(context, device, sized, &status));
    MAKE("not a device", CL_INVALID_DEVICE,
         clCreateCommandQueueWithProperties(context, STRAY(cl_device_id), NULL, &status));
    MAKE("none", CL_SUCCESS, clCreateSamplerWithProperties(context, linear, &status));
    MAKE("unknown property", CL_INVALID_VALUE, clCreateSamplerWithProperties(context, unknown, &status));
    MAKE("not a context", CL_INVALID_CONTEXT,
         clCreateSamplerWithProperties((cl_context)queue, linear, &status));
    MAKE("none", CL_SUCCESS, clCreateBufferWithProperties(context, none, 0, 64, NULL, &status));
    MAKE("unknown property", CL_INVALID_PROPERTY,
         clCreateBufferWithProperties(context, some, 0, 64, NULL, &status));
    MAKE("no size", CL_INVALID_BUFFER_SIZE, clCreateBufferWithProperties(context, NULL, 0, 0, NULL, &status));
    MAKE("none", CL_SUCCESS, clCreateImageWithProperties(context, none, 0, &FORMAT, SHAPE(), NULL, &status));
    MAKE("unknown property", CL_INVALID_PROPERTY,
         clCreateImageWithProperties(context, some, 0, &FORMAT, SHAPE(), NULL, &status));
    MAKE("no shape", CL_INVALID_IMAGE_DESCRIPTOR,
         clCreateImageWithProperties(context, NULL, 0, &FORMAT, NULL, NULL, &status));
}

/* The rest is refused. */
static void check_refused(void) {
    cl_ulong time;
    void *memory = NULL;
    MAKE("OpenCL 2.0", CL_INVALID_OPERATION, clCreatePipe(context, 0, 4, 16, NULL, &status));
    MAKE("OpenCL 2.1", CL_INVALID_OPERATION, clCreateProgramWithIL(context, "il", 2, &status));
    MAKE("OpenCL 2.1", CL_INVALID_OPERATION, clCloneKernel(scale, &status));
    ROW("OpenCL 2.0", 1, clSVMAlloc(context, CL_MEM_READ_WRITE, 64, 0) == NULL);
    ROW("OpenCL 2.0", CL_INVALID_OPERATION, clSetKernelArgSVMPointer(scale, 0, NULL));
    ROW("OpenCL 2.0", CL_INVALID_OPERATION, clEnqueueSVMMemcpy(queue, CL_TRUE, memory, memory, 4, NO));
    ROW("OpenCL 2.0", CL_INVALID_OPERATION, clGetPipeInfo(buffer, CL_PIPE_PACKET_SIZE, 4, &time, NULL));
    ROW("OpenCL 2.1", CL_INVALID_OPERATION, clGetHostTimer(device, &time));
    ROW("OpenCL 2.1", CL_INVALID_OPERATION, clSetDefaultDeviceCommandQueue(context, device, queue));
    ROW("OpenCL 2.1", CL_INVALID_OPERATION,
        clGetKernelSubGroupInfo(scale, device, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, 0, NULL, 0, NULL,
                                NULL));
    ROW("OpenCL 3.0", CL_INVALID_OPERATION, clSetContextDestructorCallback(context, NULL, NULL));
    ROW("no such extension", 1, clGetExtensionFunctionAddress("clNothingLOCKSTEP") == NULL);
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
        check_properties();
        check_refused();
    }
    return verdict("api_errors");
}

/* The platform and its one device: what programs can learn about them. */
#include "abi/printf_buffer.h"
#include "runtime/opencl/connection.h"
#include "runtime/opencl/image.h"

#include <stdio.h>
#include <string.h>

#define EXTENSIONS                                                                                           \
    "cl_khr_byte_addressable_store cl_khr_fp64 cl_khr_global_int32_base_atomics "                            \
    "cl_khr_global_int32_extended_atomics cl_khr_int64_base_atomics cl_khr_int64_extended_atomics "          \
    "cl_khr_local_int32_base_atomics cl_khr_local_int32_extended_atomics"

struct _cl_platform_id the_platform = {
    {.dispatch = &dispatch_table, .kind = OBJECT_PLATFORM, .references = 1}};
struct _cl_device_id the_device = {{.dispatch = &dispatch_table, .kind = OBJECT_DEVICE, .references = 1}};

cl_int CL_API_CALL driver_clGetPlatformIDs(cl_uint num_entries, cl_platform_id *platforms,
                                           cl_uint *num_platforms) {
    DRIVER_LOCKED;
    if ((num_entries == 0 && platforms != NULL) || (platforms == NULL && num_platforms == NULL))
        return CL_INVALID_VALUE;
    if (num_platforms != NULL) *num_platforms = 0;
    if (!connection_open()) return CL_PLATFORM_NOT_FOUND_KHR;
    if (platforms != NULL) platforms[0] = &the_platform;
    if (num_platforms != NULL) *num_platforms = 1;
    return CL_SUCCESS;
}

cl_int CL_API_CALL driver_clGetPlatformInfo(cl_platform_id platform, cl_platform_info name, size_t room,
                                            void *value, size_t *size) {
    DRIVER_LOCKED;
    const struct query q = {room, value, size};
    if (platform != NULL && !objects_is(platform, OBJECT_PLATFORM)) return CL_INVALID_PLATFORM;
    switch (name) {
    case CL_PLATFORM_PROFILE: return query_text(&q, "FULL_PROFILE");
    case CL_PLATFORM_VERSION: return query_text(&q, "OpenCL 1.2 Lockstep");
    case CL_PLATFORM_NAME: return query_text(&q, "Lockstep");
    case CL_PLATFORM_VENDOR: return query_text(&q, "Lockstep");
    case CL_PLATFORM_EXTENSIONS: return query_text(&q, "cl_khr_icd " EXTENSIONS);
    case CL_PLATFORM_ICD_SUFFIX_KHR: return query_text(&q, "LOCKSTEP");
    default: return CL_INVALID_VALUE;
    }
}

/* The device matches each requested kind except custom. */
cl_int CL_API_CALL driver_clGetDeviceIDs(cl_platform_id platform, cl_device_type type, cl_uint num_entries,
                                         cl_device_id *devices, cl_uint *num_devices) {
    DRIVER_LOCKED;
    const cl_device_type known = CL_DEVICE_TYPE_DEFAULT | CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU |
                                 CL_DEVICE_TYPE_ACCELERATOR | CL_DEVICE_TYPE_CUSTOM;
    if (platform != NULL && !objects_is(platform, OBJECT_PLATFORM)) return CL_INVALID_PLATFORM;
    if (type != CL_DEVICE_TYPE_ALL && (type == 0 || (type & ~known) != 0)) return CL_INVALID_DEVICE_TYPE;
    if ((num_entries == 0 && devices != NULL) || (devices == NULL && num_devices == NULL))
        return CL_INVALID_VALUE;
    bool found = (type & ~(cl_device_type)CL_DEVICE_TYPE_CUSTOM) != 0 && connection_open();
    if (num_devices != NULL) *num_devices = found;
    if (!found) return CL_DEVICE_NOT_FOUND;
    if (devices != NULL) devices[0] = &the_device;
    return CL_SUCCESS;
}

cl_int CL_API_CALL driver_clRetainDevice(cl_device_id device) {
    return objects_is(device, OBJECT_DEVICE) ? CL_SUCCESS : CL_INVALID_DEVICE;
}

cl_int CL_API_CALL driver_clReleaseDevice(cl_device_id device) {
    return objects_is(device, OBJECT_DEVICE) ? CL_SUCCESS : CL_INVALID_DEVICE;
}

/* The device cannot be partitioned, so that every partition is a wrong one. */
cl_int CL_API_CALL driver_clCreateSubDevices(cl_device_id device,
                                             const cl_device_partition_property *properties,
                                             cl_uint num_devices, cl_device_id *devices,
                                             cl_uint *num_devices_ret) {
    DRIVER_LOCKED;
    (void)properties, (void)num_devices, (void)devices, (void)num_devices_ret;
    return objects_is(device, OBJECT_DEVICE) ? CL_INVALID_VALUE : CL_INVALID_DEVICE;
}

static cl_int query_number(const struct query *q, cl_uint number) {
    return query_bytes(q, &number, sizeof number);
}

static cl_int query_long(const struct query *q, cl_ulong number) {
    return query_bytes(q, &number, sizeof number);
}

static cl_int query_size(const struct query *q, size_t number) {
    return query_bytes(q, &number, sizeof number);
}

/* Answers queries that the machine's configuration decides. CL_INVALID_VALUE: it is not one of these. */
static cl_int query_machine(const struct query *q, cl_device_info name) {
    const struct protocol_device *d = connection_device();
    char text[128];
    switch (name) {
    case CL_DEVICE_NAME:
        snprintf(text, sizeof text, "Lockstep: ARM cluster of %u lanes, warps of %u", d->lanes, d->warp_size);
        return query_text(q, text);
    case CL_DEVICE_MAX_COMPUTE_UNITS: return query_number(q, d->compute_units);
    case CL_DEVICE_MAX_CLOCK_FREQUENCY: return query_number(q, d->clock_mhz);
    case CL_DEVICE_MAX_WORK_GROUP_SIZE: return query_size(q, d->max_work_group);
    case CL_DEVICE_MAX_WORK_ITEM_SIZES:
        return query_bytes(q, (size_t[]){d->max_work_group, d->max_work_group, d->max_work_group},
                           3 * sizeof(size_t));
    case CL_DEVICE_MAX_MEM_ALLOC_SIZE: return query_long(q, d->max_buffer_bytes);
    case CL_DEVICE_GLOBAL_MEM_SIZE: return query_long(q, d->global_bytes);
    case CL_DEVICE_GLOBAL_MEM_CACHE_SIZE: return query_long(q, d->cache_bytes);
    case CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE: return query_number(q, d->cache_line_bytes);
    case CL_DEVICE_LOCAL_MEM_SIZE: return query_long(q, d->local_bytes);
    default: return CL_INVALID_VALUE;
    }
}

static cl_int query_texts(const struct query *q, cl_device_info name) {
    switch (name) {
    case CL_DEVICE_VENDOR: return query_text(q, "Lockstep");
    case CL_DRIVER_VERSION: return query_text(q, "1.0");
    case CL_DEVICE_PROFILE: return query_text(q, "FULL_PROFILE");
    case CL_DEVICE_VERSION: return query_text(q, "OpenCL 1.2 Lockstep");
    case CL_DEVICE_OPENCL_C_VERSION: return query_text(q, "OpenCL C 1.2 Lockstep");
    case CL_DEVICE_EXTENSIONS: return query_text(q, EXTENSIONS);
    case CL_DEVICE_BUILT_IN_KERNELS: return query_text(q, "");
    default: return CL_INVALID_VALUE;
    }
}

static cl_int query_wide(const struct query *q, cl_device_info name) {
    const cl_device_fp_config ieee = CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST;
    switch (name) {
    case CL_DEVICE_TYPE: return query_long(q, CL_DEVICE_TYPE_GPU);
    case CL_DEVICE_SINGLE_FP_CONFIG: return query_long(q, ieee | CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT);
    case CL_DEVICE_DOUBLE_FP_CONFIG:
        return query_long(q, ieee | CL_FP_ROUND_TO_ZERO | CL_FP_ROUND_TO_INF | CL_FP_FMA);
    case CL_DEVICE_HALF_FP_CONFIG: return query_long(q, 0);
    case CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE: return query_long(q, connection_device()->max_buffer_bytes);
    case CL_DEVICE_EXECUTION_CAPABILITIES: return query_long(q, CL_EXEC_KERNEL);
    case CL_DEVICE_QUEUE_PROPERTIES:
        return query_long(q, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE);
    case CL_DEVICE_PARTITION_AFFINITY_DOMAIN: return query_long(q, 0);
    case CL_DEVICE_MAX_PARAMETER_SIZE: return query_size(q, 1024);
    case CL_DEVICE_PROFILING_TIMER_RESOLUTION: return query_size(q, 1);
    case CL_DEVICE_IMAGE2D_MAX_WIDTH: return query_size(q, IMAGE_MAX_WIDTH);
    case CL_DEVICE_IMAGE2D_MAX_HEIGHT: return query_size(q, IMAGE_MAX_HEIGHT);
    case CL_DEVICE_IMAGE3D_MAX_WIDTH:
    case CL_DEVICE_IMAGE3D_MAX_HEIGHT:
    case CL_DEVICE_IMAGE3D_MAX_DEPTH:
    case CL_DEVICE_IMAGE_MAX_BUFFER_SIZE:
    case CL_DEVICE_IMAGE_MAX_ARRAY_SIZE: return query_size(q, 0);
    case CL_DEVICE_PRINTF_BUFFER_SIZE: return query_size(q, PRINTF_BUFFER_BYTES);
    case CL_DEVICE_PLATFORM: return query_bytes(q, &(cl_platform_id){&the_platform}, sizeof(cl_platform_id));
    case CL_DEVICE_PARENT_DEVICE: return query_bytes(q, &(cl_device_id){NULL}, sizeof(cl_device_id));
    case CL_DEVICE_PARTITION_PROPERTIES:
        return query_bytes(q, &(cl_device_partition_property){0}, sizeof(cl_device_partition_property));
    case CL_DEVICE_PARTITION_TYPE: return query_bytes(q, NULL, 0);
    default: return CL_INVALID_VALUE;
    }
}

static const struct {
    cl_device_info name;
    cl_uint value;
} numbers[] = {
    {CL_DEVICE_VENDOR_ID, 0x4c534b},
    {CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, 3},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR, 1},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT, 1},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT, 1},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG, 1},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT, 1},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE, 1},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF, 0},
    {CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR, 1},
    {CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT, 1},
    {CL_DEVICE_NATIVE_VECTOR_WIDTH_INT, 1},
    {CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG, 1},
    {CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, 1},
    {CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE, 1},
    {CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF, 0},
    {CL_DEVICE_ADDRESS_BITS, 32},
    {CL_DEVICE_IMAGE_SUPPORT, CL_TRUE},
    {CL_DEVICE_MAX_READ_IMAGE_ARGS, 128},
    {CL_DEVICE_MAX_WRITE_IMAGE_ARGS, 64},
    {CL_DEVICE_MAX_SAMPLERS, 16},
    {CL_DEVICE_MEM_BASE_ADDR_ALIGN, 1024}, /* bits */
    {CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE, 128},
    {CL_DEVICE_GLOBAL_MEM_CACHE_TYPE, CL_READ_WRITE_CACHE},
    {CL_DEVICE_MAX_CONSTANT_ARGS, 64},
    {CL_DEVICE_LOCAL_MEM_TYPE, CL_GLOBAL}, /* ordinary cached memory */
    {CL_DEVICE_ERROR_CORRECTION_SUPPORT, CL_FALSE},
    {CL_DEVICE_HOST_UNIFIED_MEMORY, CL_TRUE},
    {CL_DEVICE_ENDIAN_LITTLE, CL_TRUE},
    {CL_DEVICE_AVAILABLE, CL_TRUE},
    {CL_DEVICE_COMPILER_AVAILABLE, CL_TRUE},
    {CL_DEVICE_LINKER_AVAILABLE, CL_TRUE},
    {CL_DEVICE_PREFERRED_INTEROP_USER_SYNC, CL_TRUE},
    {CL_DEVICE_PARTITION_MAX_SUB_DEVICES, 0},
    {CL_DEVICE_REFERENCE_COUNT, 1},
};

cl_int CL_API_CALL driver_clGetDeviceInfo(cl_device_id device, cl_device_info name, size_t room, void *value,
                                          size_t *size) {
    DRIVER_LOCKED;
    const struct query q = {room, value, size};
    if (!objects_is(device, OBJECT_DEVICE)) return CL_INVALID_DEVICE;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (numbers[i].name == name) return query_number(&q, numbers[i].value);
    cl_int status = query_machine(&q, name);
    if (status == CL_INVALID_VALUE) status = query_texts(&q, name);
    if (status == CL_INVALID_VALUE) status = query_wide(&q, name);
    return status;
}

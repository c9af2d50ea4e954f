/* Kernels and their arguments. */
#include "runtime/opencl/connection.h"
#include "runtime/opencl/message.h"
#include "runtime/opencl/sampler.h"

#include <stdlib.h>
#include <string.h>

static void destroy_kernel(struct object *o) {
    cl_kernel k = (cl_kernel)o;
    for (cl_uint i = 0; k->arguments != NULL && i < k->facts->argument_count; i++)
        free(k->arguments[i].value);
    free(k->arguments);
    k->program->kernel_objects--;
    objects_unuse(k->program);
}

static cl_kernel create_kernel(cl_program program, const struct kernel_facts *facts) {
    cl_kernel k = objects_create(OBJECT_KERNEL, sizeof *k, destroy_kernel);
    if (k == NULL) return NULL;
    k->program = program;
    k->facts = facts;
    program->kernel_objects++;
    objects_use(program);
    k->arguments = calloc((size_t)facts->argument_count + 1, sizeof *k->arguments);
    if (k->arguments != NULL) return k;
    objects_release(k, OBJECT_KERNEL, 0);
    return NULL;
}

/* Returns whether the program is built, not only compiled for linking. */
static bool is_executable(const struct _cl_program *p) {
    return p->status == CL_BUILD_SUCCESS && p->id != 0;
}

cl_kernel CL_API_CALL driver_clCreateKernel(cl_program program, const char *name, cl_int *errcode_ret) {
    DRIVER_LOCKED;
    if (!objects_is(program, OBJECT_PROGRAM)) return objects_fail(errcode_ret, CL_INVALID_PROGRAM);
    if (!is_executable(program)) return objects_fail(errcode_ret, CL_INVALID_PROGRAM_EXECUTABLE);
    if (name == NULL) return objects_fail(errcode_ret, CL_INVALID_VALUE);
    size_t i = 0;
    while (i < program->kernel_count && strcmp(program->kernels[i].name, name) != 0) i++;
    if (i == program->kernel_count) return objects_fail(errcode_ret, CL_INVALID_KERNEL_NAME);
    cl_kernel k = create_kernel(program, &program->kernels[i]);
    if (k == NULL) return objects_fail(errcode_ret, CL_OUT_OF_HOST_MEMORY);
    objects_succeed(errcode_ret);
    return k;
}

cl_int CL_API_CALL driver_clCreateKernelsInProgram(cl_program program, cl_uint room, cl_kernel *kernels,
                                                   cl_uint *count) {
    DRIVER_LOCKED;
    if (!objects_is(program, OBJECT_PROGRAM)) return CL_INVALID_PROGRAM;
    if (!is_executable(program)) return CL_INVALID_PROGRAM_EXECUTABLE;
    if (kernels != NULL && room < program->kernel_count) return CL_INVALID_VALUE;
    for (size_t i = 0; kernels != NULL && i < program->kernel_count; i++) {
        kernels[i] = create_kernel(program, &program->kernels[i]);
        if (kernels[i] != NULL) continue;
        while (i-- > 0) objects_release(kernels[i], OBJECT_KERNEL, 0);
        return CL_OUT_OF_HOST_MEMORY;
    }
    if (count != NULL) *count = (cl_uint)program->kernel_count;
    return CL_SUCCESS;
}

cl_int CL_API_CALL driver_clRetainKernel(cl_kernel kernel) {
    DRIVER_LOCKED;
    return objects_retain(kernel, OBJECT_KERNEL, CL_INVALID_KERNEL);
}

cl_int CL_API_CALL driver_clReleaseKernel(cl_kernel kernel) {
    DRIVER_LOCKED;
    return objects_release(kernel, OBJECT_KERNEL, CL_INVALID_KERNEL);
}

/* --- arguments --- */

static cl_int set_local(struct argument *a, size_t size, const void *value) {
    if (value != NULL) return CL_INVALID_ARG_VALUE;
    if (size == 0) return CL_INVALID_ARG_SIZE;
    *a = (struct argument){.set = true, .size = size};
    return CL_SUCCESS;
}

static cl_int set_memory(const struct _cl_kernel *kernel, struct argument *a, enum object_kind kind,
                         cl_mem m) {
    if (!objects_is(m, kind) || m->context != kernel->program->context) return CL_INVALID_MEM_OBJECT;
    *a = (struct argument){.set = true,
                           .memory = m,
                           .serial = m->object.serial,
                           .id = m->id,
                           .origin = m->origin,
                           .image = m->image};
    return CL_SUCCESS;
}

static cl_int set_buffer(cl_kernel kernel, struct argument *a, size_t size, const void *value) {
    cl_mem buffer = NULL;
    if (size != sizeof buffer) return CL_INVALID_ARG_SIZE;
    if (value != NULL) memcpy(&buffer, value, sizeof buffer);
    if (buffer != NULL) return set_memory(kernel, a, OBJECT_BUFFER, buffer);
    *a = (struct argument){.set = true};
    return CL_SUCCESS;
}

static cl_int set_image(cl_kernel kernel, struct argument *a, const struct kernel_argument_facts *f,
                        size_t size, const void *value) {
    cl_mem image;
    if (value == NULL) return CL_INVALID_ARG_VALUE;
    if (size != sizeof image) return CL_INVALID_ARG_SIZE;
    memcpy(&image, value, sizeof image);
    if (!objects_is(image, OBJECT_IMAGE)) return CL_INVALID_MEM_OBJECT;
    cl_mem_flags against = strcmp(f->access, "read_only") == 0 ? CL_MEM_WRITE_ONLY : CL_MEM_READ_ONLY;
    if (image->flags & against) return CL_INVALID_ARG_VALUE;
    return set_memory(kernel, a, OBJECT_IMAGE, image);
}

static cl_int set_value(struct argument *a, size_t expected, size_t size, const void *value) {
    if (value == NULL) return CL_INVALID_ARG_VALUE;
    if (size != expected) return CL_INVALID_ARG_SIZE;
    uint8_t *copy = malloc(size + 1);
    if (copy == NULL) return CL_OUT_OF_HOST_MEMORY;
    memcpy(copy, value, size);
    free(a->value);
    *a = (struct argument){.set = true, .size = size, .value = copy};
    return CL_SUCCESS;
}

/* Reports that the size of a value is not that of its type. */
static void tell_size(const struct _cl_kernel *kernel, cl_uint index, size_t size) {
    const struct kernel_argument_facts *f = &kernel->facts->arguments[index];
    const size_t length = strlen(f->type);
    const bool of_three =
        length > 1 && f->type[length - 1] == '3' && f->size % 4 == 0 && size == f->size / 4 * 3;
    message_print("kernel %s: its argument %u ('%s') is of type %s, which has %zu bytes; %zu are given%s",
                  kernel->facts->name, index, f->name, f->type, (size_t)f->size, size,
                  of_three ? " (a vector of 3 is as large as one of 4)" : "");
}

/* Refuses images that are not 2-D: no context has any. */
static cl_int refuse_image(const struct _cl_kernel *kernel, cl_uint index, size_t size, const void *value) {
    cl_mem image;
    const struct kernel_argument_facts *f = &kernel->facts->arguments[index];
    if (value == NULL) return CL_INVALID_ARG_VALUE;
    if (size != sizeof image) return CL_INVALID_ARG_SIZE;
    memcpy(&image, value, sizeof image);
    if (!objects_is(image, OBJECT_IMAGE)) return CL_INVALID_MEM_OBJECT;
    message_print("kernel %s: its argument %u ('%s') is of type %s; this device has 2-D images only",
                  kernel->facts->name, index, f->name, f->type);
    return CL_INVALID_ARG_VALUE;
}

/* Copies a sampler's bits now: no call can change them later. */
static cl_int set_sampler(const struct _cl_kernel *kernel, struct argument *a, size_t size,
                          const void *value) {
    cl_sampler sampler;
    if (value == NULL) return CL_INVALID_ARG_VALUE;
    if (size != sizeof sampler) return CL_INVALID_ARG_SIZE;
    memcpy(&sampler, value, sizeof sampler);
    if (!objects_is(sampler, OBJECT_SAMPLER) || sampler->context != kernel->program->context)
        return CL_INVALID_SAMPLER;
    uint32_t bits = sampler_bits(sampler);
    return set_value(a, sizeof bits, sizeof bits, &bits);
}

cl_int CL_API_CALL driver_clSetKernelArg(cl_kernel kernel, cl_uint index, size_t size, const void *value) {
    DRIVER_LOCKED;
    if (!objects_is(kernel, OBJECT_KERNEL)) return CL_INVALID_KERNEL;
    if (index >= kernel->facts->argument_count) return CL_INVALID_ARG_INDEX;
    const struct kernel_argument_facts *f = &kernel->facts->arguments[index];
    struct argument *a = &kernel->arguments[index];
    switch (f->space) {
    case PROTOCOL_LOCAL: return set_local(a, size, value);
    case PROTOCOL_GLOBAL:
    case PROTOCOL_CONSTANT: return set_buffer(kernel, a, size, value);
    case PROTOCOL_IMAGE2D: return set_image(kernel, a, f, size, value);
    case PROTOCOL_SAMPLER: return set_sampler(kernel, a, size, value);
    case PROTOCOL_OTHER_IMAGE: return refuse_image(kernel, index, size, value);
    default:
        if (value != NULL && size != f->size) tell_size(kernel, index, size);
        return set_value(a, f->size, size, value);
    }
}

/* --- queries --- */

cl_int CL_API_CALL driver_clGetKernelInfo(cl_kernel kernel, cl_kernel_info name, size_t room, void *value,
                                          size_t *size) {
    DRIVER_LOCKED;
    const struct query q = {room, value, size};
    if (!objects_is(kernel, OBJECT_KERNEL)) return CL_INVALID_KERNEL;
    switch (name) {
    case CL_KERNEL_FUNCTION_NAME: return query_text(&q, kernel->facts->name);
    case CL_KERNEL_NUM_ARGS: QUERY_ANSWER(&q, cl_uint, kernel->facts->argument_count);
    case CL_KERNEL_REFERENCE_COUNT: QUERY_ANSWER(&q, cl_uint, kernel->object.references);
    case CL_KERNEL_CONTEXT: QUERY_ANSWER(&q, cl_context, kernel->program->context);
    case CL_KERNEL_PROGRAM: QUERY_ANSWER(&q, cl_program, kernel->program);
    case CL_KERNEL_ATTRIBUTES: return query_text(&q, kernel->facts->attributes);
    default: return CL_INVALID_VALUE;
    }
}

static cl_kernel_arg_address_qualifier address_qualifier(uint32_t space) {
    switch (space) {
    case PROTOCOL_IMAGE2D:
    case PROTOCOL_OTHER_IMAGE:
    case PROTOCOL_GLOBAL: return CL_KERNEL_ARG_ADDRESS_GLOBAL;
    case PROTOCOL_CONSTANT: return CL_KERNEL_ARG_ADDRESS_CONSTANT;
    case PROTOCOL_LOCAL: return CL_KERNEL_ARG_ADDRESS_LOCAL;
    default: return CL_KERNEL_ARG_ADDRESS_PRIVATE;
    }
}

static cl_kernel_arg_access_qualifier access_qualifier(const char *access) {
    if (strcmp(access, "read_only") == 0) return CL_KERNEL_ARG_ACCESS_READ_ONLY;
    if (strcmp(access, "write_only") == 0) return CL_KERNEL_ARG_ACCESS_WRITE_ONLY;
    if (strcmp(access, "read_write") == 0) return CL_KERNEL_ARG_ACCESS_READ_WRITE;
    return CL_KERNEL_ARG_ACCESS_NONE;
}

static cl_kernel_arg_type_qualifier type_qualifier(const char *qualifiers) {
    cl_kernel_arg_type_qualifier found = CL_KERNEL_ARG_TYPE_NONE;
    if (strstr(qualifiers, "const") != NULL) found |= CL_KERNEL_ARG_TYPE_CONST;
    if (strstr(qualifiers, "restrict") != NULL) found |= CL_KERNEL_ARG_TYPE_RESTRICT;
    if (strstr(qualifiers, "volatile") != NULL) found |= CL_KERNEL_ARG_TYPE_VOLATILE;
    return found;
}

cl_int CL_API_CALL driver_clGetKernelArgInfo(cl_kernel kernel, cl_uint index, cl_kernel_arg_info name,
                                             size_t room, void *value, size_t *size) {
    DRIVER_LOCKED;
    const struct query q = {room, value, size};
    if (!objects_is(kernel, OBJECT_KERNEL)) return CL_INVALID_KERNEL;
    if (index >= kernel->facts->argument_count) return CL_INVALID_ARG_INDEX;
    const struct kernel_argument_facts *f = &kernel->facts->arguments[index];
    switch (name) {
    case CL_KERNEL_ARG_ADDRESS_QUALIFIER:
        QUERY_ANSWER(&q, cl_kernel_arg_address_qualifier, address_qualifier(f->space));
    case CL_KERNEL_ARG_ACCESS_QUALIFIER:
        QUERY_ANSWER(&q, cl_kernel_arg_access_qualifier, access_qualifier(f->access));
    case CL_KERNEL_ARG_TYPE_NAME: return query_text(&q, f->type);
    case CL_KERNEL_ARG_TYPE_QUALIFIER:
        QUERY_ANSWER(&q, cl_kernel_arg_type_qualifier, type_qualifier(f->qualifiers));
    case CL_KERNEL_ARG_NAME: return query_text(&q, f->name);
    default: return CL_INVALID_VALUE;
    }
}

static cl_ulong local_memory(const struct _cl_kernel *k) {
    cl_ulong total = k->facts->local_bytes;
    for (cl_uint i = 0; i < k->facts->argument_count; i++)
        if (k->facts->arguments[i].space == PROTOCOL_LOCAL) total += k->arguments[i].size;
    return total;
}

cl_int CL_API_CALL driver_clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device,
                                                   cl_kernel_work_group_info name, size_t room, void *value,
                                                   size_t *size) {
    DRIVER_LOCKED;
    const struct query q = {room, value, size};
    if (!objects_is(kernel, OBJECT_KERNEL)) return CL_INVALID_KERNEL;
    if (device != NULL && !objects_is(device, OBJECT_DEVICE)) return CL_INVALID_DEVICE;
    const uint32_t *required = kernel->facts->required_size;
    switch (name) {
    case CL_KERNEL_WORK_GROUP_SIZE: QUERY_ANSWER(&q, size_t, kernel->facts->max_work_group);
    case CL_KERNEL_COMPILE_WORK_GROUP_SIZE:
        return query_bytes(&q, (const size_t[]){required[0], required[1], required[2]}, 3 * sizeof(size_t));
    case CL_KERNEL_LOCAL_MEM_SIZE: QUERY_ANSWER(&q, cl_ulong, local_memory(kernel));
    case CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
        QUERY_ANSWER(&q, size_t, connection_device()->warp_size);
    case CL_KERNEL_PRIVATE_MEM_SIZE: QUERY_ANSWER(&q, cl_ulong, kernel->facts->stack_bytes);
    default: return CL_INVALID_VALUE;
    }
}

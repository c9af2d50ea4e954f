/* Buffers, sub-buffers, and queries about any memory object. */
#include "runtime/opencl/connection.h"
#include "runtime/opencl/storage.h"

#include <stdlib.h>
#include <string.h>

/* CL_DEVICE_MEM_BASE_ADDR_ALIGN, in bytes */
#define SUB_BUFFER_ALIGNMENT 128

static cl_mem create_buffer(cl_context context, cl_mem_flags flags, size_t size, void *host_ptr,
                            cl_int *errcode_ret) {
    if (!objects_is(context, OBJECT_CONTEXT)) return objects_fail(errcode_ret, CL_INVALID_CONTEXT);
    cl_int status = storage_check(flags, host_ptr);
    if (status == CL_INVALID_VALUE) return objects_fail(errcode_ret, status);
    if (size == 0 || size > connection_device()->max_buffer_bytes)
        return objects_fail(errcode_ret, CL_INVALID_BUFFER_SIZE);
    if (status != CL_SUCCESS) return objects_fail(errcode_ret, status);
    cl_mem b = storage_create(OBJECT_BUFFER, context, flags, size, host_ptr, &status);
    if (b == NULL) return objects_fail(errcode_ret, status);
    if (flags & CL_MEM_COPY_HOST_PTR) memcpy(b->bytes, host_ptr, size);
    objects_succeed(errcode_ret);
    return b;
}

cl_mem CL_API_CALL driver_clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void *host_ptr,
                                         cl_int *errcode_ret) {
    DRIVER_LOCKED;
    return create_buffer(context, flags, size, host_ptr, errcode_ret);
}

/* A function of OpenCL 3.0, which defines no properties. */
cl_mem CL_API_CALL driver_clCreateBufferWithProperties(cl_context context,
                                                       const cl_mem_properties *properties,
                                                       cl_mem_flags flags, size_t size, void *host_ptr,
                                                       cl_int *errcode_ret) {
    DRIVER_LOCKED;
    if (properties != NULL && properties[0] != 0) return objects_fail(errcode_ret, CL_INVALID_PROPERTY);
    return create_buffer(context, flags, size, host_ptr, errcode_ret);
}

/* A sub-buffer's flags may only narrow what its parent allows. */
static bool narrows(cl_mem_flags parent, cl_mem_flags flags) {
    if (!storage_flags_valid(flags) || (flags & STORAGE_PLACE)) return false;
    if ((parent & CL_MEM_WRITE_ONLY) && (flags & (CL_MEM_READ_WRITE | CL_MEM_READ_ONLY))) return false;
    if ((parent & CL_MEM_READ_ONLY) && (flags & (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY))) return false;
    if ((parent & CL_MEM_HOST_WRITE_ONLY) && (flags & CL_MEM_HOST_READ_ONLY)) return false;
    if ((parent & CL_MEM_HOST_READ_ONLY) && (flags & CL_MEM_HOST_WRITE_ONLY)) return false;
    return !((parent & CL_MEM_HOST_NO_ACCESS) && (flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY)));
}

cl_mem CL_API_CALL driver_clCreateSubBuffer(cl_mem parent, cl_mem_flags flags, cl_buffer_create_type type,
                                            const void *info, cl_int *errcode_ret) {
    DRIVER_LOCKED;
    const cl_buffer_region *region = info;
    if (!objects_is(parent, OBJECT_BUFFER) || parent->parent != NULL)
        return objects_fail(errcode_ret, CL_INVALID_MEM_OBJECT);
    if (!narrows(parent->flags, flags) || type != CL_BUFFER_CREATE_TYPE_REGION || region == NULL)
        return objects_fail(errcode_ret, CL_INVALID_VALUE);
    if (region->size == 0) return objects_fail(errcode_ret, CL_INVALID_BUFFER_SIZE);
    if (region->origin > parent->size || region->size > parent->size - region->origin)
        return objects_fail(errcode_ret, CL_INVALID_VALUE);
    if (region->origin % SUB_BUFFER_ALIGNMENT != 0)
        return objects_fail(errcode_ret, CL_MISALIGNED_SUB_BUFFER_OFFSET);
    cl_mem b = objects_create(OBJECT_BUFFER, sizeof *b, storage_destroy);
    if (b == NULL) return objects_fail(errcode_ret, CL_OUT_OF_HOST_MEMORY);
    b->context = parent->context;
    b->parent = parent;
    b->flags = flags | (parent->flags & STORAGE_PLACE);
    if (!(flags & STORAGE_ACCESS)) b->flags |= parent->flags & STORAGE_ACCESS;
    if (!(flags & STORAGE_HOST_ACCESS)) b->flags |= parent->flags & STORAGE_HOST_ACCESS;
    b->origin = region->origin;
    b->size = region->size;
    b->id = parent->id;
    b->bytes = parent->bytes + region->origin;
    b->host_ptr = parent->host_ptr != NULL ? parent->host_ptr + region->origin : NULL;
    objects_use(parent);
    objects_use(b->context);
    objects_succeed(errcode_ret);
    return b;
}

/* --- any memory object --- */

cl_int CL_API_CALL driver_clRetainMemObject(cl_mem m) {
    DRIVER_LOCKED;
    if (!objects_is_memory(m)) return CL_INVALID_MEM_OBJECT;
    return objects_retain(m, m->object.kind, CL_INVALID_MEM_OBJECT);
}

cl_int CL_API_CALL driver_clReleaseMemObject(cl_mem m) {
    DRIVER_LOCKED;
    if (!objects_is_memory(m)) return CL_INVALID_MEM_OBJECT;
    return objects_release(m, m->object.kind, CL_INVALID_MEM_OBJECT);
}

static cl_uint map_count(const struct _cl_mem *m) {
    cl_uint count = 0;
    for (const struct mapping *g = m->mappings; g != NULL; g = g->next) count++;
    return count;
}

cl_int CL_API_CALL driver_clGetMemObjectInfo(cl_mem m, cl_mem_info name, size_t room, void *value,
                                             size_t *size) {
    DRIVER_LOCKED;
    const struct query q = {room, value, size};
    if (!objects_is_memory(m)) return CL_INVALID_MEM_OBJECT;
    bool image = m->object.kind == OBJECT_IMAGE;
    switch (name) {
    case CL_MEM_TYPE:
        QUERY_ANSWER(&q, cl_mem_object_type, image ? CL_MEM_OBJECT_IMAGE2D : CL_MEM_OBJECT_BUFFER);
    case CL_MEM_FLAGS: QUERY_ANSWER(&q, cl_mem_flags, m->flags);
    case CL_MEM_SIZE: QUERY_ANSWER(&q, size_t, m->size);
    case CL_MEM_HOST_PTR: QUERY_ANSWER(&q, void *, m->host_ptr);
    case CL_MEM_MAP_COUNT: QUERY_ANSWER(&q, cl_uint, map_count(m));
    case CL_MEM_REFERENCE_COUNT: QUERY_ANSWER(&q, cl_uint, m->object.references);
    case CL_MEM_CONTEXT: QUERY_ANSWER(&q, cl_context, m->context);
    case CL_MEM_ASSOCIATED_MEMOBJECT: QUERY_ANSWER(&q, cl_mem, m->parent);
    case CL_MEM_OFFSET: QUERY_ANSWER(&q, size_t, m->origin);
    default: return CL_INVALID_VALUE;
    }
}

cl_int CL_API_CALL driver_clSetMemObjectDestructorCallback(cl_mem m,
                                                           void(CL_CALLBACK *function)(cl_mem, void *),
                                                           void *user_data) {
    DRIVER_LOCKED;
    if (!objects_is_memory(m)) return CL_INVALID_MEM_OBJECT;
    if (function == NULL) return CL_INVALID_VALUE;
    struct destructor *d = malloc(sizeof *d);
    if (d == NULL) return CL_OUT_OF_HOST_MEMORY;
    *d = (struct destructor){m->destructors, function, user_data}; /* the last is called first */
    m->destructors = d;
    return CL_SUCCESS;
}

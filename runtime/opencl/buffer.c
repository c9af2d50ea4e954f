/* Buffers and sub-buffers. */
#include "runtime/opencl/command.h"
#include "runtime/opencl/connection.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define ACCESS      ((cl_mem_flags)(CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY))
#define PLACE       ((cl_mem_flags)(CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR))
#define HOST_ACCESS ((cl_mem_flags)(CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS))
/* CL_DEVICE_MEM_BASE_ADDR_ALIGN, in bytes */
#define SUB_BUFFER_ALIGNMENT 128

static cl_mem shadows; /* buffers with host_ptr */

void buffer_written(cl_mem b) {
    buffer_root(b)->device_newer = true;
}

void buffer_update_shadows(void) {
    for (cl_mem b = shadows; b != NULL; b = b->next_shadow) {
        /* What is mapped belongs to the program until it is unmapped; what it has released may be gone. */
        if (!b->device_newer || b->mapped > 0 || b->object.references == 0) continue;
        memcpy(b->host_ptr, b->bytes, b->size);
        b->device_newer = false;
    }
}

static void destroy_buffer(struct object *o) {
    cl_mem b = (cl_mem)o;
    for (struct destructor *d = b->destructors, *next; d != NULL; d = next) {
        next = d->next;
        objects_call_destructor(d->function, b, d->user_data);
        free(d);
    }
    for (struct mapping *m = b->mappings, *next; m != NULL; m = next) {
        next = m->next;
        free(m);
    }
    if (b->parent != NULL) {
        objects_unuse(b->parent);
    } else if (b->bytes != NULL) {
        for (cl_mem *at = &shadows; *at != NULL; at = &(*at)->next_shadow) {
            if (*at != b) continue;
            *at = b->next_shadow;
            break;
        }
        munmap(b->bytes, b->size);
        struct protocol_message request, reply;
        protocol_begin(&request, PROTOCOL_RELEASE_BUFFER);
        protocol_put_u32(&request, b->id);
        connection_request(&request, &reply, NULL);
        protocol_free(&reply);
    }
    objects_unuse(b->context);
}

static bool at_most_one(cl_mem_flags flags) {
    return (flags & (flags - 1)) == 0;
}

static bool flags_valid(cl_mem_flags flags) {
    return (flags & ~(ACCESS | PLACE | HOST_ACCESS)) == 0 && at_most_one(flags & ACCESS) &&
           at_most_one(flags & HOST_ACCESS) &&
           !((flags & CL_MEM_USE_HOST_PTR) && (flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)));
}

/* Asks the simulator for the storage and maps it. */
static cl_int get_storage(cl_mem b) {
    struct protocol_message request, reply;
    protocol_begin(&request, PROTOCOL_CREATE_BUFFER);
    protocol_put_u64(&request, b->size);
    uint32_t status = connection_request(&request, &reply, NULL);
    cl_int result = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    if (status == PROTOCOL_OK) {
        b->id = protocol_get_u32(&reply);
        void *bytes = mmap(NULL, b->size, PROT_READ | PROT_WRITE, MAP_SHARED, reply.fd, 0);
        if (bytes != MAP_FAILED) {
            b->bytes = bytes;
            result = CL_SUCCESS;
        }
    } else if (status == CONNECTION_LOST) {
        result = CL_OUT_OF_RESOURCES;
    }
    protocol_free(&reply);
    return result;
}

cl_mem CL_API_CALL driver_clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void *host_ptr,
                                         cl_int *errcode_ret) {
    DRIVER_LOCKED;
    if (!objects_is(context, OBJECT_CONTEXT)) return objects_fail(errcode_ret, CL_INVALID_CONTEXT);
    if (!flags_valid(flags)) return objects_fail(errcode_ret, CL_INVALID_VALUE);
    if (size == 0 || size > connection_device()->max_buffer_bytes)
        return objects_fail(errcode_ret, CL_INVALID_BUFFER_SIZE);
    bool wants_host = flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR);
    if (wants_host != (host_ptr != NULL)) return objects_fail(errcode_ret, CL_INVALID_HOST_PTR);
    cl_mem b = objects_create(OBJECT_BUFFER, sizeof *b, destroy_buffer);
    if (b == NULL) return objects_fail(errcode_ret, CL_OUT_OF_HOST_MEMORY);
    b->context = context;
    b->flags = flags & ACCESS ? flags : flags | CL_MEM_READ_WRITE;
    b->size = size;
    objects_use(context);
    cl_int status = get_storage(b);
    if (status != CL_SUCCESS) {
        objects_release(b, OBJECT_BUFFER, 0);
        return objects_fail(errcode_ret, status);
    }
    if (host_ptr != NULL) memcpy(b->bytes, host_ptr, size);
    if (flags & CL_MEM_USE_HOST_PTR) {
        b->host_ptr = host_ptr;
        b->next_shadow = shadows;
        shadows = b;
    }
    objects_succeed(errcode_ret);
    return b;
}

/* A sub-buffer's flags may only narrow what its parent allows. */
static bool narrows(cl_mem_flags parent, cl_mem_flags flags) {
    if (!flags_valid(flags) || (flags & PLACE)) return false;
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
    cl_mem b = objects_create(OBJECT_BUFFER, sizeof *b, destroy_buffer);
    if (b == NULL) return objects_fail(errcode_ret, CL_OUT_OF_HOST_MEMORY);
    b->context = parent->context;
    b->parent = parent;
    b->flags = flags | (parent->flags & PLACE);
    if (!(flags & ACCESS)) b->flags |= parent->flags & ACCESS;
    if (!(flags & HOST_ACCESS)) b->flags |= parent->flags & HOST_ACCESS;
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

cl_int CL_API_CALL driver_clRetainMemObject(cl_mem buffer) {
    DRIVER_LOCKED;
    return objects_retain(buffer, OBJECT_BUFFER, CL_INVALID_MEM_OBJECT);
}

cl_int CL_API_CALL driver_clReleaseMemObject(cl_mem buffer) {
    DRIVER_LOCKED;
    return objects_release(buffer, OBJECT_BUFFER, CL_INVALID_MEM_OBJECT);
}

static cl_uint map_count(const struct _cl_mem *b) {
    cl_uint count = 0;
    for (const struct mapping *m = b->mappings; m != NULL; m = m->next) count++;
    return count;
}

cl_int CL_API_CALL driver_clGetMemObjectInfo(cl_mem buffer, cl_mem_info name, size_t room, void *value,
                                             size_t *size) {
    DRIVER_LOCKED;
    const struct query q = {room, value, size};
    if (!objects_is(buffer, OBJECT_BUFFER)) return CL_INVALID_MEM_OBJECT;
    switch (name) {
    case CL_MEM_TYPE: QUERY_ANSWER(&q, cl_mem_object_type, CL_MEM_OBJECT_BUFFER);
    case CL_MEM_FLAGS: QUERY_ANSWER(&q, cl_mem_flags, buffer->flags);
    case CL_MEM_SIZE: QUERY_ANSWER(&q, size_t, buffer->size);
    case CL_MEM_HOST_PTR: QUERY_ANSWER(&q, void *, buffer->host_ptr);
    case CL_MEM_MAP_COUNT: QUERY_ANSWER(&q, cl_uint, map_count(buffer));
    case CL_MEM_REFERENCE_COUNT: QUERY_ANSWER(&q, cl_uint, buffer->object.references);
    case CL_MEM_CONTEXT: QUERY_ANSWER(&q, cl_context, buffer->context);
    case CL_MEM_ASSOCIATED_MEMOBJECT: QUERY_ANSWER(&q, cl_mem, buffer->parent);
    case CL_MEM_OFFSET: QUERY_ANSWER(&q, size_t, buffer->origin);
    default: return CL_INVALID_VALUE;
    }
}

cl_int CL_API_CALL driver_clSetMemObjectDestructorCallback(cl_mem buffer,
                                                           void(CL_CALLBACK *function)(cl_mem, void *),
                                                           void *user_data) {
    DRIVER_LOCKED;
    if (!objects_is(buffer, OBJECT_BUFFER)) return CL_INVALID_MEM_OBJECT;
    if (function == NULL) return CL_INVALID_VALUE;
    struct destructor *d = malloc(sizeof *d);
    if (d == NULL) return CL_OUT_OF_HOST_MEMORY;
    *d = (struct destructor){buffer->destructors, function, user_data}; /* the last is called first */
    buffer->destructors = d;
    return CL_SUCCESS;
}

/* Mapping buffers into the program's memory. The shared memory is there already; only buffers made with
 * CL_MEM_USE_HOST_PTR are copied to and from the program's own memory. Nothing here takes simulated time. */
#include "runtime/opencl/command.h"

#include <stdlib.h>
#include <string.h>

struct map_command {
    struct command command;
    cl_mem buffer;
    size_t offset, size;
    cl_map_flags flags;
};

static cl_int run_map(struct command *c) {
    const struct map_command *m = (struct map_command *)c;
    const struct _cl_mem *b = m->buffer;
    if (b->host_ptr != NULL && !(m->flags & CL_MAP_WRITE_INVALIDATE_REGION))
        memcpy(b->host_ptr + m->offset, b->bytes + m->offset, m->size);
    return CL_SUCCESS;
}

static cl_int run_unmap(struct command *c) {
    const struct map_command *m = (struct map_command *)c;
    const struct _cl_mem *b = m->buffer;
    if (b->host_ptr != NULL && (m->flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)))
        memcpy(b->bytes + m->offset, b->host_ptr + m->offset, m->size);
    buffer_root(m->buffer)->mapped--;
    return CL_SUCCESS;
}

static void release_map(struct command *c) {
    objects_unuse(((struct map_command *)c)->buffer);
}

static struct map_command *create(cl_command_queue queue, cl_command_type type, cl_mem buffer,
                                  cl_uint wait_count, const cl_event *waits, cl_int *status) {
    struct map_command *m = command_create(sizeof *m, queue, type, wait_count, waits, status);
    if (m == NULL) return NULL;
    m->buffer = buffer;
    objects_use(buffer);
    m->command.run = type == CL_COMMAND_MAP_BUFFER ? run_map : run_unmap;
    m->command.release = release_map;
    return m;
}

static cl_int check_map(cl_command_queue queue, cl_mem buffer, cl_map_flags flags, size_t offset, size_t size,
                        cl_uint wait_count, const cl_event *waits) {
    const cl_map_flags plain = CL_MAP_READ | CL_MAP_WRITE, invalidate = CL_MAP_WRITE_INVALIDATE_REGION;
    if (!objects_is(queue, OBJECT_QUEUE)) return CL_INVALID_COMMAND_QUEUE;
    if (!objects_is(buffer, OBJECT_BUFFER)) return CL_INVALID_MEM_OBJECT;
    if (buffer->context != queue->context) return CL_INVALID_CONTEXT;
    cl_int status = command_check(queue, wait_count, waits);
    if (status != CL_SUCCESS) return status;
    if ((flags & ~(plain | invalidate)) || ((flags & invalidate) && (flags & plain))) return CL_INVALID_VALUE;
    if (size == 0 || offset > buffer->size || size > buffer->size - offset) return CL_INVALID_VALUE;
    if ((flags & CL_MAP_READ) && (buffer->flags & (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS)))
        return CL_INVALID_OPERATION;
    if ((flags & (CL_MAP_WRITE | invalidate)) &&
        (buffer->flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS)))
        return CL_INVALID_OPERATION;
    return CL_SUCCESS;
}

void *CL_API_CALL driver_clEnqueueMapBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                            cl_map_flags flags, size_t offset, size_t size,
                                            cl_uint wait_count, const cl_event *waits, cl_event *event,
                                            cl_int *errcode_ret) {
    DRIVER_LOCKED;
    cl_int status = check_map(queue, buffer, flags, offset, size, wait_count, waits);
    if (status != CL_SUCCESS) return objects_fail(errcode_ret, status);
    struct mapping *mapping = malloc(sizeof *mapping);
    if (mapping == NULL) return objects_fail(errcode_ret, CL_OUT_OF_HOST_MEMORY);
    struct map_command *m = create(queue, CL_COMMAND_MAP_BUFFER, buffer, wait_count, waits, &status);
    if (m == NULL) {
        free(mapping);
        return objects_fail(errcode_ret, status);
    }
    m->offset = offset;
    m->size = size;
    m->flags = flags;
    void *pointer = (buffer->host_ptr != NULL ? buffer->host_ptr : buffer->bytes) + offset;
    *mapping = (struct mapping){buffer->mappings, pointer, offset, size, flags};
    buffer->mappings = mapping;
    buffer_root(buffer)->mapped++;
    status = command_enqueue(m, blocking, event);
    if (status != CL_SUCCESS) {
        /* Another thread may have mapped meanwhile, so that ours need not be the first. */
        struct mapping **at = &buffer->mappings;
        while (*at != mapping) at = &(*at)->next;
        *at = mapping->next;
        free(mapping);
        buffer_root(buffer)->mapped--;
        return objects_fail(errcode_ret, status);
    }
    objects_succeed(errcode_ret);
    return pointer;
}

cl_int CL_API_CALL driver_clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem buffer, void *pointer,
                                                  cl_uint wait_count, const cl_event *waits,
                                                  cl_event *event) {
    DRIVER_LOCKED;
    if (!objects_is(queue, OBJECT_QUEUE)) return CL_INVALID_COMMAND_QUEUE;
    if (!objects_is(buffer, OBJECT_BUFFER)) return CL_INVALID_MEM_OBJECT;
    if (buffer->context != queue->context) return CL_INVALID_CONTEXT;
    cl_int status = command_check(queue, wait_count, waits);
    if (status != CL_SUCCESS) return status;
    struct mapping **at = &buffer->mappings;
    while (*at != NULL && (*at)->pointer != pointer) at = &(*at)->next;
    if (*at == NULL) return CL_INVALID_VALUE;
    struct map_command *m = create(queue, CL_COMMAND_UNMAP_MEM_OBJECT, buffer, wait_count, waits, &status);
    if (m == NULL) return status;
    struct mapping *mapping = *at;
    m->offset = mapping->offset;
    m->size = mapping->size;
    m->flags = mapping->flags;
    *at = mapping->next;
    free(mapping);
    return command_enqueue(m, false, event);
}

static cl_int migrate(struct command *c) {
    (void)c; /* there is one device, and its memory is where every buffer is */
    return CL_SUCCESS;
}

cl_int CL_API_CALL driver_clEnqueueMigrateMemObjects(cl_command_queue queue, cl_uint count,
                                                     const cl_mem *buffers, cl_mem_migration_flags flags,
                                                     cl_uint wait_count, const cl_event *waits,
                                                     cl_event *event) {
    DRIVER_LOCKED;
    const cl_mem_migration_flags known = CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
    cl_int status = command_check(queue, wait_count, waits);
    if (status != CL_SUCCESS) return status;
    if (count == 0 || buffers == NULL || (flags & ~known)) return CL_INVALID_VALUE;
    for (cl_uint i = 0; i < count; i++) {
        if (!objects_is(buffers[i], OBJECT_BUFFER)) return CL_INVALID_MEM_OBJECT;
        if (buffers[i]->context != queue->context) return CL_INVALID_CONTEXT;
    }
    struct command *c =
        command_create(sizeof *c, queue, CL_COMMAND_MIGRATE_MEM_OBJECTS, wait_count, waits, &status);
    if (c == NULL) return status;
    c->run = migrate;
    return command_enqueue(c, false, event);
}

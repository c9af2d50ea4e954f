/* Maps buffers and images into the program's memory. The shared memory is mapped already; only objects made
 * with CL_MEM_USE_HOST_PTR are copied to and from the program's own memory. Mapping takes no simulated
 * time. */
#include "runtime/opencl/command.h"
#include "runtime/opencl/image.h"
#include "runtime/opencl/storage.h"

#include <stdlib.h>
#include <string.h>

struct map_command {
    struct command command;
    cl_mem memory;
    size_t offset, size, rows; /* as in struct mapping */
    cl_map_flags flags;
};

/* Copies the mapped rows between the shared memory and the program's own, which have the same layout. */
static void copy_rows(const struct map_command *c, bool to_program) {
    const struct _cl_mem *m = c->memory;
    for (size_t y = 0; m->host_ptr != NULL && y < c->rows; y++) {
        size_t at = c->offset + y * m->image.row_pitch;
        if (to_program)
            memcpy(m->host_ptr + at, m->bytes + at, c->size);
        else
            memcpy(m->bytes + at, m->host_ptr + at, c->size);
    }
}

static cl_int run_map(struct command *c) {
    const struct map_command *m = (struct map_command *)c;
    if (!(m->flags & CL_MAP_WRITE_INVALIDATE_REGION)) copy_rows(m, true);
    return CL_SUCCESS;
}

static cl_int run_unmap(struct command *c) {
    const struct map_command *m = (struct map_command *)c;
    if (m->flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)) {
        copy_rows(m, false);
        storage_host_wrote(m->memory, m->offset, (size_t[]){m->size, m->rows, 1}, m->memory->image.row_pitch,
                           0);
    }
    storage_root(m->memory)->mapped--;
    return CL_SUCCESS;
}

static void release_map(struct command *c) {
    objects_unuse(((struct map_command *)c)->memory);
}

static struct map_command *create_map(cl_command_queue queue, cl_command_type type, cl_mem memory,
                                      const struct mapping *mapping, cl_uint wait_count,
                                      const cl_event *waits, cl_int *status) {
    struct map_command *m = command_create(sizeof *m, queue, type, wait_count, waits, status);
    if (m == NULL) return NULL;
    m->memory = memory;
    m->offset = mapping->offset;
    m->size = mapping->size;
    m->rows = mapping->rows;
    m->flags = mapping->flags;
    objects_use(memory);
    const cl_map_flags moves = type == CL_COMMAND_UNMAP_MEM_OBJECT
                                   ? CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION
                                   : CL_MAP_READ | CL_MAP_WRITE;
    if (m->flags & moves) m->command.bytes = m->size * m->rows;
    m->command.run = type == CL_COMMAND_UNMAP_MEM_OBJECT ? run_unmap : run_map;
    m->command.release = release_map;
    return m;
}

static cl_int check_flags(const struct _cl_mem *m, cl_map_flags flags) {
    const cl_map_flags plain = CL_MAP_READ | CL_MAP_WRITE, invalidate = CL_MAP_WRITE_INVALIDATE_REGION;
    if ((flags & ~(plain | invalidate)) || ((flags & invalidate) && (flags & plain))) return CL_INVALID_VALUE;
    if ((flags & CL_MAP_READ) && !storage_host_reads(m)) return CL_INVALID_OPERATION;
    if ((flags & (CL_MAP_WRITE | invalidate)) && !storage_host_writes(m)) return CL_INVALID_OPERATION;
    return CL_SUCCESS;
}

/* Records the mapping and enqueues its command. Returns the mapped address. */
static void *map(cl_command_queue queue, cl_command_type type, cl_mem memory, cl_bool blocking,
                 const struct mapping *what, cl_uint wait_count, const cl_event *waits, cl_event *event,
                 cl_int *errcode_ret) {
    cl_int status;
    struct mapping *mapping = malloc(sizeof *mapping);
    if (mapping == NULL) return objects_fail(errcode_ret, CL_OUT_OF_HOST_MEMORY);
    struct map_command *m = create_map(queue, type, memory, what, wait_count, waits, &status);
    if (m == NULL) {
        free(mapping);
        return objects_fail(errcode_ret, status);
    }
    *mapping = *what;
    mapping->next = memory->mappings;
    mapping->pointer = (memory->host_ptr != NULL ? memory->host_ptr : memory->bytes) + what->offset;
    memory->mappings = mapping;
    storage_root(memory)->mapped++;
    void *pointer = mapping->pointer;
    status = command_enqueue(m, blocking, event);
    if (status == CL_SUCCESS) {
        objects_succeed(errcode_ret);
        return pointer;
    }
    /* Another thread may have mapped meanwhile, so this mapping need not be the first. */
    struct mapping **at = &memory->mappings;
    while (*at != mapping) at = &(*at)->next;
    *at = mapping->next;
    free(mapping);
    storage_root(memory)->mapped--;
    return objects_fail(errcode_ret, status);
}

void *CL_API_CALL driver_clEnqueueMapBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                            cl_map_flags flags, size_t offset, size_t size,
                                            cl_uint wait_count, const cl_event *waits, cl_event *event,
                                            cl_int *errcode_ret) {
    DRIVER_LOCKED;
    const struct mapping what = {.offset = offset, .size = size, .rows = 1, .flags = flags};
    cl_int status = transfer_check(queue, buffer, OBJECT_BUFFER, wait_count, waits);
    if (status == CL_SUCCESS && !transfer_within(buffer, offset, size)) status = CL_INVALID_VALUE;
    if (status == CL_SUCCESS) status = check_flags(buffer, flags);
    if (status != CL_SUCCESS) return objects_fail(errcode_ret, status);
    return map(queue, CL_COMMAND_MAP_BUFFER, buffer, blocking, &what, wait_count, waits, event, errcode_ret);
}

void *CL_API_CALL driver_clEnqueueMapImage(cl_command_queue queue, cl_mem image, cl_bool blocking,
                                           cl_map_flags flags, const size_t *origin, const size_t *region,
                                           size_t *row_pitch, size_t *slice_pitch, cl_uint wait_count,
                                           const cl_event *waits, cl_event *event, cl_int *errcode_ret) {
    DRIVER_LOCKED;
    struct box box;
    size_t bytes[3];
    cl_int status = transfer_check(queue, image, OBJECT_IMAGE, wait_count, waits);
    if (status == CL_SUCCESS) status = image_box(image, origin, region, &box, bytes);
    if (status == CL_SUCCESS && row_pitch == NULL) status = CL_INVALID_VALUE;
    if (status == CL_SUCCESS) status = check_flags(image, flags);
    if (status != CL_SUCCESS) return objects_fail(errcode_ret, status);
    *row_pitch = image->image.row_pitch;
    if (slice_pitch != NULL) *slice_pitch = 0;
    const struct mapping what = {.offset = box.offset, .size = bytes[0], .rows = bytes[1], .flags = flags};
    return map(queue, CL_COMMAND_MAP_IMAGE, image, blocking, &what, wait_count, waits, event, errcode_ret);
}

cl_int CL_API_CALL driver_clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem memory, void *pointer,
                                                  cl_uint wait_count, const cl_event *waits,
                                                  cl_event *event) {
    DRIVER_LOCKED;
    if (!objects_is(queue, OBJECT_QUEUE)) return CL_INVALID_COMMAND_QUEUE;
    if (!objects_is_memory(memory)) return CL_INVALID_MEM_OBJECT;
    cl_int status = transfer_check(queue, memory, memory->object.kind, wait_count, waits);
    if (status != CL_SUCCESS) return status;
    struct mapping **at = &memory->mappings;
    while (*at != NULL && (*at)->pointer != pointer) at = &(*at)->next;
    if (*at == NULL) return CL_INVALID_VALUE;
    struct mapping *mapping = *at;
    struct map_command *m =
        create_map(queue, CL_COMMAND_UNMAP_MEM_OBJECT, memory, mapping, wait_count, waits, &status);
    if (m == NULL) return status;
    *at = mapping->next;
    free(mapping);
    return command_enqueue(m, false, event);
}

static cl_int migrate(struct command *c) {
    (void)c; /* no effect: there is one device, and every object is in its memory */
    return CL_SUCCESS;
}

cl_int CL_API_CALL driver_clEnqueueMigrateMemObjects(cl_command_queue queue, cl_uint count,
                                                     const cl_mem *objects, cl_mem_migration_flags flags,
                                                     cl_uint wait_count, const cl_event *waits,
                                                     cl_event *event) {
    DRIVER_LOCKED;
    const cl_mem_migration_flags known = CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
    cl_int status = command_check(queue, wait_count, waits);
    if (status != CL_SUCCESS) return status;
    if (count == 0 || objects == NULL || (flags & ~known)) return CL_INVALID_VALUE;
    for (cl_uint i = 0; i < count; i++) {
        if (!objects_is_memory(objects[i])) return CL_INVALID_MEM_OBJECT;
        if (objects[i]->context != queue->context) return CL_INVALID_CONTEXT;
    }
    struct command *c =
        command_create(sizeof *c, queue, CL_COMMAND_MIGRATE_MEM_OBJECTS, wait_count, waits, &status);
    if (c == NULL) return status;
    c->run = migrate;
    return command_enqueue(c, false, event);
}

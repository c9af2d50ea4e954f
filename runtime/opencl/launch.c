/* Kernel launches: clEnqueueNDRangeKernel and clEnqueueTask. */
#include "runtime/opencl/command.h"
#include "runtime/opencl/connection.h"

#include <stdlib.h>

struct launch {
    struct command command;
    struct protocol_message request; /* complete: arguments are those of the time of the call */
    cl_kernel kernel;
    cl_mem *buffers; /* what the kernel may write, kept until it has run */
    cl_uint buffer_count;
};

struct work_size {
    size_t global[3], local[3], offset[3];
};

/* --- sizes
 * -------------------------------------------------------------------------------------------------- */

/* The largest divisor of `size` up to `room`; of those, if there are any, that make the group so far a
 * multiple of the warp. */
static size_t choose_divisor(size_t size, size_t room, size_t group, size_t warp) {
    size_t any = 1;
    for (size_t d = size < room ? size : room; d >= 1; d--) {
        if (size % d != 0) continue;
        if (group * d % warp == 0) return d;
        if (any == 1) any = d;
    }
    return any;
}

static void choose_local_size(struct work_size *w) {
    size_t group = 1;
    for (int d = 0; d < 3; d++) {
        size_t room = connection_device()->max_work_group / group;
        w->local[d] = choose_divisor(w->global[d], room, group, connection_device()->warp_size);
        group *= w->local[d];
    }
}

static cl_int check_local_size(const struct work_size *w, const uint32_t required[3]) {
    size_t limit = connection_device()->max_work_group, group = 1;
    for (int d = 0; d < 3; d++) {
        if (w->local[d] == 0) return CL_INVALID_WORK_GROUP_SIZE;
        if (w->local[d] > limit) return CL_INVALID_WORK_ITEM_SIZE;
        if (required[0] != 0 && w->local[d] != required[d]) return CL_INVALID_WORK_GROUP_SIZE;
        group *= w->local[d];
        if (w->global[d] % w->local[d] != 0 || group > limit) return CL_INVALID_WORK_GROUP_SIZE;
    }
    return CL_SUCCESS;
}

static cl_int get_sizes(struct work_size *w, const uint32_t required[3], cl_uint dimensions,
                        const size_t *offset, const size_t *global, const size_t *local) {
    if (dimensions < 1 || dimensions > 3) return CL_INVALID_WORK_DIMENSION;
    if (global == NULL) return CL_INVALID_GLOBAL_WORK_SIZE;
    *w = (struct work_size){.global = {1, 1, 1}, .local = {1, 1, 1}};
    for (cl_uint d = 0; d < dimensions; d++) {
        if (global[d] == 0 || global[d] > UINT32_MAX) return CL_INVALID_GLOBAL_WORK_SIZE;
        w->global[d] = global[d];
        if (offset != NULL) w->offset[d] = offset[d];
        if (w->offset[d] > UINT32_MAX - global[d]) return CL_INVALID_GLOBAL_OFFSET;
        if (local != NULL) w->local[d] = local[d];
    }
    if (local != NULL) return check_local_size(w, required);
    if (required[0] != 0) return CL_INVALID_WORK_GROUP_SIZE;
    choose_local_size(w);
    return CL_SUCCESS;
}

/* --- the command
 * -------------------------------------------------------------------------------------------- */

static cl_int run_launch(struct command *c) {
    struct launch *l = (struct launch *)c;
    struct protocol_message reply;
    uint32_t status = connection_request(&l->request, &reply, NULL);
    if (status == PROTOCOL_OK) {
        c->event->start = protocol_get_u64(&reply);
        c->event->end = protocol_get_u64(&reply);
        for (cl_uint i = 0; i < l->buffer_count; i++) buffer_written(l->buffers[i]);
    }
    protocol_free(&reply);
    return status == PROTOCOL_OK ? CL_SUCCESS : CL_OUT_OF_RESOURCES;
}

static void release_launch(struct command *c) {
    struct launch *l = (struct launch *)c;
    protocol_free(&l->request);
    for (cl_uint i = 0; i < l->buffer_count; i++) objects_unuse(l->buffers[i]);
    free(l->buffers);
    objects_unuse(l->kernel);
}

static void put_argument(struct launch *l, const struct kernel_argument_facts *f, const struct argument *a) {
    struct protocol_message *m = &l->request;
    if (f->space == PROTOCOL_LOCAL) {
        protocol_put_u32(m, PROTOCOL_ARGUMENT_LOCAL);
        protocol_put_u64(m, a->size);
    } else if (f->space == PROTOCOL_PRIVATE) {
        protocol_put_u32(m, PROTOCOL_ARGUMENT_VALUE);
        protocol_put_block(m, a->value, a->size);
    } else if (a->buffer == NULL) {
        protocol_put_u32(m, PROTOCOL_ARGUMENT_NULL);
    } else {
        protocol_put_u32(m, PROTOCOL_ARGUMENT_BUFFER);
        protocol_put_u32(m, a->buffer->id);
        protocol_put_u64(m, a->buffer->origin);
        objects_use(a->buffer);
        l->buffers[l->buffer_count++] = a->buffer;
    }
}

/* False if memory is out. */
static bool fill_launch(struct launch *l, cl_kernel kernel, cl_uint dimensions, const struct work_size *w) {
    struct protocol_message *m = &l->request;
    l->command.run = run_launch;
    l->command.release = release_launch;
    l->kernel = kernel;
    objects_use(kernel);
    protocol_begin(m, PROTOCOL_LAUNCH);
    l->buffers = calloc((size_t)kernel->facts->argument_count + 1, sizeof(cl_mem));
    if (l->buffers == NULL) return false;
    protocol_put_u32(m, kernel->program->id);
    protocol_put_text(m, kernel->facts->name);
    protocol_put_u32(m, dimensions);
    for (int d = 0; d < 3; d++) {
        protocol_put_u64(m, w->global[d]);
        protocol_put_u64(m, w->local[d]);
        protocol_put_u64(m, w->offset[d]);
    }
    protocol_put_u32(m, kernel->facts->argument_count);
    for (cl_uint i = 0; i < kernel->facts->argument_count; i++)
        put_argument(l, &kernel->facts->arguments[i], &kernel->arguments[i]);
    return !m->bad;
}

static cl_int check_kernel(cl_command_queue queue, cl_kernel kernel) {
    if (!objects_is(queue, OBJECT_QUEUE)) return CL_INVALID_COMMAND_QUEUE;
    if (!objects_is(kernel, OBJECT_KERNEL)) return CL_INVALID_KERNEL;
    if (kernel->program->context != queue->context) return CL_INVALID_CONTEXT;
    uint64_t local_bytes = kernel->facts->local_bytes;
    for (cl_uint i = 0; i < kernel->facts->argument_count; i++) {
        if (!kernel->arguments[i].set) return CL_INVALID_KERNEL_ARGS;
        if (kernel->facts->arguments[i].space == PROTOCOL_LOCAL) local_bytes += kernel->arguments[i].size;
    }
    return local_bytes <= connection_device()->local_bytes ? CL_SUCCESS : CL_OUT_OF_RESOURCES;
}

static cl_int enqueue_kernel(cl_command_queue queue, cl_command_type type, cl_kernel kernel,
                             cl_uint dimensions, const size_t *offset, const size_t *global,
                             const size_t *local, cl_uint wait_count, const cl_event *waits,
                             cl_event *event) {
    struct work_size w;
    cl_int status = check_kernel(queue, kernel);
    if (status == CL_SUCCESS)
        status = get_sizes(&w, kernel->facts->required_size, dimensions, offset, global, local);
    if (status == CL_SUCCESS) status = command_check(queue, wait_count, waits);
    if (status != CL_SUCCESS) return status;
    struct launch *l = command_create(sizeof *l, queue, type, wait_count, waits, &status);
    if (l == NULL) return status;
    /* A request that could not be made whole is not sent: the command fails when it runs. */
    if (!fill_launch(l, kernel, dimensions, &w)) l->request.bad = true;
    return command_enqueue(l, false, event);
}

cl_int CL_API_CALL driver_clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                                 const size_t *offset, const size_t *global,
                                                 const size_t *local, cl_uint wait_count,
                                                 const cl_event *waits, cl_event *event) {
    DRIVER_LOCKED;
    return enqueue_kernel(queue, CL_COMMAND_NDRANGE_KERNEL, kernel, dimensions, offset, global, local,
                          wait_count, waits, event);
}

cl_int CL_API_CALL driver_clEnqueueTask(cl_command_queue queue, cl_kernel kernel, cl_uint wait_count,
                                        const cl_event *waits, cl_event *event) {
    DRIVER_LOCKED;
    return enqueue_kernel(queue, CL_COMMAND_TASK, kernel, 1, NULL, (size_t[]){1}, (size_t[]){1}, wait_count,
                          waits, event);
}

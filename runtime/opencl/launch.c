/* Kernel launches: clEnqueueNDRangeKernel, clEnqueueTask, and clEnqueueNativeKernel refused. */
#include "runtime/opencl/command.h"
#include "runtime/opencl/connection.h"
#include "runtime/opencl/message.h"
#include "runtime/opencl/storage.h"

#include <stdio.h>
#include <stdlib.h>

struct launch {
    struct command command;
    struct protocol_message request; /* complete request: arguments as they are at the time of the call */
    cl_kernel kernel;
    cl_mem *memories; /* objects that the kernel may write, kept until it has run */
    cl_uint memory_count;
};

struct work_size {
    size_t global[3], local[3], offset[3];
};

/* --- sizes --- */

/* Returns the largest divisor of `size` up to `room`; one that makes the group a multiple of the warp, if
 * there is any. */
static size_t choose_divisor(size_t size, size_t room, size_t group, size_t warp) {
    size_t any = 1;
    for (size_t d = size < room ? size : room; d >= 1; d--) {
        if (size % d != 0) continue;
        if (group * d % warp == 0) return d;
        if (any == 1) any = d;
    }
    return any;
}

static void choose_local_size(struct work_size *w, size_t limit) {
    size_t group = 1;
    for (int d = 0; d < 3; d++) {
        size_t room = limit / group;
        w->local[d] = choose_divisor(w->global[d], room, group, connection_device()->warp_size);
        group *= w->local[d];
    }
}

/* Writes the end of a message: the settings that would make room for a larger work-group. */
static const char *room_for(const struct kernel_facts *k, size_t items, char *text, size_t size) {
    struct protocol_message request, reply;
    protocol_begin(&request, PROTOCOL_ROOM);
    protocol_put_u64(&request, items);
    protocol_put_u32(&request, k->registers);
    const bool told = connection_request(&request, &reply, NULL) == PROTOCOL_OK;
    const char *options = told ? protocol_get_text(&reply) : "";
    if (options[0] != 0)
        snprintf(text, size, "; a machine with room for them: lockstep run %s", options);
    else
        snprintf(text, size, ", and no machine for more than 1024");
    protocol_free(&reply);
    return text;
}

static cl_int check_local_size(const struct kernel_facts *k, const struct work_size *w) {
    const size_t device = connection_device()->max_work_group, limit = k->max_work_group, *n = w->local;
    const uint32_t *required = k->required_size;
    char room[160];
    for (unsigned d = 0; d < 3; d++) {
        if (n[d] > device) {
            message_print("kernel %s: work-groups of %zu work-items in dimension %u; the device has room for "
                          "%zu%s",
                          k->name, n[d], d, device, room_for(k, n[0] * n[1] * n[2], room, sizeof room));
            return CL_INVALID_WORK_ITEM_SIZE;
        }
        if (n[d] == 0 || w->global[d] % n[d] != 0) {
            message_print("kernel %s: work-groups of %zu do not divide %zu work-items in dimension %u",
                          k->name, n[d], w->global[d], d);
            return CL_INVALID_WORK_GROUP_SIZE;
        }
    }
    if (required[0] != 0 && (n[0] != required[0] || n[1] != required[1] || n[2] != required[2])) {
        message_print("kernel %s: work-groups of %zu x %zu x %zu; its reqd_work_group_size is %u x %u x %u",
                      k->name, n[0], n[1], n[2], required[0], required[1], required[2]);
        return CL_INVALID_WORK_GROUP_SIZE;
    }
    if (n[0] * n[1] * n[2] <= limit) return CL_SUCCESS;
    message_print(
        "kernel %s: work-groups of %zu x %zu x %zu = %zu work-items; the device has room for %zu%s%s",
        k->name, n[0], n[1], n[2], n[0] * n[1] * n[2], limit, limit < device ? " of this kernel" : "",
        room_for(k, n[0] * n[1] * n[2], room, sizeof room));
    return CL_INVALID_WORK_GROUP_SIZE;
}

static cl_int get_sizes(struct work_size *w, const struct kernel_facts *k, cl_uint dimensions,
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
    if (local != NULL) return check_local_size(k, w);
    if (k->required_size[0] != 0) {
        message_print("kernel %s: no local size is given; its reqd_work_group_size is %u x %u x %u", k->name,
                      k->required_size[0], k->required_size[1], k->required_size[2]);
        return CL_INVALID_WORK_GROUP_SIZE;
    }
    choose_local_size(w, k->max_work_group);
    return CL_SUCCESS;
}

/* --- the command --- */

/* Prints the kernel's output as the program's own. */
static void print_output(struct protocol_message *reply) {
    size_t size;
    const void *bytes = protocol_get_block(reply, &size);
    if (bytes == NULL || size == 0) return;
    fwrite(bytes, 1, size, stdout);
    fflush(stdout);
}

static cl_int run_launch(struct command *c) {
    struct launch *l = (struct launch *)c;
    struct protocol_message reply;
    const char *text = "the simulator has ended";
    uint32_t status = connection_request(&l->request, &reply, &text);
    if (status == PROTOCOL_OK) {
        c->event->start = connection_time(protocol_get_u64(&reply));
        c->event->end = connection_time(protocol_get_u64(&reply));
        print_output(&reply);
        for (cl_uint i = 0; i < l->memory_count; i++) storage_written(l->memories[i]);
    } else {
        if (status == PROTOCOL_BAD_SIZES) message_print("%s", text);
        message_notify(c->queue->context, text);
    }
    protocol_free(&reply);
    return status == PROTOCOL_OK ? CL_SUCCESS : CL_OUT_OF_RESOURCES;
}

static void release_launch(struct command *c) {
    struct launch *l = (struct launch *)c;
    protocol_free(&l->request);
    for (cl_uint i = 0; i < l->memory_count; i++) objects_unuse(l->memories[i]);
    free(l->memories);
    objects_unuse(l->kernel);
}

/* Keeps the object until the launch is over. A released object is the program's mistake: the kernel
 * accesses an unused address. */
static void keep_memory(struct launch *l, const struct kernel_argument_facts *f, const struct argument *a) {
    char released[250] = "released";
    if (objects_is_same(a->memory, a->serial)) {
        objects_use(a->memory);
        l->memories[l->memory_count++] = a->memory;
        return;
    }
    objects_describe_released(a->memory, released, sizeof released);
    message_print("kernel %s: its argument '%s' is a memory object that was %s; a kernel that uses it stops",
                  l->kernel->facts->name, f->name, released);
}

static void put_image(struct protocol_message *m, const struct argument *a) {
    const struct image_shape *s = &a->image;
    protocol_put_u32(m, PROTOCOL_ARGUMENT_IMAGE);
    protocol_put_u32(m, a->id);
    protocol_put_u32(m, (uint32_t)s->width);
    protocol_put_u32(m, (uint32_t)s->height);
    protocol_put_u32(m, (uint32_t)s->row_pitch);
    protocol_put_u32(m, (uint32_t)s->element_bytes);
    protocol_put_u32(m, s->format.image_channel_order);
    protocol_put_u32(m, s->format.image_channel_data_type);
}

static void put_argument(struct launch *l, const struct kernel_argument_facts *f, const struct argument *a) {
    struct protocol_message *m = &l->request;
    if (a->memory != NULL) keep_memory(l, f, a);
    if (f->space == PROTOCOL_LOCAL) {
        protocol_put_u32(m, PROTOCOL_ARGUMENT_LOCAL);
        protocol_put_u64(m, a->size);
    } else if (f->space == PROTOCOL_PRIVATE || f->space == PROTOCOL_SAMPLER) {
        protocol_put_u32(m, PROTOCOL_ARGUMENT_VALUE);
        protocol_put_block(m, a->value, a->size);
    } else if (f->space == PROTOCOL_IMAGE2D) {
        put_image(m, a);
    } else if (a->memory == NULL) {
        protocol_put_u32(m, PROTOCOL_ARGUMENT_NULL);
    } else {
        protocol_put_u32(m, PROTOCOL_ARGUMENT_BUFFER);
        protocol_put_u32(m, a->id);
        protocol_put_u64(m, a->origin);
    }
}

/* Fills in the launch. Returns false if memory is out. */
static bool fill_launch(struct launch *l, cl_kernel kernel, cl_uint dimensions, const struct work_size *w) {
    struct protocol_message *m = &l->request;
    l->command.run = run_launch;
    l->command.release = release_launch;
    l->kernel = kernel;
    objects_use(kernel);
    protocol_begin(m, PROTOCOL_LAUNCH);
    l->memories = calloc((size_t)kernel->facts->argument_count + 1, sizeof(cl_mem));
    if (l->memories == NULL) return false;
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
        if (!kernel->arguments[i].set) {
            message_print("kernel %s: its argument %u ('%s') is not set", kernel->facts->name, i,
                          kernel->facts->arguments[i].name);
            return CL_INVALID_KERNEL_ARGS;
        }
        if (kernel->facts->arguments[i].space == PROTOCOL_LOCAL) local_bytes += kernel->arguments[i].size;
    }
    if (local_bytes <= connection_device()->local_bytes) return CL_SUCCESS;
    message_print("kernel %s: its work-groups need %llu bytes of local memory, the device has %llu",
                  kernel->facts->name, (unsigned long long)local_bytes,
                  (unsigned long long)connection_device()->local_bytes);
    return CL_OUT_OF_RESOURCES;
}

static cl_int enqueue_kernel(cl_command_queue queue, cl_command_type type, cl_kernel kernel,
                             cl_uint dimensions, const size_t *offset, const size_t *global,
                             const size_t *local, cl_uint wait_count, const cl_event *waits,
                             cl_event *event) {
    struct work_size w;
    cl_int status = check_kernel(queue, kernel);
    if (status == CL_SUCCESS) status = get_sizes(&w, kernel->facts, dimensions, offset, global, local);
    if (status == CL_SUCCESS) status = command_check(queue, wait_count, waits);
    if (status != CL_SUCCESS) return status;
    struct launch *l = command_create(sizeof *l, queue, type, wait_count, waits, &status);
    if (l == NULL) return status;
    /* An incomplete request is not sent: the command fails when it runs. */
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

/* The device does not run host code (CL_DEVICE_EXECUTION_CAPABILITIES). */
cl_int CL_API_CALL driver_clEnqueueNativeKernel(cl_command_queue queue, void(CL_CALLBACK *function)(void *),
                                                void *arguments, size_t size, cl_uint memory_count,
                                                const cl_mem *memories, const void **locations,
                                                cl_uint wait_count, const cl_event *waits, cl_event *event) {
    DRIVER_LOCKED;
    (void)event;
    cl_int status = command_check(queue, wait_count, waits);
    if (status != CL_SUCCESS) return status;
    if (function == NULL || (arguments == NULL) != (size == 0) || (arguments == NULL && memory_count > 0) ||
        (memory_count == 0) != (memories == NULL) || (memory_count == 0) != (locations == NULL))
        return CL_INVALID_VALUE;
    unsupported_say("clEnqueueNativeKernel (the device runs no host code)");
    return CL_INVALID_OPERATION;
}

/* Commands that move bytes between buffers and the program's memory, or fill buffers. */
#include "runtime/opencl/transfer.h"

#include "runtime/opencl/storage.h"

#include <string.h>

struct fill {
    struct command command;
    cl_mem to;
    size_t offset, size, pattern_size;
    uint8_t pattern[128];
};

static cl_int run_transfer(struct command *c) {
    struct transfer *t = (struct transfer *)c;
    for (size_t z = 0; z < t->region[2]; z++)
        for (size_t y = 0; y < t->region[1]; y++)
            memmove(t->target + t->target_box.offset + z * t->target_box.slice_pitch +
                        y * t->target_box.row_pitch,
                    t->source + t->source_box.offset + z * t->source_box.slice_pitch +
                        y * t->source_box.row_pitch,
                    t->region[0]);
    if (t->to == NULL) return CL_SUCCESS;
    storage_written(t->to);
    storage_host_wrote(t->to, t->target_box.offset, t->region, t->target_box.row_pitch,
                       t->target_box.slice_pitch);
    return CL_SUCCESS;
}

static void release_transfer(struct command *c) {
    struct transfer *t = (struct transfer *)c;
    objects_unuse(t->from);
    objects_unuse(t->to);
}

cl_int transfer_enqueue(cl_command_queue queue, cl_command_type type, const struct transfer *what, void *host,
                        cl_bool blocking, cl_uint wait_count, const cl_event *waits, cl_event *event) {
    cl_int status;
    struct transfer *t = command_create(sizeof *t, queue, type, wait_count, waits, &status);
    if (t == NULL) return status;
    struct command command = t->command;
    *t = *what;
    t->command = command;
    t->source = t->from != NULL ? t->from->bytes : host;
    t->target = t->to != NULL ? t->to->bytes : host;
    objects_use(t->from);
    objects_use(t->to);
    t->command.bytes = t->region[0] * t->region[1] * t->region[2];
    t->command.run = run_transfer;
    t->command.release = release_transfer;
    return command_enqueue(t, blocking, event);
}

cl_int transfer_check(cl_command_queue queue, cl_mem m, enum object_kind kind, cl_uint wait_count,
                      const cl_event *waits) {
    if (!objects_is(queue, OBJECT_QUEUE)) return CL_INVALID_COMMAND_QUEUE;
    if (!objects_is(m, kind)) return CL_INVALID_MEM_OBJECT;
    if (m->context != queue->context) return CL_INVALID_CONTEXT;
    return command_check(queue, wait_count, waits);
}

bool transfer_within(const struct _cl_mem *b, size_t offset, size_t size) {
    return size > 0 && offset <= b->size && size <= b->size - offset;
}

/* --- linear --- */

cl_int CL_API_CALL driver_clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                              size_t offset, size_t size, void *host, cl_uint wait_count,
                                              const cl_event *waits, cl_event *event) {
    DRIVER_LOCKED;
    cl_int status = transfer_check(queue, buffer, OBJECT_BUFFER, wait_count, waits);
    if (status != CL_SUCCESS) return status;
    if (host == NULL || !transfer_within(buffer, offset, size)) return CL_INVALID_VALUE;
    if (!storage_host_reads(buffer)) return CL_INVALID_OPERATION;
    struct transfer t = {.from = buffer, .source_box = {offset, 0, 0}, .region = {size, 1, 1}};
    return transfer_enqueue(queue, CL_COMMAND_READ_BUFFER, &t, host, blocking, wait_count, waits, event);
}

cl_int CL_API_CALL driver_clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                               size_t offset, size_t size, const void *host,
                                               cl_uint wait_count, const cl_event *waits, cl_event *event) {
    DRIVER_LOCKED;
    cl_int status = transfer_check(queue, buffer, OBJECT_BUFFER, wait_count, waits);
    if (status != CL_SUCCESS) return status;
    if (host == NULL || !transfer_within(buffer, offset, size)) return CL_INVALID_VALUE;
    if (!storage_host_writes(buffer)) return CL_INVALID_OPERATION;
    struct transfer t = {.to = buffer, .target_box = {offset, 0, 0}, .region = {size, 1, 1}};
    return transfer_enqueue(queue, CL_COMMAND_WRITE_BUFFER, &t, (void *)(uintptr_t)host, blocking, wait_count,
                            waits, event);
}

cl_int CL_API_CALL driver_clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from, cl_mem to,
                                              size_t from_offset, size_t to_offset, size_t size,
                                              cl_uint wait_count, const cl_event *waits, cl_event *event) {
    DRIVER_LOCKED;
    cl_int status = transfer_check(queue, from, OBJECT_BUFFER, wait_count, waits);
    if (status == CL_SUCCESS) status = transfer_check(queue, to, OBJECT_BUFFER, wait_count, waits);
    if (status != CL_SUCCESS) return status;
    if (!transfer_within(from, from_offset, size) || !transfer_within(to, to_offset, size))
        return CL_INVALID_VALUE;
    size_t a = from->origin + from_offset, b = to->origin + to_offset;
    if (storage_root(from) == storage_root(to) && a < b + size && b < a + size) return CL_MEM_COPY_OVERLAP;
    struct transfer t = {.from = from,
                         .to = to,
                         .source_box = {from_offset, 0, 0},
                         .target_box = {to_offset, 0, 0},
                         .region = {size, 1, 1}};
    return transfer_enqueue(queue, CL_COMMAND_COPY_BUFFER, &t, NULL, CL_FALSE, wait_count, waits, event);
}

static cl_int run_fill(struct command *c) {
    const struct fill *f = (struct fill *)c;
    for (size_t at = 0; at < f->size; at += f->pattern_size)
        memcpy(f->to->bytes + f->offset + at, f->pattern, f->pattern_size);
    storage_written(f->to);
    storage_host_wrote(f->to, f->offset, (size_t[]){f->size, 1, 1}, 0, 0);
    return CL_SUCCESS;
}

static void release_fill(struct command *c) {
    objects_unuse(((struct fill *)c)->to);
}

cl_int CL_API_CALL driver_clEnqueueFillBuffer(cl_command_queue queue, cl_mem buffer, const void *pattern,
                                              size_t pattern_size, size_t offset, size_t size,
                                              cl_uint wait_count, const cl_event *waits, cl_event *event) {
    DRIVER_LOCKED;
    cl_int status = transfer_check(queue, buffer, OBJECT_BUFFER, wait_count, waits);
    if (status != CL_SUCCESS) return status;
    bool sized = pattern_size > 0 && pattern_size <= 128 && (pattern_size & (pattern_size - 1)) == 0;
    if (pattern == NULL || !sized || offset % pattern_size != 0 || size % pattern_size != 0 ||
        !transfer_within(buffer, offset, size))
        return CL_INVALID_VALUE;
    struct fill *f = command_create(sizeof *f, queue, CL_COMMAND_FILL_BUFFER, wait_count, waits, &status);
    if (f == NULL) return status;
    f->to = buffer;
    f->offset = offset;
    f->size = size;
    f->pattern_size = pattern_size;
    memcpy(f->pattern, pattern, pattern_size);
    objects_use(buffer);
    f->command.bytes = size;
    f->command.run = run_fill;
    f->command.release = release_fill;
    return command_enqueue(f, false, event);
}

/* --- boxes --- */

/* Fills in pitches left to the driver, and computes where the box begins and the number of bytes that it
 * spans. */
static bool lay_out(struct box *b, size_t *span, const size_t origin[3], const size_t region[3],
                    size_t row_pitch, size_t slice_pitch) {
    if (region[0] == 0 || region[1] == 0 || region[2] == 0) return false;
    size_t rows, slices, top, at, last_row, last_slice;
    if (row_pitch == 0) row_pitch = region[0];
    if (row_pitch < region[0] || __builtin_mul_overflow(region[1], row_pitch, &rows)) return false;
    if (slice_pitch == 0) slice_pitch = rows;
    if (slice_pitch < rows || slice_pitch % row_pitch != 0) return false;
    if (__builtin_mul_overflow(origin[2], slice_pitch, &slices) ||
        __builtin_mul_overflow(origin[1], row_pitch, &top) || __builtin_add_overflow(slices, top, &at) ||
        __builtin_add_overflow(at, origin[0], &at))
        return false;
    if (__builtin_mul_overflow(region[2] - 1, slice_pitch, &last_slice) ||
        __builtin_add_overflow(last_slice, (region[1] - 1) * row_pitch, &last_row) ||
        __builtin_add_overflow(last_row, region[0], span))
        return false;
    *b = (struct box){at, row_pitch, slice_pitch};
    return true;
}

/* Lays out a transfer between a buffer and host memory. */
static bool lay_out_both(const struct _cl_mem *buffer, struct box *in_buffer, struct box *in_host,
                         const size_t *buffer_origin, const size_t *host_origin, const size_t *region,
                         const size_t pitch[4]) {
    size_t span;
    if (buffer_origin == NULL || host_origin == NULL || region == NULL) return false;
    if (!lay_out(in_host, &span, host_origin, region, pitch[2], pitch[3])) return false;
    return lay_out(in_buffer, &span, buffer_origin, region, pitch[0], pitch[1]) &&
           transfer_within(buffer, in_buffer->offset, span);
}

cl_int CL_API_CALL driver_clEnqueueReadBufferRect(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                                  const size_t *buffer_origin, const size_t *host_origin,
                                                  const size_t *region, size_t buffer_row,
                                                  size_t buffer_slice, size_t host_row, size_t host_slice,
                                                  void *host, cl_uint wait_count, const cl_event *waits,
                                                  cl_event *event) {
    DRIVER_LOCKED;
    struct transfer t = {.from = buffer};
    cl_int status = transfer_check(queue, buffer, OBJECT_BUFFER, wait_count, waits);
    if (status != CL_SUCCESS) return status;
    if (host == NULL || !lay_out_both(buffer, &t.source_box, &t.target_box, buffer_origin, host_origin,
                                      region, (size_t[]){buffer_row, buffer_slice, host_row, host_slice}))
        return CL_INVALID_VALUE;
    if (!storage_host_reads(buffer)) return CL_INVALID_OPERATION;
    memcpy(t.region, region, sizeof t.region);
    return transfer_enqueue(queue, CL_COMMAND_READ_BUFFER_RECT, &t, host, blocking, wait_count, waits, event);
}

cl_int CL_API_CALL driver_clEnqueueWriteBufferRect(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                                   const size_t *buffer_origin, const size_t *host_origin,
                                                   const size_t *region, size_t buffer_row,
                                                   size_t buffer_slice, size_t host_row, size_t host_slice,
                                                   const void *host, cl_uint wait_count,
                                                   const cl_event *waits, cl_event *event) {
    DRIVER_LOCKED;
    struct transfer t = {.to = buffer};
    cl_int status = transfer_check(queue, buffer, OBJECT_BUFFER, wait_count, waits);
    if (status != CL_SUCCESS) return status;
    if (host == NULL || !lay_out_both(buffer, &t.target_box, &t.source_box, buffer_origin, host_origin,
                                      region, (size_t[]){buffer_row, buffer_slice, host_row, host_slice}))
        return CL_INVALID_VALUE;
    if (!storage_host_writes(buffer)) return CL_INVALID_OPERATION;
    memcpy(t.region, region, sizeof t.region);
    return transfer_enqueue(queue, CL_COMMAND_WRITE_BUFFER_RECT, &t, (void *)(uintptr_t)host, blocking,
                            wait_count, waits, event);
}

static bool ranges_meet(size_t a, size_t b, size_t length) {
    return a < b + length && b < a + length;
}

/* Returns whether two boxes of the same pitches in the same memory share a byte, by the standard's own
 * rule. */
static bool boxes_meet(size_t a, size_t b, const struct box *pitch, const size_t region[3]) {
    size_t slice = pitch->slice_pitch, row = pitch->row_pitch;
    return ranges_meet(a / slice, b / slice, region[2]) &&
           ranges_meet(a % slice / row, b % slice / row, region[1]) &&
           ranges_meet(a % slice % row, b % slice % row, region[0]);
}

cl_int CL_API_CALL driver_clEnqueueCopyBufferRect(cl_command_queue queue, cl_mem from, cl_mem to,
                                                  const size_t *from_origin, const size_t *to_origin,
                                                  const size_t *region, size_t from_row, size_t from_slice,
                                                  size_t to_row, size_t to_slice, cl_uint wait_count,
                                                  const cl_event *waits, cl_event *event) {
    DRIVER_LOCKED;
    struct transfer t = {.from = from, .to = to};
    cl_int status = transfer_check(queue, from, OBJECT_BUFFER, wait_count, waits);
    if (status == CL_SUCCESS) status = transfer_check(queue, to, OBJECT_BUFFER, wait_count, waits);
    if (status != CL_SUCCESS) return status;
    size_t span;
    if (from_origin == NULL || to_origin == NULL || region == NULL) return CL_INVALID_VALUE;
    if (!lay_out(&t.source_box, &span, from_origin, region, from_row, from_slice) ||
        !transfer_within(from, t.source_box.offset, span) ||
        !lay_out(&t.target_box, &span, to_origin, region, to_row, to_slice) ||
        !transfer_within(to, t.target_box.offset, span))
        return CL_INVALID_VALUE;
    if (from == to && (t.source_box.row_pitch != t.target_box.row_pitch ||
                       t.source_box.slice_pitch != t.target_box.slice_pitch))
        return CL_INVALID_VALUE;
    if (storage_root(from) == storage_root(to) &&
        boxes_meet(from->origin + t.source_box.offset, to->origin + t.target_box.offset, &t.source_box,
                   region))
        return CL_MEM_COPY_OVERLAP;
    memcpy(t.region, region, sizeof t.region);
    return transfer_enqueue(queue, CL_COMMAND_COPY_BUFFER_RECT, &t, NULL, CL_FALSE, wait_count, waits, event);
}

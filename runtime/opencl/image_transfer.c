/* Commands that read, write, copy and fill images, and copy between images and buffers. */
#include "runtime/opencl/image.h"
#include "runtime/opencl/pixel.h"
#include "runtime/opencl/storage.h"

#include <string.h>

struct image_fill {
    struct command command;
    cl_mem to;
    struct box box;
    size_t region[3]; /* size in bytes, rows, slices */
    size_t element_bytes;
    uint8_t pixel[PIXEL_MAX_BYTES];
};

cl_int image_box(const struct _cl_mem *image, const size_t *origin, const size_t *region, struct box *box,
                 size_t bytes[3]) {
    const struct image_shape *s = &image->image;
    if (origin == NULL || region == NULL || origin[2] != 0 || region[2] != 1 || region[0] == 0 ||
        region[1] == 0 || origin[0] > s->width || region[0] > s->width - origin[0] || origin[1] > s->height ||
        region[1] > s->height - origin[1])
        return CL_INVALID_VALUE;
    *box = (struct box){origin[1] * s->row_pitch + origin[0] * s->element_bytes, s->row_pitch, 0};
    bytes[0] = region[0] * s->element_bytes;
    bytes[1] = region[1];
    bytes[2] = 1;
    return CL_SUCCESS;
}

/* Computes the box in the program's memory to or from which an image is copied. */
static cl_int host_box(const void *host, size_t row_pitch, size_t slice_pitch, const size_t bytes[3],
                       struct box *box) {
    if (host == NULL || slice_pitch != 0 || (row_pitch != 0 && row_pitch < bytes[0])) return CL_INVALID_VALUE;
    *box = (struct box){0, row_pitch != 0 ? row_pitch : bytes[0], 0};
    return CL_SUCCESS;
}

cl_int CL_API_CALL driver_clEnqueueReadImage(cl_command_queue queue, cl_mem image, cl_bool blocking,
                                             const size_t *origin, const size_t *region, size_t row_pitch,
                                             size_t slice_pitch, void *host, cl_uint wait_count,
                                             const cl_event *waits, cl_event *event) {
    DRIVER_LOCKED;
    struct transfer t = {.from = image};
    cl_int status = transfer_check(queue, image, OBJECT_IMAGE, wait_count, waits);
    if (status == CL_SUCCESS) status = image_box(image, origin, region, &t.source_box, t.region);
    if (status == CL_SUCCESS) status = host_box(host, row_pitch, slice_pitch, t.region, &t.target_box);
    if (status == CL_SUCCESS && !storage_host_reads(image)) status = CL_INVALID_OPERATION;
    if (status != CL_SUCCESS) return status;
    return transfer_enqueue(queue, CL_COMMAND_READ_IMAGE, &t, host, blocking, wait_count, waits, event);
}

cl_int CL_API_CALL driver_clEnqueueWriteImage(cl_command_queue queue, cl_mem image, cl_bool blocking,
                                              const size_t *origin, const size_t *region, size_t row_pitch,
                                              size_t slice_pitch, const void *host, cl_uint wait_count,
                                              const cl_event *waits, cl_event *event) {
    DRIVER_LOCKED;
    struct transfer t = {.to = image};
    cl_int status = transfer_check(queue, image, OBJECT_IMAGE, wait_count, waits);
    if (status == CL_SUCCESS) status = image_box(image, origin, region, &t.target_box, t.region);
    if (status == CL_SUCCESS) status = host_box(host, row_pitch, slice_pitch, t.region, &t.source_box);
    if (status == CL_SUCCESS && !storage_host_writes(image)) status = CL_INVALID_OPERATION;
    if (status != CL_SUCCESS) return status;
    return transfer_enqueue(queue, CL_COMMAND_WRITE_IMAGE, &t, (void *)(uintptr_t)host, blocking, wait_count,
                            waits, event);
}

static bool ranges_meet(size_t a, size_t b, size_t length) {
    return a < b + length && b < a + length;
}

cl_int CL_API_CALL driver_clEnqueueCopyImage(cl_command_queue queue, cl_mem from, cl_mem to,
                                             const size_t *from_origin, const size_t *to_origin,
                                             const size_t *region, cl_uint wait_count, const cl_event *waits,
                                             cl_event *event) {
    DRIVER_LOCKED;
    struct transfer t = {.from = from, .to = to};
    cl_int status = transfer_check(queue, from, OBJECT_IMAGE, wait_count, waits);
    if (status == CL_SUCCESS) status = transfer_check(queue, to, OBJECT_IMAGE, wait_count, waits);
    if (status != CL_SUCCESS) return status;
    const cl_image_format *a = &from->image.format, *b = &to->image.format;
    if (a->image_channel_order != b->image_channel_order ||
        a->image_channel_data_type != b->image_channel_data_type)
        return CL_IMAGE_FORMAT_MISMATCH;
    status = image_box(from, from_origin, region, &t.source_box, t.region);
    if (status == CL_SUCCESS) status = image_box(to, to_origin, region, &t.target_box, t.region);
    if (status != CL_SUCCESS) return status;
    if (from == to && ranges_meet(from_origin[0], to_origin[0], region[0]) &&
        ranges_meet(from_origin[1], to_origin[1], region[1]))
        return CL_MEM_COPY_OVERLAP;
    return transfer_enqueue(queue, CL_COMMAND_COPY_IMAGE, &t, NULL, CL_FALSE, wait_count, waits, event);
}

/* Computes the box in a buffer to or from which a region of an image is copied. */
static cl_int buffer_box(const struct _cl_mem *buffer, size_t offset, const size_t bytes[3],
                         struct box *box) {
    if (!transfer_within(buffer, offset, bytes[0] * bytes[1])) return CL_INVALID_VALUE;
    *box = (struct box){offset, bytes[0], 0};
    return CL_SUCCESS;
}

cl_int CL_API_CALL driver_clEnqueueCopyImageToBuffer(cl_command_queue queue, cl_mem from, cl_mem to,
                                                     const size_t *origin, const size_t *region,
                                                     size_t offset, cl_uint wait_count, const cl_event *waits,
                                                     cl_event *event) {
    DRIVER_LOCKED;
    struct transfer t = {.from = from, .to = to};
    cl_int status = transfer_check(queue, from, OBJECT_IMAGE, wait_count, waits);
    if (status == CL_SUCCESS) status = transfer_check(queue, to, OBJECT_BUFFER, wait_count, waits);
    if (status == CL_SUCCESS) status = image_box(from, origin, region, &t.source_box, t.region);
    if (status == CL_SUCCESS) status = buffer_box(to, offset, t.region, &t.target_box);
    if (status != CL_SUCCESS) return status;
    return transfer_enqueue(queue, CL_COMMAND_COPY_IMAGE_TO_BUFFER, &t, NULL, CL_FALSE, wait_count, waits,
                            event);
}

cl_int CL_API_CALL driver_clEnqueueCopyBufferToImage(cl_command_queue queue, cl_mem from, cl_mem to,
                                                     size_t offset, const size_t *origin,
                                                     const size_t *region, cl_uint wait_count,
                                                     const cl_event *waits, cl_event *event) {
    DRIVER_LOCKED;
    struct transfer t = {.from = from, .to = to};
    cl_int status = transfer_check(queue, from, OBJECT_BUFFER, wait_count, waits);
    if (status == CL_SUCCESS) status = transfer_check(queue, to, OBJECT_IMAGE, wait_count, waits);
    if (status == CL_SUCCESS) status = image_box(to, origin, region, &t.target_box, t.region);
    if (status == CL_SUCCESS) status = buffer_box(from, offset, t.region, &t.source_box);
    if (status != CL_SUCCESS) return status;
    return transfer_enqueue(queue, CL_COMMAND_COPY_BUFFER_TO_IMAGE, &t, NULL, CL_FALSE, wait_count, waits,
                            event);
}

/* --- filling --- */

static cl_int run_fill(struct command *c) {
    const struct image_fill *f = (struct image_fill *)c;
    for (size_t y = 0; y < f->region[1]; y++) {
        uint8_t *row = f->to->bytes + f->box.offset + y * f->box.row_pitch;
        for (size_t at = 0; at < f->region[0]; at += f->element_bytes)
            memcpy(row + at, f->pixel, f->element_bytes);
    }
    storage_written(f->to);
    storage_host_wrote(f->to, f->box.offset, f->region, f->box.row_pitch, f->box.slice_pitch);
    return CL_SUCCESS;
}

static void release_fill(struct command *c) {
    objects_unuse(((struct image_fill *)c)->to);
}

cl_int CL_API_CALL driver_clEnqueueFillImage(cl_command_queue queue, cl_mem image, const void *colour,
                                             const size_t *origin, const size_t *region, cl_uint wait_count,
                                             const cl_event *waits, cl_event *event) {
    DRIVER_LOCKED;
    struct box box;
    size_t bytes[3];
    cl_int status = transfer_check(queue, image, OBJECT_IMAGE, wait_count, waits);
    if (status == CL_SUCCESS && colour == NULL) status = CL_INVALID_VALUE;
    if (status == CL_SUCCESS) status = image_box(image, origin, region, &box, bytes);
    if (status != CL_SUCCESS) return status;
    struct image_fill *f =
        command_create(sizeof *f, queue, CL_COMMAND_FILL_IMAGE, wait_count, waits, &status);
    if (f == NULL) return status;
    f->to = image;
    f->box = box;
    memcpy(f->region, bytes, sizeof bytes);
    f->element_bytes = image->image.element_bytes;
    pixel_encode(&image->image.format, colour, f->pixel);
    objects_use(image);
    f->command.bytes = bytes[0] * bytes[1] * bytes[2];
    f->command.run = run_fill;
    f->command.release = release_fill;
    return command_enqueue(f, false, event);
}

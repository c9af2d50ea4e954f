/* api_errors_commands: error codes of the entry points that enqueue commands or concern events, for each
 * mistake. For this driver only, whose limits and refusals are expected. */
#include "tests/hosts/api_errors.h"

static cl_event not_an_event;
static unsigned char host[1024];
static const size_t zero[3] = {0, 0, 0}, one[3] = {1, 1, 1};

/* Checks common to every command. CALL(queue, number of events, events) */
#define COMMAND(CALL)                                                                                        \
    ROW("no queue", CL_INVALID_COMMAND_QUEUE, CALL(NULL, 0, NULL));                                          \
    ROW("not a queue", CL_INVALID_COMMAND_QUEUE, CALL((cl_command_queue)context, 0, NULL));                  \
    ROW("no wait list", CL_INVALID_EVENT_WAIT_LIST, CALL(queue, 1, NULL));                                   \
    ROW("a wait list of no events", CL_INVALID_EVENT_WAIT_LIST, CALL(queue, 0, &event));                     \
    ROW("no event in the list", CL_INVALID_EVENT_WAIT_LIST, CALL(queue, 1, &not_an_event));                  \
    ROW("another context's event", CL_INVALID_CONTEXT, CALL(queue, 1, &other_event))
/* Checks common to every command on a memory object. CALL(queue, object, number of events, events) */
#define MEMORY_COMMAND(CALL, GOOD, WRONG_KIND, FOREIGN)                                                      \
    ROW("no queue", CL_INVALID_COMMAND_QUEUE, CALL(NULL, GOOD, 0, NULL));                                    \
    ROW("not a queue", CL_INVALID_COMMAND_QUEUE, CALL((cl_command_queue)context, GOOD, 0, NULL));            \
    ROW("no object", CL_INVALID_MEM_OBJECT, CALL(queue, NULL, 0, NULL));                                     \
    ROW("a stray handle", CL_INVALID_MEM_OBJECT, CALL(queue, STRAY(cl_mem), 0, NULL));                       \
    ROW("a released object", CL_INVALID_MEM_OBJECT, CALL(queue, released, 0, NULL));                         \
    ROW("not a memory object", CL_INVALID_MEM_OBJECT, CALL(queue, (cl_mem)context, 0, NULL));                \
    ROW("the other kind of object", CL_INVALID_MEM_OBJECT, CALL(queue, WRONG_KIND, 0, NULL));                \
    ROW("another context's object", CL_INVALID_CONTEXT, CALL(queue, FOREIGN, 0, NULL));                      \
    ROW("another context's queue", CL_INVALID_CONTEXT, CALL(other_queue, GOOD, 0, NULL));                    \
    ROW("no wait list", CL_INVALID_EVENT_WAIT_LIST, CALL(queue, GOOD, 1, NULL));                             \
    ROW("a wait list of no events", CL_INVALID_EVENT_WAIT_LIST, CALL(queue, GOOD, 0, &event));               \
    ROW("no event in the list", CL_INVALID_EVENT_WAIT_LIST, CALL(queue, GOOD, 1, &not_an_event));            \
    ROW("another context's event", CL_INVALID_CONTEXT, CALL(queue, GOOD, 1, &other_event))
#define BUFFER_COMMAND(CALL) MEMORY_COMMAND(CALL, buffer, image, other_buffer)
#define IMAGE_COMMAND(CALL)  MEMORY_COMMAND(CALL, image, buffer, other_image)

/* --- buffers --- */

#define READ(q, m, n, w)      clEnqueueReadBuffer(q, m, CL_TRUE, 0, 4, host, n, w, NULL)
#define WRITE(q, m, n, w)     clEnqueueWriteBuffer(q, m, CL_TRUE, 0, 4, host, n, w, NULL)
#define COPY_FROM(q, m, n, w) clEnqueueCopyBuffer(q, m, sub, 0, 0, 4, n, w, NULL)
#define COPY_TO(q, m, n, w)   clEnqueueCopyBuffer(q, sub, m, 0, 0, 4, n, w, NULL)
#define FILL(q, m, n, w)      clEnqueueFillBuffer(q, m, host, 4, 0, 4, n, w, NULL)

static void check_linear(void) {
    BUFFER_COMMAND(READ);
    BUFFER_COMMAND(WRITE);
    const cl_mem b = buffer;
    ROW("past the end", CL_INVALID_VALUE, clEnqueueReadBuffer(queue, b, CL_TRUE, 1021, 4, host, NO));
    ROW("behind the end", CL_INVALID_VALUE, clEnqueueReadBuffer(queue, b, CL_TRUE, 2000, 4, host, NO));
    ROW("nothing", CL_INVALID_VALUE, clEnqueueReadBuffer(queue, b, CL_TRUE, 0, 0, host, NO));
    ROW("no memory", CL_INVALID_VALUE, clEnqueueReadBuffer(queue, b, CL_TRUE, 0, 4, NULL, NO));
    ROW("past the part's end", CL_INVALID_VALUE, clEnqueueReadBuffer(queue, sub, CL_TRUE, 0, 257, host, NO));
    SUCCEEDS(clEnqueueReadBuffer(queue, sub, CL_TRUE, 0, 256, host, NO));
    ROW("no host access", CL_INVALID_OPERATION, clEnqueueReadBuffer(queue, hidden, CL_TRUE, 0, 4, host, NO));
    SUCCEEDS(clEnqueueReadBuffer(queue, read_only, CL_TRUE, 0, 4, host, NO));
    ROW("wraps around", CL_INVALID_VALUE, clEnqueueWriteBuffer(queue, b, CL_TRUE, (size_t)-4, 8, host, NO));
    ROW("past the end", CL_INVALID_VALUE, clEnqueueWriteBuffer(queue, b, CL_TRUE, 1000, 25, host, NO));
    ROW("no memory", CL_INVALID_VALUE, clEnqueueWriteBuffer(queue, b, CL_TRUE, 0, 4, NULL, NO));
    ROW("nothing", CL_INVALID_VALUE, clEnqueueWriteBuffer(queue, b, CL_TRUE, 0, 0, host, NO));
    ROW("host reads only", CL_INVALID_OPERATION,
        clEnqueueWriteBuffer(queue, read_only, CL_TRUE, 0, 4, host, NO));
    ROW("no host access", CL_INVALID_OPERATION, clEnqueueWriteBuffer(queue, hidden, CL_TRUE, 0, 4, host, NO));
}

static void check_copy_and_fill(void) {
    BUFFER_COMMAND(COPY_FROM);
    BUFFER_COMMAND(COPY_TO);
    BUFFER_COMMAND(FILL);
    const cl_mem b = buffer;
    ROW("overlap", CL_MEM_COPY_OVERLAP, clEnqueueCopyBuffer(queue, b, b, 0, 3, 4, NO));
    ROW("overlap", CL_MEM_COPY_OVERLAP, clEnqueueCopyBuffer(queue, b, b, 3, 0, 4, NO));
    SUCCEEDS(clEnqueueCopyBuffer(queue, b, b, 0, 4, 4, NO));
    ROW("overlap with a part", CL_MEM_COPY_OVERLAP, clEnqueueCopyBuffer(queue, b, sub, 128, 0, 4, NO));
    ROW("past the source", CL_INVALID_VALUE, clEnqueueCopyBuffer(queue, b, sub, 1021, 0, 4, NO));
    ROW("past the target", CL_INVALID_VALUE, clEnqueueCopyBuffer(queue, b, sub, 0, 253, 4, NO));
    ROW("nothing", CL_INVALID_VALUE, clEnqueueCopyBuffer(queue, b, sub, 0, 0, 0, NO));
    ROW("12 is no pattern size", CL_INVALID_VALUE, clEnqueueFillBuffer(queue, b, host, 12, 0, 24, NO));
    ROW("256 is no pattern size", CL_INVALID_VALUE, clEnqueueFillBuffer(queue, b, host, 256, 0, 256, NO));
    ROW("0 is no pattern size", CL_INVALID_VALUE, clEnqueueFillBuffer(queue, b, host, 0, 0, 4, NO));
    ROW("no pattern", CL_INVALID_VALUE, clEnqueueFillBuffer(queue, b, NULL, 4, 0, 4, NO));
    ROW("offset is no multiple", CL_INVALID_VALUE, clEnqueueFillBuffer(queue, b, host, 4, 2, 4, NO));
    ROW("size is no multiple", CL_INVALID_VALUE, clEnqueueFillBuffer(queue, b, host, 4, 0, 6, NO));
    ROW("past the end", CL_INVALID_VALUE, clEnqueueFillBuffer(queue, b, host, 4, 1020, 8, NO));
    SUCCEEDS(clEnqueueFillBuffer(queue, b, host, 128, 128, 256, NO));
}

#define READ_RECT(q, m, n, w)                                                                                \
    clEnqueueReadBufferRect(q, m, CL_TRUE, zero, zero, one, 0, 0, 0, 0, host, n, w, NULL)
#define WRITE_RECT(q, m, n, w)                                                                               \
    clEnqueueWriteBufferRect(q, m, CL_TRUE, zero, zero, one, 0, 0, 0, 0, host, n, w, NULL)
#define COPY_RECT_FROM(q, m, n, w) clEnqueueCopyBufferRect(q, m, sub, zero, zero, one, 0, 0, 0, 0, n, w, NULL)
#define COPY_RECT_TO(q, m, n, w)   clEnqueueCopyBufferRect(q, sub, m, zero, zero, one, 0, 0, 0, 0, n, w, NULL)
#define RECT(region, row, slice, host_row, host_slice, to)                                                   \
    clEnqueueReadBufferRect(queue, buffer, CL_TRUE, zero, zero, region, row, slice, host_row, host_slice,    \
                            to, NO)
#define RECT_W(from, region, row)                                                                            \
    clEnqueueWriteBufferRect(queue, buffer, CL_TRUE, from, zero, region, row, 0, 0, 0, host, NO)

static void check_rectangles(void) {
    const size_t some[3] = {16, 4, 1}, none[3] = {16, 0, 1}, late[3] = {0, 13, 0}, next[3] = {15, 0, 0},
                 beside[3] = {16, 0, 0};
    BUFFER_COMMAND(READ_RECT);
    BUFFER_COMMAND(WRITE_RECT);
    BUFFER_COMMAND(COPY_RECT_FROM);
    BUFFER_COMMAND(COPY_RECT_TO);
    SUCCEEDS(RECT(some, 64, 0, 0, 0, host));
    ROW("nothing", CL_INVALID_VALUE, RECT(none, 0, 0, 0, 0, host));
    ROW("no region", CL_INVALID_VALUE, RECT(NULL, 0, 0, 0, 0, host));
    ROW("no memory", CL_INVALID_VALUE, RECT(some, 0, 0, 0, 0, NULL));
    ROW("rows closer than long", CL_INVALID_VALUE, RECT(some, 15, 0, 0, 0, host));
    ROW("slices no multiple of rows", CL_INVALID_VALUE, RECT(some, 64, 257, 0, 0, host));
    ROW("slices smaller than rows", CL_INVALID_VALUE, RECT(some, 64, 64, 0, 0, host));
    ROW("the host's rows closer than long", CL_INVALID_VALUE, RECT(some, 0, 0, 8, 0, host));
    ROW("the host's slices no multiple", CL_INVALID_VALUE, RECT(some, 0, 0, 16, 65, host));
    ROW("past the end", CL_INVALID_VALUE, RECT_W(late, some, 64));
    ROW("overflow", CL_INVALID_VALUE, RECT_W(zero, some, (size_t)-1));
    ROW("no origin", CL_INVALID_VALUE, RECT_W(NULL, some, 64));
    ROW("host reads only", CL_INVALID_OPERATION,
        clEnqueueWriteBufferRect(queue, read_only, CL_TRUE, zero, zero, one, 0, 0, 0, 0, host, NO));
    ROW("no host access", CL_INVALID_OPERATION,
        clEnqueueReadBufferRect(queue, hidden, CL_TRUE, zero, zero, one, 0, 0, 0, 0, host, NO));
    ROW("overlap", CL_MEM_COPY_OVERLAP,
        clEnqueueCopyBufferRect(queue, buffer, buffer, zero, next, some, 64, 0, 64, 0, NO));
    ROW("two pitches in one buffer", CL_INVALID_VALUE,
        clEnqueueCopyBufferRect(queue, buffer, buffer, zero, next, some, 64, 0, 32, 0, NO));
    SUCCEEDS(clEnqueueCopyBufferRect(queue, buffer, buffer, zero, beside, some, 64, 0, 64, 0, NO));
    ROW("no origin", CL_INVALID_VALUE,
        clEnqueueCopyBufferRect(queue, buffer, sub, NULL, zero, some, 0, 0, 0, 0, NO));
    ROW("past the target", CL_INVALID_VALUE,
        clEnqueueCopyBufferRect(queue, buffer, sub, zero, late, some, 64, 0, 64, 0, NO));
}

/* --- images --- */

#define READ_IMAGE(q, m, n, w)      clEnqueueReadImage(q, m, CL_TRUE, zero, one, 0, 0, host, n, w, NULL)
#define WRITE_IMAGE(q, m, n, w)     clEnqueueWriteImage(q, m, CL_TRUE, zero, one, 0, 0, host, n, w, NULL)
#define COPY_IMAGE_FROM(q, m, n, w) clEnqueueCopyImage(q, m, hidden_image, zero, zero, one, n, w, NULL)
#define COPY_IMAGE_TO(q, m, n, w)   clEnqueueCopyImage(q, hidden_image, m, zero, zero, one, n, w, NULL)
#define FILL_IMAGE(q, m, n, w)      clEnqueueFillImage(q, m, host, zero, one, n, w, NULL)
#define TO_BUFFER(q, m, n, w)       clEnqueueCopyImageToBuffer(q, m, buffer, zero, one, 0, n, w, NULL)
#define IMAGE_TO(q, m, n, w)        clEnqueueCopyImageToBuffer(q, image, m, zero, one, 0, n, w, NULL)
#define FROM_BUFFER(q, m, n, w)     clEnqueueCopyBufferToImage(q, m, image, 0, zero, one, n, w, NULL)
#define BUFFER_TO(q, m, n, w)       clEnqueueCopyBufferToImage(q, buffer, m, 0, zero, one, n, w, NULL)

/* Origins and regions that are wrong in an image of 16 × 8. */
#define REGIONS(CALL)                                                                                        \
    ROW("no origin", CL_INVALID_VALUE, CALL(NULL, one));                                                     \
    ROW("no region", CL_INVALID_VALUE, CALL(zero, NULL));                                                    \
    ROW("no width", CL_INVALID_VALUE, CALL(zero, flat));                                                     \
    ROW("no depth", CL_INVALID_VALUE, CALL(zero, thin));                                                     \
    ROW("two slices", CL_INVALID_VALUE, CALL(zero, deep));                                                   \
    ROW("in the second slice", CL_INVALID_VALUE, CALL(below, one));                                          \
    ROW("too wide", CL_INVALID_VALUE, CALL(corner, wide));                                                   \
    ROW("too high", CL_INVALID_VALUE, CALL(corner, high));                                                   \
    ROW("far outside", CL_INVALID_VALUE, CALL(far, one))
#define READ_AT(o, r)    clEnqueueReadImage(queue, image, CL_TRUE, o, r, 0, 0, host, NO)
#define WRITE_AT(o, r)   clEnqueueWriteImage(queue, image, CL_TRUE, o, r, 0, 0, host, NO)
#define FILL_AT(o, r)    clEnqueueFillImage(queue, image, host, o, r, NO)
#define COPY_AT(o, r)    clEnqueueCopyImage(queue, image, hidden_image, o, zero, r, NO)
#define COPY_TO_AT(o, r) clEnqueueCopyImage(queue, image, hidden_image, zero, o, r, NO)
#define OUT_AT(o, r)     clEnqueueCopyImageToBuffer(queue, image, buffer, o, r, 0, NO)
#define IN_AT(o, r)      clEnqueueCopyBufferToImage(queue, buffer, image, 0, o, r, NO)

static void check_images(void) {
    const size_t flat[3] = {0, 1, 1}, thin[3] = {1, 1, 0}, deep[3] = {1, 1, 2}, below[3] = {0, 0, 1},
                 corner[3] = {15, 7, 0}, wide[3] = {2, 1, 1}, high[3] = {1, 2, 1},
                 far[3] = {(size_t)-1, 0, 0}, row[3] = {4, 2, 1}, next[3] = {3, 1, 0}, beside[3] = {4, 0, 0};
    IMAGE_COMMAND(READ_IMAGE);
    IMAGE_COMMAND(WRITE_IMAGE);
    IMAGE_COMMAND(COPY_IMAGE_FROM);
    IMAGE_COMMAND(COPY_IMAGE_TO);
    IMAGE_COMMAND(FILL_IMAGE);
    IMAGE_COMMAND(TO_BUFFER);
    BUFFER_COMMAND(IMAGE_TO);
    BUFFER_COMMAND(FROM_BUFFER);
    IMAGE_COMMAND(BUFFER_TO);
    REGIONS(READ_AT);
    REGIONS(WRITE_AT);
    REGIONS(FILL_AT);
    REGIONS(COPY_AT);
    REGIONS(OUT_AT);
    REGIONS(IN_AT);
    ROW("past the target", CL_INVALID_VALUE, COPY_TO_AT(corner, row));
    ROW("no memory", CL_INVALID_VALUE, clEnqueueReadImage(queue, image, CL_TRUE, zero, row, 0, 0, NULL, NO));
    ROW("rows closer than long", CL_INVALID_VALUE,
        clEnqueueReadImage(queue, image, CL_TRUE, zero, row, 15, 0, host, NO));
    ROW("a slice pitch", CL_INVALID_VALUE,
        clEnqueueReadImage(queue, image, CL_TRUE, zero, row, 16, 32, host, NO));
    ROW("no memory", CL_INVALID_VALUE, clEnqueueWriteImage(queue, image, CL_TRUE, zero, row, 0, 0, NULL, NO));
    ROW("rows closer than long", CL_INVALID_VALUE,
        clEnqueueWriteImage(queue, image, CL_TRUE, zero, row, 15, 0, host, NO));
    SUCCEEDS(clEnqueueWriteImage(queue, image, CL_TRUE, zero, row, 16, 0, host, NO));
    ROW("host writes only", CL_INVALID_OPERATION,
        clEnqueueReadImage(queue, write_image, CL_TRUE, zero, row, 0, 0, host, NO));
    ROW("host reads only", CL_INVALID_OPERATION,
        clEnqueueWriteImage(queue, read_image, CL_TRUE, zero, row, 0, 0, host, NO));
    ROW("no host access", CL_INVALID_OPERATION,
        clEnqueueReadImage(queue, hidden_image, CL_TRUE, zero, row, 0, 0, host, NO));
    ROW("two formats", CL_IMAGE_FORMAT_MISMATCH,
        clEnqueueCopyImage(queue, image, float_image, zero, zero, row, NO));
    ROW("overlap", CL_MEM_COPY_OVERLAP, clEnqueueCopyImage(queue, image, image, zero, next, row, NO));
    SUCCEEDS(clEnqueueCopyImage(queue, image, image, zero, beside, row, NO));
    ROW("no colour", CL_INVALID_VALUE, clEnqueueFillImage(queue, image, NULL, zero, row, NO));
    ROW("past the buffer", CL_INVALID_VALUE,
        clEnqueueCopyImageToBuffer(queue, image, buffer, zero, row, 1000, NO));
    ROW("past the buffer", CL_INVALID_VALUE,
        clEnqueueCopyBufferToImage(queue, buffer, image, 1000, zero, row, NO));
    SUCCEEDS(clEnqueueCopyImageToBuffer(queue, image, buffer, zero, row, 992, NO));
}

/* --- mapping --- */

static cl_int map(cl_command_queue q, cl_mem m, cl_map_flags flags, size_t offset, size_t size, cl_uint n,
                  const cl_event *w) {
    cl_int status = 1;
    void *at = clEnqueueMapBuffer(q, m, CL_TRUE, flags, offset, size, n, w, NULL, &status);
    return (at != NULL) == (status == CL_SUCCESS) ? status : 1;
}

static cl_int map_image(cl_command_queue q, cl_mem m, cl_map_flags flags, const size_t *origin,
                        const size_t *region, cl_uint n, const cl_event *w) {
    cl_int status = 1;
    size_t pitch;
    void *at = clEnqueueMapImage(q, m, CL_TRUE, flags, origin, region, &pitch, NULL, n, w, NULL, &status);
    return (at != NULL) == (status == CL_SUCCESS) ? status : 1;
}

#define MAP(q, m, n, w)          map(q, m, CL_MAP_READ, 0, 4, n, w)
#define MAP_IMAGE(q, m, n, w)    map_image(q, m, CL_MAP_READ, zero, one, n, w)
#define UNMAP(q, m, n, w)        clEnqueueUnmapMemObject(q, m, host, n, w, NULL)
#define MAP_IMAGE_AT(o, r)       map_image(queue, image, CL_MAP_READ, o, r, 0, NULL)
#define MIGRATE(q, n, w)         clEnqueueMigrateMemObjects(q, 1, &buffer, 0, n, w, NULL)
#define MIGRATED(count, m, flag) clEnqueueMigrateMemObjects(queue, count, m, flag, NO)

static void check_maps(void) {
    const size_t flat[3] = {0, 1, 1}, thin[3] = {1, 1, 0}, deep[3] = {1, 1, 2}, below[3] = {0, 0, 1},
                 corner[3] = {15, 7, 0}, wide[3] = {2, 1, 1}, high[3] = {1, 2, 1},
                 far[3] = {(size_t)-1, 0, 0};
    const cl_map_flags both = CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION;
    const cl_mem not_one = (cl_mem)context;
    cl_int answer;
    cl_uint count = 9;
    BUFFER_COMMAND(MAP);
    IMAGE_COMMAND(MAP_IMAGE);
    REGIONS(MAP_IMAGE_AT);
    ROW("past the end", CL_INVALID_VALUE, map(queue, buffer, CL_MAP_READ, 1000, 25, 0, NULL));
    ROW("nothing", CL_INVALID_VALUE, map(queue, buffer, CL_MAP_READ, 0, 0, 0, NULL));
    ROW("flags against each other", CL_INVALID_VALUE, map(queue, buffer, both, 0, 4, 0, NULL));
    ROW("unknown flags", CL_INVALID_VALUE, map(queue, buffer, 1 << 9, 0, 4, 0, NULL));
    ROW("host reads only", CL_INVALID_OPERATION, map(queue, read_only, CL_MAP_WRITE, 0, 4, 0, NULL));
    ROW("no host access", CL_INVALID_OPERATION, map(queue, hidden, CL_MAP_READ, 0, 4, 0, NULL));
    ROW("flags against each other", CL_INVALID_VALUE, map_image(queue, image, both, zero, one, 0, NULL));
    ROW("host writes only", CL_INVALID_OPERATION,
        map_image(queue, write_image, CL_MAP_READ, zero, one, 0, NULL));
    ROW("host reads only", CL_INVALID_OPERATION,
        map_image(queue, read_image, CL_MAP_WRITE, zero, one, 0, NULL));
    MAKE("no row pitch", CL_INVALID_VALUE,
         clEnqueueMapImage(queue, image, CL_TRUE, CL_MAP_READ, zero, one, NULL, NULL, NO, &status));
    void *mapped = clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, 8, 4, NO, &answer);
    SUCCEEDS(answer);
    SUCCEEDS(clGetMemObjectInfo(buffer, CL_MEM_MAP_COUNT, sizeof count, &count, NULL));
    ROW("none: one mapping", 1, (cl_int)count);
    ROW("no queue", CL_INVALID_COMMAND_QUEUE, UNMAP(NULL, buffer, 0, NULL));
    ROW("no object", CL_INVALID_MEM_OBJECT, UNMAP(queue, NULL, 0, NULL));
    ROW("a stray handle", CL_INVALID_MEM_OBJECT, UNMAP(queue, STRAY(cl_mem), 0, NULL));
    ROW("a released object", CL_INVALID_MEM_OBJECT, UNMAP(queue, released, 0, NULL));
    ROW("another context's object", CL_INVALID_CONTEXT, UNMAP(queue, other_buffer, 0, NULL));
    ROW("no wait list", CL_INVALID_EVENT_WAIT_LIST, UNMAP(queue, buffer, 1, NULL));
    ROW("another context's event", CL_INVALID_CONTEXT, UNMAP(queue, buffer, 1, &other_event));
    ROW("not mapped there", CL_INVALID_VALUE, UNMAP(queue, buffer, 0, NULL));
    SUCCEEDS(clEnqueueUnmapMemObject(queue, buffer, mapped, NO));
    ROW("unmapped already", CL_INVALID_VALUE, clEnqueueUnmapMemObject(queue, buffer, mapped, NO));
    COMMAND(MIGRATE);
    ROW("nothing", CL_INVALID_VALUE, MIGRATED(0, NULL, 0));
    ROW("no list", CL_INVALID_VALUE, MIGRATED(1, NULL, 0));
    ROW("unknown flags", CL_INVALID_VALUE, MIGRATED(1, &buffer, 1 << 7));
    ROW("not a memory object", CL_INVALID_MEM_OBJECT, MIGRATED(1, &not_one, 0));
    ROW("another context's object", CL_INVALID_CONTEXT, MIGRATED(1, &other_buffer, 0));
    SUCCEEDS(MIGRATED(1, &image, CL_MIGRATE_MEM_OBJECT_HOST));
}

/* --- launches --- */

static void CL_CALLBACK native(void *arguments) {
    (void)arguments;
}

/* Inlined, so that each caller has its own call: the driver prints a message once for each place in the
 * program. */
static inline __attribute__((always_inline)) cl_int run(cl_kernel k, cl_uint dimensions, const size_t *global,
                                                        const size_t *local) {
    return clEnqueueNDRangeKernel(queue, k, dimensions, NULL, global, local, NO);
}

#define LAUNCH(q, n, w) clEnqueueNDRangeKernel(q, scale, 1, NULL, one, NULL, n, w, NULL)
#define TASK(q, n, w)   clEnqueueTask(q, scale, n, w, NULL)
#define NATIVE(q, n, w) clEnqueueNativeKernel(q, native, NULL, 0, 0, NULL, NULL, n, w, NULL)

static void set_arguments(void) {
    const float vector[4] = {0};
    const cl_int n = 1;
    ROW("no argument is set", CL_INVALID_KERNEL_ARGS, run(scale, 1, one, NULL));
    ROW("no argument is set", CL_INVALID_KERNEL_ARGS, clEnqueueTask(queue, scale, NO));
    SUCCEEDS(clSetKernelArg(scale, 0, sizeof(cl_mem), &buffer));
    SUCCEEDS(clSetKernelArg(scale, 1, sizeof(cl_mem), &buffer));
    SUCCEEDS(clSetKernelArg(scale, 2, 256, NULL));
    SUCCEEDS(clSetKernelArg(scale, 3, sizeof n, &n));
    ROW("one argument is not set", CL_INVALID_KERNEL_ARGS, run(scale, 1, one, NULL));
    SUCCEEDS(clSetKernelArg(scale, 4, sizeof vector, vector));
    SUCCEEDS(clSetKernelArg(required, 0, sizeof(cl_mem), &buffer));
}

static void check_launches(void) {
    const size_t none[3] = {64, 0, 1}, good[3] = {64, 1, 1}, third[1] = {3}, two[2] = {16, 2},
                 shape[2] = {8, 2};
    const size_t swapped[2] = {2, 8}, wide[2] = {2 * size_max, 1}, all[2] = {size_max, 2},
                 far[1] = {0xffffffff}, huge[1] = {(size_t)1 << 32};
    set_arguments();
    COMMAND(LAUNCH);
    COMMAND(TASK);
    COMMAND(NATIVE);
    SUCCEEDS(run(scale, 1, good, NULL));
    ROW("no kernel", CL_INVALID_KERNEL, run(NULL, 1, good, NULL));
    ROW("not a kernel", CL_INVALID_KERNEL, run((cl_kernel)program, 1, good, NULL));
    ROW("a stray handle", CL_INVALID_KERNEL, run(STRAY(cl_kernel), 1, good, NULL));
    ROW("another context's queue", CL_INVALID_CONTEXT,
        clEnqueueNDRangeKernel(other_queue, scale, 1, NULL, good, NULL, NO));
    ROW("no dimension", CL_INVALID_WORK_DIMENSION, run(scale, 0, good, NULL));
    ROW("four dimensions", CL_INVALID_WORK_DIMENSION, run(scale, 4, good, NULL));
    ROW("no size", CL_INVALID_GLOBAL_WORK_SIZE, run(scale, 1, NULL, NULL));
    ROW("size 0", CL_INVALID_GLOBAL_WORK_SIZE, run(scale, 2, none, NULL));
    ROW("more than 32 bits", CL_INVALID_GLOBAL_WORK_SIZE, run(scale, 1, huge, NULL));
    ROW("3 does not divide 64", CL_INVALID_WORK_GROUP_SIZE, run(scale, 1, good, third));
    ROW("groups of 0", CL_INVALID_WORK_GROUP_SIZE, run(scale, 2, good, none));
    ROW("beyond the largest", CL_INVALID_WORK_ITEM_SIZE, run(scale, 1, wide, wide));
    ROW("product beyond the largest", CL_INVALID_WORK_GROUP_SIZE, run(scale, 2, all, all));
    ROW("required size not given", CL_INVALID_WORK_GROUP_SIZE, run(required, 2, two, NULL));
    ROW("not the required size", CL_INVALID_WORK_GROUP_SIZE, run(required, 2, two, two));
    ROW("not the required shape", CL_INVALID_WORK_GROUP_SIZE, run(required, 2, two, swapped));
    SUCCEEDS(run(required, 2, two, shape));
    ROW("ids beyond 32 bits", CL_INVALID_GLOBAL_OFFSET,
        clEnqueueNDRangeKernel(queue, scale, 1, far, good, NULL, NO));
    ROW("a task of a kernel with a size", CL_INVALID_WORK_GROUP_SIZE, clEnqueueTask(queue, required, NO));
    ROW("no kernel", CL_INVALID_KERNEL, clEnqueueTask(queue, NULL, NO));
    ROW("no function", CL_INVALID_VALUE, clEnqueueNativeKernel(queue, NULL, NULL, 0, 0, NULL, NULL, NO));
    ROW("arguments of no size", CL_INVALID_VALUE,
        clEnqueueNativeKernel(queue, native, host, 0, 0, NULL, NULL, NO));
    ROW("objects without places", CL_INVALID_VALUE,
        clEnqueueNativeKernel(queue, native, host, 8, 1, &buffer, NULL, NO));
    ROW("the device runs no host code", CL_INVALID_OPERATION, NATIVE(queue, 0, NULL));
    SUCCEEDS(clSetKernelArg(scale, 2, 1 << 20, NULL));
    ROW("too much local memory", CL_OUT_OF_RESOURCES, run(scale, 1, good, NULL));
}

/* --- events --- */

static void CL_CALLBACK ignore(cl_event e, cl_int status, void *data) {
    (void)e, (void)status, (void)data;
}

#define MARKER(q, n, w)  clEnqueueMarkerWithWaitList(q, n, w, NULL)
#define BARRIER(q, n, w) clEnqueueBarrierWithWaitList(q, n, w, NULL)

static void check_waiting(void) {
    const cl_event two[2] = {event, other_event}, stray = STRAY(cl_event);
    COMMAND(MARKER);
    COMMAND(BARRIER);
    ROW("no event wanted", CL_INVALID_VALUE, clEnqueueMarker(queue, NULL));
    ROW("no queue", CL_INVALID_COMMAND_QUEUE, clEnqueueMarker(NULL, &not_an_event));
    ROW("not a queue", CL_INVALID_COMMAND_QUEUE, clEnqueueBarrier((cl_command_queue)context));
    ROW("nothing", CL_INVALID_VALUE, clEnqueueWaitForEvents(queue, 0, &event));
    ROW("no list", CL_INVALID_VALUE, clEnqueueWaitForEvents(queue, 1, NULL));
    ROW("no event in the list", CL_INVALID_EVENT, clEnqueueWaitForEvents(queue, 1, &stray));
    ROW("another context's event", CL_INVALID_CONTEXT, clEnqueueWaitForEvents(queue, 1, &other_event));
    ROW("not a queue", CL_INVALID_COMMAND_QUEUE,
        clEnqueueWaitForEvents((cl_command_queue)context, 1, &event));
    ROW("nothing", CL_INVALID_VALUE, clWaitForEvents(0, NULL));
    ROW("no list", CL_INVALID_VALUE, clWaitForEvents(1, NULL));
    ROW("not an event", CL_INVALID_EVENT, clWaitForEvents(1, &not_an_event));
    ROW("two contexts", CL_INVALID_CONTEXT, clWaitForEvents(2, two));
    ROW("not a queue", CL_INVALID_COMMAND_QUEUE, clFinish((cl_command_queue)context));
    ROW("not a queue", CL_INVALID_COMMAND_QUEUE, clFlush((cl_command_queue)context));
    ROW("no queue", CL_INVALID_COMMAND_QUEUE, clFinish(NULL));
    ROW("no queue", CL_INVALID_COMMAND_QUEUE, clFlush(NULL));
}

#define EVENT(...) clGetEventInfo(done, __VA_ARGS__)

static void check_events(void) {
    cl_event done;
    cl_ulong time;
    cl_int word;
    MAKE("not a context", CL_INVALID_CONTEXT, clCreateUserEvent((cl_context)queue, &status));
    MAKE("no context", CL_INVALID_CONTEXT, clCreateUserEvent(NULL, &status));
    SUCCEEDS(clEnqueueMarkerWithWaitList(plain_queue, 0, NULL, &done));
    ROW("not a user event", CL_INVALID_EVENT, clSetUserEventStatus(done, CL_COMPLETE));
    ROW("not an event", CL_INVALID_EVENT, clSetUserEventStatus((cl_event)context, CL_COMPLETE));
    ROW("a queue without profiling", CL_PROFILING_INFO_NOT_AVAILABLE,
        clGetEventProfilingInfo(done, CL_PROFILING_COMMAND_END, sizeof time, &time, NULL));
    ROW("a user event", CL_PROFILING_INFO_NOT_AVAILABLE,
        clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof time, &time, NULL));
    ROW("not an event", CL_INVALID_EVENT,
        clGetEventProfilingInfo((cl_event)context, CL_PROFILING_COMMAND_END, sizeof time, &time, NULL));
    ROW("no function", CL_INVALID_VALUE, clSetEventCallback(done, CL_COMPLETE, NULL, NULL));
    ROW("no such status", CL_INVALID_VALUE, clSetEventCallback(done, 7, ignore, NULL));
    ROW("CL_QUEUED is none either", CL_INVALID_VALUE, clSetEventCallback(done, CL_QUEUED, ignore, NULL));
    ROW("not an event", CL_INVALID_EVENT, clSetEventCallback((cl_event)context, CL_COMPLETE, ignore, NULL));
    QUERY(EVENT, CL_EVENT_COMMAND_QUEUE);
    ROW("not an event", CL_INVALID_EVENT,
        clGetEventInfo((cl_event)context, CL_EVENT_COMMAND_TYPE, sizeof word, &word, NULL));
    ROW("CL_RUNNING is no end", CL_INVALID_VALUE, clSetUserEventStatus(event, CL_RUNNING));
    SUCCEEDS(clSetUserEventStatus(event, CL_COMPLETE));
    ROW("set already", CL_INVALID_OPERATION, clSetUserEventStatus(event, CL_COMPLETE));
    SUCCEEDS(clReleaseEvent(done));
    ROW("released", CL_INVALID_EVENT, clReleaseEvent(done));
    ROW("released", CL_INVALID_EVENT, clRetainEvent(done));
    ROW("released", CL_INVALID_EVENT, clWaitForEvents(1, &done));
    ROW("not an event", CL_INVALID_EVENT, clReleaseEvent((cl_event)context));
    ROW("not an event", CL_INVALID_EVENT, clRetainEvent((cl_event)context));
    SUCCEEDS(clEnqueueMarkerWithWaitList(queue, 0, NULL, &done));
    ROW("no such time", CL_INVALID_VALUE,
        clGetEventProfilingInfo(done, CL_DEVICE_NAME, sizeof time, &time, NULL));
    ROW("no room", CL_INVALID_VALUE, clGetEventProfilingInfo(done, CL_PROFILING_COMMAND_END, 4, &time, NULL));
    SUCCEEDS(clReleaseEvent(done));
}

int main(void) {
    set_up();
    not_an_event = (cl_event)context;
    if (wrong == 0) {
        check_linear();
        check_copy_and_fill();
        check_rectangles();
        check_images();
        check_maps();
        check_launches();
        check_waiting();
        check_events();
    }
    return verdict("api_errors_commands");
}

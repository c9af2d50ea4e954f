/* read_write_copy: every buffer command: read and write with offsets, fill, copy, rectangles, map for reading
 * and for writing, sub-buffers as kernel arguments, buffers with CL_MEM_COPY_HOST_PTR and
 * CL_MEM_USE_HOST_PTR. A plain array holds the bytes expected after each step. */
#include "benchmarks/host.h"

#include <stdio.h>
#include <string.h>

enum { SIZE = 4096, ROW = 64 };

static const char SOURCE[] =
    "__kernel void add_one(__global uchar *bytes) { bytes[get_global_id(0)] += 1; }\n";

struct mirror {
    cl_mem buffer;
    cl_uchar bytes[SIZE]; /* expected contents of the buffer */
};

static unsigned compare(const struct host *host, const struct mirror *mirror, const char *step) {
    static cl_uchar found[SIZE];
    memset(found, 0xee, sizeof found);
    host_read(host, mirror->buffer, found, sizeof found);
    return host_count_wrong(step, found, mirror->bytes, 1, SIZE);
}

static unsigned check_offsets(const struct host *host, struct mirror *a) {
    cl_uchar found[100];
    cl_uchar data[100];
    for (int i = 0; i < 100; i++) data[i] = (cl_uchar)(200 - i);
    HOST_CHECK(clEnqueueWriteBuffer(host->queue, a->buffer, CL_FALSE, 33, sizeof data, data, 0, NULL, NULL));
    memcpy(a->bytes + 33, data, sizeof data);
    HOST_CHECK(clEnqueueReadBuffer(host->queue, a->buffer, CL_FALSE, 77, sizeof found, found, 0, NULL, NULL));
    HOST_CHECK(clFinish(host->queue));
    return host_count_wrong("read at an offset", found, a->bytes + 77, 1, sizeof found) +
           compare(host, a, "write at an offset");
}

static unsigned check_fill_and_copy(const struct host *host, struct mirror *a, struct mirror *b) {
    const cl_uint pattern = 0x01020304;
    HOST_CHECK(
        clEnqueueFillBuffer(host->queue, b->buffer, &pattern, sizeof pattern, 512, 1024, 0, NULL, NULL));
    for (size_t i = 512; i < 512 + 1024; i += sizeof pattern) memcpy(b->bytes + i, &pattern, sizeof pattern);
    unsigned wrong = compare(host, b, "fill");
    HOST_CHECK(clEnqueueCopyBuffer(host->queue, a->buffer, b->buffer, 10, 2000, 777, 0, NULL, NULL));
    memcpy(b->bytes + 2000, a->bytes + 10, 777);
    wrong += compare(host, b, "copy");
    HOST_CHECK(clEnqueueCopyBuffer(host->queue, b->buffer, b->buffer, 0, 3000, 1000, 0, NULL, NULL));
    memcpy(b->bytes + 3000, b->bytes, 1000);
    return wrong + compare(host, b, "copy inside one buffer");
}

static unsigned check_map(const struct host *host, struct mirror *a) {
    unsigned wrong = 0;
    cl_uchar *mapped = HOST_CREATE(clEnqueueMapBuffer, host->queue, a->buffer, CL_TRUE, CL_MAP_READ, 100, 500,
                                   0, NULL, NULL);
    wrong += host_count_wrong("map for reading", mapped, a->bytes + 100, 1, 500);
    HOST_CHECK(clEnqueueUnmapMemObject(host->queue, a->buffer, mapped, 0, NULL, NULL));
    mapped = HOST_CREATE(clEnqueueMapBuffer, host->queue, a->buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE,
                         1000, 64, 0, NULL, NULL);
    for (int i = 0; i < 64; i++) a->bytes[1000 + i] = mapped[i] = (cl_uchar)(mapped[i] ^ 0x5a);
    HOST_CHECK(clEnqueueUnmapMemObject(host->queue, a->buffer, mapped, 0, NULL, NULL));
    mapped = HOST_CREATE(clEnqueueMapBuffer, host->queue, a->buffer, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION,
                         2000, 8, 0, NULL, NULL);
    memset(mapped, 9, 8);
    memset(a->bytes + 2000, 9, 8);
    HOST_CHECK(clEnqueueUnmapMemObject(host->queue, a->buffer, mapped, 0, NULL, NULL));
    return wrong + compare(host, a, "map for writing");
}

/* Copies a box of 5 x 3 x 2 bytes between two arrays of rows of ROW bytes and slices of 8
 * rows, in plain C. */
static void copy_box(const cl_uchar *from, const size_t from_origin[3], cl_uchar *to,
                     const size_t to_origin[3]) {
    for (size_t z = 0; z < 2; z++)
        for (size_t y = 0; y < 3; y++)
            memcpy(to + (to_origin[2] + z) * 8 * ROW + (to_origin[1] + y) * ROW + to_origin[0],
                   from + (from_origin[2] + z) * 8 * ROW + (from_origin[1] + y) * ROW + from_origin[0], 5);
}

static unsigned check_rectangles(const struct host *host, struct mirror *a, struct mirror *b) {
    static cl_uchar data[SIZE];
    static cl_uchar expected[SIZE];
    const size_t region[3] = {5, 3, 2};
    const size_t first[3] = {7, 2, 1};
    const size_t second[3] = {50, 4, 3};
    for (int i = 0; i < SIZE; i++) data[i] = (cl_uchar)(i * 7);
    memcpy(expected, data, sizeof data);
    HOST_CHECK(clEnqueueWriteBufferRect(host->queue, a->buffer, CL_TRUE, first, second, region, ROW, 8 * ROW,
                                        ROW, 8 * ROW, data, 0, NULL, NULL));
    copy_box(data, second, a->bytes, first);
    unsigned wrong = compare(host, a, "write rectangle");
    HOST_CHECK(clEnqueueCopyBufferRect(host->queue, a->buffer, b->buffer, first, second, region, ROW, 8 * ROW,
                                       ROW, 8 * ROW, 0, NULL, NULL));
    copy_box(a->bytes, first, b->bytes, second);
    wrong += compare(host, b, "copy rectangle");
    HOST_CHECK(clEnqueueReadBufferRect(host->queue, b->buffer, CL_TRUE, second, first, region, ROW, 8 * ROW,
                                       ROW, 8 * ROW, data, 0, NULL, NULL));
    copy_box(b->bytes, second, expected, first);
    return wrong + host_count_wrong("read rectangle", data, expected, 1, SIZE);
}

static unsigned check_sub_buffer(const struct host *host, struct mirror *a) {
    cl_uint align_bits = 0;
    HOST_CHECK(
        clGetDeviceInfo(host->device, CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof align_bits, &align_bits, NULL));
    const cl_buffer_region region = {align_bits / 8, 40};
    cl_mem part =
        HOST_CREATE(clCreateSubBuffer, a->buffer, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region);
    cl_kernel kernel = host_kernel(host, SOURCE, "add_one");
    HOST_ARGUMENT(kernel, 0, part);
    host_launch(host, kernel, 1, &region.size, NULL);
    for (size_t i = 0; i < region.size; i++) a->bytes[region.origin + i]++;
    unsigned wrong = compare(host, a, "kernel on a sub-buffer");
    const cl_uchar data[3] = {1, 2, 3};
    HOST_CHECK(clEnqueueWriteBuffer(host->queue, part, CL_TRUE, 4, sizeof data, data, 0, NULL, NULL));
    memcpy(a->bytes + region.origin + 4, data, sizeof data);
    HOST_CHECK(clReleaseKernel(kernel));
    HOST_CHECK(clReleaseMemObject(part));
    return wrong + compare(host, a, "write to a sub-buffer");
}

/* A buffer in the program's own memory: results of a kernel must be there after mapping. */
static unsigned check_host_memory(const struct host *host) {
    static cl_uchar memory[SIZE] __attribute__((aligned(4096)));
    static cl_uchar expected[SIZE];
    const size_t size = SIZE;
    memset(memory, 5, sizeof memory);
    memset(expected, 6, sizeof expected);
    cl_mem buffer =
        HOST_CREATE(clCreateBuffer, host->context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, SIZE, memory);
    cl_kernel kernel = host_kernel(host, SOURCE, "add_one");
    HOST_ARGUMENT(kernel, 0, buffer);
    host_launch(host, kernel, 1, &size, NULL);
    cl_uchar *mapped =
        HOST_CREATE(clEnqueueMapBuffer, host->queue, buffer, CL_TRUE, CL_MAP_READ, 0, SIZE, 0, NULL, NULL);
    unsigned wrong = host_count_wrong("buffer upon host memory", memory, expected, 1, SIZE);
    if (mapped != memory) {
        fprintf(stderr, "read_write_copy: a buffer upon host memory is mapped elsewhere\n");
        wrong++;
    }
    HOST_CHECK(clEnqueueUnmapMemObject(host->queue, buffer, mapped, 0, NULL, NULL));
    HOST_CHECK(clReleaseKernel(kernel));
    HOST_CHECK(clFinish(host->queue));
    HOST_CHECK(clReleaseMemObject(buffer));
    return wrong;
}

int main(void) {
    static struct mirror a;
    static struct mirror b;
    struct host host;
    host_open(&host);
    for (int i = 0; i < SIZE; i++) {
        a.bytes[i] = (cl_uchar)(i * 13 >> 2);
        b.bytes[i] = (cl_uchar)(i >> 4);
    }
    a.buffer =
        HOST_CREATE(clCreateBuffer, host.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, SIZE, a.bytes);
    b.buffer =
        HOST_CREATE(clCreateBuffer, host.context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, SIZE, NULL);
    host_write(&host, b.buffer, b.bytes, SIZE);
    unsigned wrong = compare(&host, &a, "buffer from host memory") + compare(&host, &b, "write");
    wrong += check_offsets(&host, &a);
    wrong += check_fill_and_copy(&host, &a, &b);
    wrong += check_map(&host, &a);
    wrong += check_rectangles(&host, &a, &b);
    wrong += check_sub_buffer(&host, &a);
    wrong += check_host_memory(&host);
    HOST_CHECK(clReleaseMemObject(a.buffer));
    HOST_CHECK(clReleaseMemObject(b.buffer));
    host_close(&host);
    return host_verdict("read_write_copy", wrong == 0, "%u bytes wrong", wrong);
}

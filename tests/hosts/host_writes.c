/* host_writes HOW: launches a kernel that copies a buffer, writes into the buffer, launches it again; every
 * element must be right. HOW: none, write, odd, rect, fill, copy, map, read, map_read; all (the default): the
 * whole of both buffers of the kernel. */
#include "benchmarks/host.h"

#include <string.h>

enum { COUNT = 4096, BYTES = COUNT * 4 };

static const char SOURCE[] = "__kernel void take(__global const int *from, __global int *to) {\n"
                             "    to[get_global_id(0)] = from[get_global_id(0)];\n"
                             "}\n";

static int from[COUNT], to[COUNT], other[COUNT];

static void map(const struct host *h, cl_mem buffer, cl_map_flags flags) {
    int *mapped = HOST_CREATE(clEnqueueMapBuffer, h->queue, buffer, CL_TRUE, flags, 1024, 128, 0, NULL, NULL);
    for (int i = 0; (flags & CL_MAP_WRITE) && i < 32; i++) mapped[i] = from[256 + i] = -i;
    HOST_CHECK(clEnqueueUnmapMemObject(h->queue, buffer, mapped, 0, NULL, NULL));
}

/* Four rows of 64 bytes, 256 apart, of two slices. */
static void write_rect(const struct host *h, cl_mem buffer) {
    const size_t none[3] = {0, 0, 0}, region[3] = {64, 4, 2};
    for (int z = 0; z < 2; z++)
        for (int y = 0; y < 4; y++) memcpy(&from[z * 512 + y * 64], &other[z * 512 + y * 64], 64);
    HOST_CHECK(clEnqueueWriteBufferRect(h->queue, buffer, CL_TRUE, none, none, region, 256, 2048, 256, 2048,
                                        other, 0, NULL, NULL));
}

static void change(const struct host *h, cl_mem buffer, cl_mem second, cl_mem target, const char *how) {
    const int seven = 7;
    if (!strcmp(how, "all")) {
        host_write(h, target, from, BYTES);
        memcpy(from, other, BYTES);
        host_write(h, buffer, from, BYTES);
    } else if (!strcmp(how, "write") || !strcmp(how, "odd")) {
        const size_t offset = *how == 'w' ? 4096 : 100, size = *how == 'w' ? 1024 : 200;
        memcpy((char *)from + offset, other, size);
        HOST_CHECK(clEnqueueWriteBuffer(h->queue, buffer, CL_TRUE, offset, size, other, 0, NULL, NULL));
    } else if (!strcmp(how, "rect")) {
        write_rect(h, buffer);
    } else if (!strcmp(how, "fill")) {
        for (int i = 0; i < 128; i++) from[i] = seven;
        HOST_CHECK(clEnqueueFillBuffer(h->queue, buffer, &seven, sizeof seven, 0, 512, 0, NULL, NULL));
    } else if (!strcmp(how, "copy")) {
        memcpy(from, other, 640);
        HOST_CHECK(clEnqueueCopyBuffer(h->queue, second, buffer, 0, 0, 640, 0, NULL, NULL));
    } else if (!strcmp(how, "map") || !strcmp(how, "map_read")) {
        map(h, buffer, how[3] ? CL_MAP_READ : CL_MAP_WRITE);
    } else if (!strcmp(how, "read")) {
        host_read(h, buffer, to, BYTES);
    } else if (strcmp(how, "none")) {
        HOST_FAIL("'%s' is no way to write", how);
    }
}

int main(int argc, char **argv) {
    const size_t global = COUNT;
    struct host h;
    for (int i = 0; i < COUNT; i++) {
        from[i] = i;
        other[i] = 3 * i + 1;
    }
    host_open(&h);
    cl_kernel kernel = host_kernel(&h, SOURCE, "take");
    cl_mem buffer = host_buffer(&h, BYTES, from), second = host_buffer(&h, BYTES, other),
           target = host_buffer(&h, BYTES, NULL);
    HOST_ARGUMENT(kernel, 0, buffer);
    HOST_ARGUMENT(kernel, 1, target);
    host_launch(&h, kernel, 1, &global, NULL);
    change(&h, buffer, second, target, argc > 1 ? argv[1] : "all");
    host_launch(&h, kernel, 1, &global, NULL);
    host_read(&h, target, to, BYTES);
    HOST_CHECK(clReleaseMemObject(buffer));
    HOST_CHECK(clReleaseMemObject(second));
    HOST_CHECK(clReleaseMemObject(target));
    HOST_CHECK(clReleaseKernel(kernel));
    host_close(&h);
    return host_verdict("host_writes", memcmp(from, to, BYTES) == 0, "the second launch read what it should");
}

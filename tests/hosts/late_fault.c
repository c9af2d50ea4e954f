/* late_fault LAUNCHES: this number of launches, with writes of the program between them by every kind of
 * command. The last launch reads far outside a buffer, at a place that depends on all earlier values. Does
 * not return. */
#include "benchmarks/host.h"

#include <stdlib.h>

enum { COUNT = 256 };

static const char SOURCE[] = "__kernel void mix(__global uint *v, __global uint *w, uint far) {\n"
                             "    uint i = get_global_id(0), sum = v[i];\n"
                             "    for (uint n = 0; n < 8; ++n) sum = sum * 1664525u + w[(i + n) % 256] + n;\n"
                             "    v[i] = sum;\n"
                             "    if (far && i == sum % 256) v[far + sum % 1000000] = 1;\n"
                             "    if (far && i == 255) v[far + v[0] % 1000000] = 1;\n"
                             "}\n";

/* Writes into the buffers from outside, by a command, a part of a box, and a mapping. */
static void write_between(const struct host *host, cl_mem v, cl_mem w, cl_uint launch) {
    cl_uint values[COUNT];
    for (cl_uint n = 0; n < COUNT; ++n) values[n] = n * n + launch;
    HOST_CHECK(clEnqueueWriteBuffer(host->queue, w, CL_TRUE, 40, 100, values, 0, NULL, NULL));
    const size_t origin[] = {16, 2, 0}, from[] = {0, 0, 0}, region[] = {32, 3, 1};
    HOST_CHECK(clEnqueueWriteBufferRect(host->queue, w, CL_TRUE, origin, from, region, 128, 0, 32, 0, values,
                                        0, NULL, NULL));
    cl_uint *mapped =
        HOST_CREATE(clEnqueueMapBuffer, host->queue, v, CL_TRUE, CL_MAP_WRITE, 8, 16, 0, NULL, NULL);
    mapped[1] ^= launch * 77;
    HOST_CHECK(clEnqueueUnmapMemObject(host->queue, v, mapped, 0, NULL, NULL));
    HOST_CHECK(clEnqueueCopyBuffer(host->queue, w, v, 64, 512, 64, 0, NULL, NULL));
}

int main(int argc, char **argv) {
    const cl_uint launches = argc == 2 ? (cl_uint)atoi(argv[1]) : 1;
    cl_uint values[COUNT];
    struct host host;
    host_open(&host);
    cl_kernel kernel = host_kernel(&host, SOURCE, "mix");
    for (cl_uint n = 0; n < COUNT; ++n) values[n] = n + 1;
    cl_mem v = host_buffer(&host, sizeof values, values);
    for (cl_uint launch = 0; launch < launches; ++launch) {
        const cl_uint far = launch + 1 == launches ? 100000000 : 0;
        cl_mem w = host_buffer(&host, sizeof values, values); /* another one each time */
        write_between(&host, v, w, launch);
        HOST_ARGUMENT(kernel, 0, v);
        HOST_ARGUMENT(kernel, 1, w);
        HOST_ARGUMENT(kernel, 2, far);
        host_launch(&host, kernel, 1, (size_t[]){COUNT}, (size_t[]){64});
        HOST_CHECK(clReleaseMemObject(w));
    }
    return host_verdict("late_fault", false, "the kernel came back");
}

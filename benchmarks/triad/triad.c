/* triad: the triad of the STREAM benchmark, a = b + scale * c, on an OpenCL device. Every element must be,
 * bit for bit, what C gives. */
#include "benchmarks/host.h"

#include <stdio.h>
#include <stdlib.h>

enum { GROUP_SIZE = 256 };

static float *random_vector(unsigned count, unsigned seed) {
    float *values = host_allocate(count * sizeof *values);
    for (unsigned i = 0; i < count; i++) values[i] = (float)host_random(&seed) / 65536.0f;
    return values;
}

static cl_ulong run_on_device(const char *source, float *a, const float *b, const float *c, float scale,
                              unsigned count) {
    const size_t bytes = count * sizeof *a, local = GROUP_SIZE, global = (count + local - 1) / local * local;
    struct host host;
    host_open(&host);
    cl_kernel kernel = host_kernel(&host, source, "triad");
    cl_mem a_buffer = host_buffer(&host, bytes, NULL), b_buffer = host_buffer(&host, bytes, b),
           c_buffer = host_buffer(&host, bytes, c);
    HOST_ARGUMENT(kernel, 0, a_buffer);
    HOST_ARGUMENT(kernel, 1, b_buffer);
    HOST_ARGUMENT(kernel, 2, c_buffer);
    HOST_ARGUMENT(kernel, 3, scale);
    HOST_ARGUMENT(kernel, 4, count);
    const cl_ulong time_ns = host_launch(&host, kernel, 1, &global, &local);
    host_read(&host, a_buffer, a, bytes);
    HOST_CHECK(clReleaseMemObject(a_buffer));
    HOST_CHECK(clReleaseMemObject(b_buffer));
    HOST_CHECK(clReleaseMemObject(c_buffer));
    HOST_CHECK(clReleaseKernel(kernel));
    host_close(&host);
    return time_ns;
}

int main(int argc, char **argv) {
    struct host_size size = {"count", "elements of a vector", 1 << 18, 1 << 26};
    char *source =
        host_parse_sizes(argc, argv, "triad",
                         "Adds a vector and a scaled one on the first OpenCL device and checks the "
                         "sum.",
                         &size, 1);
    const unsigned count = size.value;
    const float scale = 3.0f;
    float *a = random_vector(count, 1), *b = random_vector(count, 2), *c = random_vector(count, 3);
    const cl_ulong time_ns = run_on_device(source, a, b, c, scale, count);
    for (unsigned i = 0; i < count; i++) b[i] += scale * c[i];
    const unsigned wrong = host_count_wrong("triad", a, b, sizeof *a, count);
    printf("triad: %u floats, work-groups of %d, kernel time %llu ns\n", count, GROUP_SIZE,
           (unsigned long long)time_ns);
    free(a);
    free(b);
    free(c);
    free(source);
    return host_verdict("triad", wrong == 0, "%u of %u elements differ from C", wrong, count);
}

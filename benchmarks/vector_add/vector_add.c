/* vector_add: adds two vectors of floats on an OpenCL device. Every element of the sum must be, bit for bit,
 * what C gives. */
#include "benchmarks/host.h"

#include <stdio.h>
#include <stdlib.h>

enum { GROUP_SIZE = 256 };

static float *random_vector(unsigned count, unsigned seed) {
    float *values = host_allocate(count * sizeof *values);
    for (unsigned i = 0; i < count; i++) values[i] = (float)host_random(&seed) / 65536.0f;
    return values;
}

static cl_ulong add_on_device(const char *source, const float *a, const float *b, float *sum,
                              unsigned count) {
    struct host host;
    host_open(&host);
    cl_kernel kernel = host_kernel(&host, source, "vector_add");
    cl_mem a_buffer = host_buffer(&host, count * sizeof *a, a),
           b_buffer = host_buffer(&host, count * sizeof *b, b),
           sum_buffer = host_buffer(&host, count * sizeof *sum, NULL);
    HOST_ARGUMENT(kernel, 0, a_buffer);
    HOST_ARGUMENT(kernel, 1, b_buffer);
    HOST_ARGUMENT(kernel, 2, sum_buffer);
    HOST_ARGUMENT(kernel, 3, count);
    const size_t local = GROUP_SIZE, global = (count + local - 1) / local * local;
    const cl_ulong time_ns = host_launch(&host, kernel, 1, &global, &local);
    host_read(&host, sum_buffer, sum, count * sizeof *sum);
    HOST_CHECK(clReleaseMemObject(a_buffer));
    HOST_CHECK(clReleaseMemObject(b_buffer));
    HOST_CHECK(clReleaseMemObject(sum_buffer));
    HOST_CHECK(clReleaseKernel(kernel));
    host_close(&host);
    return time_ns;
}

int main(int argc, char **argv) {
    struct host_size size = {"count", "elements of a vector", 1 << 18, 1 << 26};
    char *source =
        host_parse_sizes(argc, argv, "vector_add",
                         "Adds two vectors on the first OpenCL device and checks the sum.", &size, 1);
    const unsigned count = size.value;
    float *a = random_vector(count, 1), *b = random_vector(count, 2), *sum = random_vector(count, 3);
    const cl_ulong time_ns = add_on_device(source, a, b, sum, count);
    for (unsigned i = 0; i < count; i++) a[i] += b[i];
    const unsigned wrong = host_count_wrong("vector_add", sum, a, sizeof *sum, count);
    printf("vector_add: %u floats, work-groups of %d, kernel time %llu ns\n", count, GROUP_SIZE,
           (unsigned long long)time_ns);
    free(a);
    free(b);
    free(sum);
    free(source);
    return host_verdict("vector_add", wrong == 0, "%u of %u elements differ from C", wrong, count);
}

/* vector_add: sizes that are not multiples of a work-group, whose size the implementation chooses: 1000
 * elements with 1024 work-items and a guard, then 997 (a prime) work-items without one. */
#include "benchmarks/host.h"

enum { COUNT = 1000, PRIME = 997, GUARDED = 1024 };

static const char SOURCE[] = "__kernel void vector_add(__global const float *a, __global const float *b,\n"
                             "                         __global float *sum, const int count) {\n"
                             "    int i = get_global_id(0);\n"
                             "    if (i < count) sum[i] = a[i] + b[i];\n"
                             "}\n";

int main(void) {
    float a[COUNT];
    float b[COUNT];
    float expected[COUNT];
    for (int i = 0; i < COUNT; i++) {
        a[i] = (float)i * 0.1f;
        b[i] = 1000.0f / (float)(i + 1);
        expected[i] = a[i] + b[i];
    }
    struct host host;
    host_open(&host);
    cl_kernel kernel = host_kernel(&host, SOURCE, "vector_add");
    cl_mem a_buffer = host_buffer(&host, sizeof a, a);
    cl_mem b_buffer = host_buffer(&host, sizeof b, b);
    HOST_ARGUMENT(kernel, 0, a_buffer);
    HOST_ARGUMENT(kernel, 1, b_buffer);

    unsigned wrong = 0;
    const struct {
        size_t global;
        int count;
    } LAUNCHES[2] = {{GUARDED, COUNT}, {PRIME, PRIME}};
    for (int launch = 0; launch < 2; launch++) {
        float sum[COUNT] = {0.0f};
        cl_mem sum_buffer = host_buffer(&host, sizeof sum, sum);
        HOST_ARGUMENT(kernel, 2, sum_buffer);
        HOST_ARGUMENT(kernel, 3, LAUNCHES[launch].count);
        host_launch(&host, kernel, 1, &LAUNCHES[launch].global, NULL);
        host_read(&host, sum_buffer, sum, sizeof sum);
        size_t count = (size_t)LAUNCHES[launch].count;
        wrong += host_count_wrong("sum", sum, expected, sizeof *sum, count);
        for (size_t i = count; i < COUNT; i++) wrong += sum[i] != 0.0f;
        HOST_CHECK(clReleaseMemObject(sum_buffer));
    }
    HOST_CHECK(clReleaseMemObject(a_buffer));
    HOST_CHECK(clReleaseMemObject(b_buffer));
    HOST_CHECK(clReleaseKernel(kernel));
    host_close(&host);
    return host_verdict("vector_add", wrong == 0, "%u sums wrong", wrong);
}

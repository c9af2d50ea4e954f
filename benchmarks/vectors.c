#include "benchmarks/vectors.h"

#include "benchmarks/host.h"

#include <stdio.h>
#include <stdlib.h>

enum { GROUP_SIZE = 256, VECTORS = 3 };

static float *random_vector(unsigned count, unsigned seed) {
    float *values = host_allocate(count * sizeof *values);
    for (unsigned i = 0; i < count; i++) values[i] = (float)host_random(&seed) / 65536.0f;
    return values;
}

static cl_ulong run_on_device(const struct vectors *v, const char *source, float *const vector[VECTORS],
                              unsigned count) {
    const size_t bytes = count * sizeof(float), local = GROUP_SIZE,
                 global = (count + local - 1) / local * local;
    cl_mem buffer[VECTORS];
    cl_uint argument = 0;
    struct host host;
    host_open(&host);
    cl_kernel kernel = host_kernel(&host, source, v->name);
    for (unsigned i = 0; i < VECTORS; i++) {
        buffer[i] = host_buffer(&host, bytes, i == v->result ? NULL : vector[i]);
        HOST_ARGUMENT(kernel, argument++, buffer[i]);
    }
    if (v->scale) HOST_ARGUMENT(kernel, argument++, *v->scale);
    HOST_ARGUMENT(kernel, argument++, count);
    const cl_ulong time_ns = host_launch(&host, kernel, 1, &global, &local);
    host_read(&host, buffer[v->result], vector[v->result], bytes);
    for (unsigned i = 0; i < VECTORS; i++) HOST_CHECK(clReleaseMemObject(buffer[i]));
    HOST_CHECK(clReleaseKernel(kernel));
    host_close(&host);
    return time_ns;
}

int vectors_main(const struct vectors *v, int argc, char **argv) {
    struct host_size size = {"count", "elements of a vector", 1 << 18, 1 << 26};
    char *source = host_parse_sizes(argc, argv, v->name, v->summary, &size, 1);
    const unsigned count = size.value;
    float *vector[VECTORS], *expected = host_allocate(count * sizeof *expected);
    for (unsigned i = 0; i < VECTORS; i++) vector[i] = random_vector(count, i + 1);
    const float *one = vector[v->result == 0], *other = vector[v->result == 2 ? 1 : 2];
    for (unsigned i = 0; i < count; i++) expected[i] = v->expected(one[i], other[i]);
    const cl_ulong time_ns = run_on_device(v, source, vector, count);
    const unsigned wrong = host_count_wrong(v->name, vector[v->result], expected, sizeof *expected, count);
    printf("%s: %u floats, work-groups of %d, kernel time %llu ns\n", v->name, count, GROUP_SIZE,
           (unsigned long long)time_ns);
    for (unsigned i = 0; i < VECTORS; i++) free(vector[i]);
    free(expected);
    free(source);
    return host_verdict(v->name, wrong == 0, "%u of %u elements differ from C", wrong, count);
}

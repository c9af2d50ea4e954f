/* dotproduct: the dual-mode paper's DotProduct: scalar products of many pairs of vectors of four floats on an
 * OpenCL device, one pair a work-item, without barriers. Each product must equal C's, bit for bit. */
#include "benchmarks/host.h"

#include <stdio.h>
#include <stdlib.h>

enum { GROUP = 256, LENGTH = 4 };

static float *random_vectors(size_t count, unsigned *seed) {
    float *values = host_allocate(count * LENGTH * sizeof *values);
    for (size_t i = 0; i < count * LENGTH; i++) values[i] = (float)host_random(seed) / 16777216.0f - 0.5f;
    return values;
}

/* Multiplies on the device. each: products of a work-item; the products of a work-group do not depend on
 * it. */
static cl_ulong multiply_on_device(const char *source, size_t each, const float *a, const float *b,
                                   float *product, cl_int count) {
    const size_t bytes = (size_t)count * sizeof(float), local = GROUP / each,
                 global = ((size_t)count + GROUP - 1) / GROUP * local;
    struct host host;
    host_open(&host);
    cl_kernel kernel = host_kernel(&host, source, "dotproduct");
    cl_mem buffer[] = {host_buffer(&host, LENGTH * bytes, a), host_buffer(&host, LENGTH * bytes, b),
                       host_buffer(&host, bytes, NULL)};
    for (cl_uint i = 0; i < 3; i++) HOST_ARGUMENT(kernel, i, buffer[i]);
    HOST_ARGUMENT(kernel, 3, count);
    const cl_ulong time_ns = host_launch(&host, kernel, 1, &global, &local);
    host_read(&host, buffer[2], product, bytes);
    for (unsigned i = 0; i < 3; i++) HOST_CHECK(clReleaseMemObject(buffer[i]));
    HOST_CHECK(clReleaseKernel(kernel));
    host_close(&host);
    return time_ns;
}

int main(int argc, char **argv) {
    struct host_size sizes[] = {{"products", "products of two vectors", 0, 1 << 24}};
    host_inputs inputs[] = {{32768, 262144, 1277952}};
    struct host_choice vectors = HOST_VECTORS;
    unsigned seed = 1;
    const struct host_command command = {
        .name = "dotproduct",
        .summary = "Multiplies pairs of vectors of four on the first OpenCL device and checks all.",
        .sizes = sizes,
        .size_count = 1,
        .inputs = inputs,
        .choices = &vectors,
        .choice_count = 1,
        .seed = &seed};
    char *source = host_parse_command(argc, argv, &command);
    const size_t count = sizes[0].value;
    if (vectors.value && count % 4)
        HOST_FAIL("--products %zu is no multiple of 4, as --vectors needs", count);
    float *a = random_vectors(count, &seed), *b = random_vectors(count, &seed),
          *found = host_allocate(count * sizeof *found), *expected = host_allocate(count * sizeof *expected);
    for (size_t i = 0; i < count; i++) {
        const float *x = a + LENGTH * i, *y = b + LENGTH * i;
        expected[i] = x[0] * y[0] + x[1] * y[1] + x[2] * y[2] + x[3] * y[3];
    }
    const cl_ulong time_ns = multiply_on_device(source, vectors.value ? 4 : 1, a, b, found, (cl_int)count);
    const unsigned wrong = host_count_wrong("dotproduct", found, expected, sizeof *found, count);
    printf("dotproduct: %zu products, kernel time %llu ns\n", count, (unsigned long long)time_ns);
    free(a);
    free(b);
    free(found);
    free(expected);
    free(source);
    return host_verdict("dotproduct", wrong == 0, "%u of %zu products differ from C", wrong, count);
}

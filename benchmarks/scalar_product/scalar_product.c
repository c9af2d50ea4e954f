/* scalar_product: the scalar products of pairs of vectors on an OpenCL device. Each must equal, bit for bit,
 * that of C with the same order of additions, and lie within the error bound of that order around the product
 * in double. */
#include "benchmarks/host.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ACCUMULATORS = 256, GROUPS = 32 };

static float *random_vectors(size_t count, unsigned seed) {
    float *values = host_allocate(count * sizeof *values);
    for (size_t i = 0; i < count; i++) values[i] = (float)host_random(&seed) / 16777216.0f - 0.5f;
    return values;
}

/* Returns the product, computed in the order of the kernel. */
static float product_in_c(const float *a, const float *b, unsigned length) {
    float accumulator[ACCUMULATORS] = {0.0f};
    for (unsigned i = 0; i < length; i++) accumulator[i % ACCUMULATORS] += a[i] * b[i];
    for (unsigned stride = ACCUMULATORS / 2; stride > 0; stride /= 2)
        for (unsigned i = 0; i < stride; i++) accumulator[i] += accumulator[i + stride];
    return accumulator[0];
}

/* Returns whether a product is as near to that in double as `length` roundings allow. */
static bool is_near(float product, const float *a, const float *b, unsigned length) {
    double exact = 0.0, magnitude = 0.0;
    for (unsigned i = 0; i < length; i++) {
        exact += (double)a[i] * b[i];
        magnitude += fabs((double)a[i] * b[i]);
    }
    const unsigned additions = length / ACCUMULATORS + 2;
    return fabs(product - exact) <= (additions + log2(ACCUMULATORS)) * ldexp(magnitude, -24);
}

static cl_ulong multiply_on_device(const char *source, const float *a, const float *b, float *product,
                                   unsigned vectors, unsigned length) {
    char options[32];
    snprintf(options, sizeof options, "-D ACCUMULATORS=%d", ACCUMULATORS);
    const size_t bytes = (size_t)vectors * length * sizeof *a, local = ACCUMULATORS,
                 global = local * (vectors < GROUPS ? vectors : GROUPS);
    struct host host;
    host_open(&host);
    cl_program program = host_build(&host, source, options);
    cl_kernel kernel = HOST_CREATE(clCreateKernel, program, "scalar_product");
    cl_mem a_buffer = host_buffer(&host, bytes, a), b_buffer = host_buffer(&host, bytes, b),
           product_buffer = host_buffer(&host, vectors * sizeof *product, NULL);
    HOST_ARGUMENT(kernel, 0, a_buffer);
    HOST_ARGUMENT(kernel, 1, b_buffer);
    HOST_ARGUMENT(kernel, 2, product_buffer);
    HOST_ARGUMENT(kernel, 3, vectors);
    HOST_ARGUMENT(kernel, 4, length);
    const cl_ulong time_ns = host_launch(&host, kernel, 1, &global, &local);
    host_read(&host, product_buffer, product, vectors * sizeof *product);
    HOST_CHECK(clReleaseMemObject(a_buffer));
    HOST_CHECK(clReleaseMemObject(b_buffer));
    HOST_CHECK(clReleaseMemObject(product_buffer));
    HOST_CHECK(clReleaseKernel(kernel));
    HOST_CHECK(clReleaseProgram(program));
    host_close(&host);
    return time_ns;
}

int main(int argc, char **argv) {
    struct host_size sizes[] = {{"vectors", "pairs of vectors", 64, 1 << 16},
                                {"length", "elements of a vector", 4096, 1 << 16}};
    char *source = host_parse_sizes(
        argc, argv, "scalar_product",
        "Multiplies pairs of vectors on the first OpenCL device and checks the products.", sizes, 2);
    const unsigned vectors = sizes[0].value, length = sizes[1].value;
    const size_t count = (size_t)vectors * length;
    if (count > 1u << 26) HOST_FAIL("--vectors %u --length %u: more than 2^26 elements", vectors, length);
    float *a = random_vectors(count, 1), *b = random_vectors(count, 2);
    float *product = host_allocate(vectors * sizeof *product),
          *expected = host_allocate(vectors * sizeof *expected);

    const cl_ulong time_ns = multiply_on_device(source, a, b, product, vectors, length);
    unsigned far = 0;
    for (unsigned v = 0; v < vectors; v++) {
        const size_t begin = (size_t)v * length;
        expected[v] = product_in_c(a + begin, b + begin, length);
        far += !is_near(product[v], a + begin, b + begin, length);
    }
    const unsigned wrong = host_count_wrong("scalar_product", product, expected, sizeof *product, vectors);
    printf("scalar_product: %u pairs of %u floats, work-groups of %d, kernel time %llu ns\n", vectors, length,
           ACCUMULATORS, (unsigned long long)time_ns);
    free(a);
    free(b);
    free(product);
    free(expected);
    free(source);
    return host_verdict("scalar_product", wrong == 0 && far == 0,
                        "of %u products %u differ from C in the same order, %u are off in double", vectors,
                        wrong, far);
}

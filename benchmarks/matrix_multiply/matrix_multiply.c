/* matrix_multiply: multiplies two random square matrices on an OpenCL device. Every element must equal C's,
 * bit for bit. */
#include "benchmarks/host.h"

#include <stdio.h>
#include <stdlib.h>

enum { TILE = 16 };

static float *matrix_new(size_t size, unsigned *seed) {
    float *m = host_allocate(size * size * sizeof *m);
    for (size_t i = 0; i < size * size && seed; i++) m[i] = (float)host_random(seed) / 8388608.0f - 1.0f;
    return m;
}

static void multiply_in_c(const float *a, const float *b, float *product, size_t size) {
    for (size_t row = 0; row < size; row++)
        for (size_t column = 0; column < size; column++) {
            float sum = 0.0f;
            for (size_t k = 0; k < size; k++) sum += a[row * size + k] * b[k * size + column];
            product[row * size + column] = sum;
        }
}

static cl_ulong multiply_on_device(const char *source, const float *a, const float *b, float *product,
                                   cl_int size) {
    const size_t bytes = (size_t)size * (size_t)size * sizeof *a,
                 side = ((size_t)size + TILE - 1) / TILE * TILE;
    const size_t local[2] = {TILE, TILE}, global[2] = {side, side};
    char options[32];
    snprintf(options, sizeof options, "-D TILE=%d", TILE);
    struct host host;
    host_open(&host);
    cl_program program = host_build(&host, source, options);
    cl_kernel kernel = HOST_CREATE(clCreateKernel, program, "matrix_multiply");
    cl_mem first = host_buffer(&host, bytes, a), second = host_buffer(&host, bytes, b),
           result = host_buffer(&host, bytes, NULL);
    HOST_ARGUMENT(kernel, 0, first);
    HOST_ARGUMENT(kernel, 1, second);
    HOST_ARGUMENT(kernel, 2, result);
    HOST_ARGUMENT(kernel, 3, size);
    const cl_ulong time_ns = host_launch(&host, kernel, 2, global, local);
    host_read(&host, result, product, bytes);
    HOST_CHECK(clReleaseMemObject(first));
    HOST_CHECK(clReleaseMemObject(second));
    HOST_CHECK(clReleaseMemObject(result));
    HOST_CHECK(clReleaseKernel(kernel));
    HOST_CHECK(clReleaseProgram(program));
    host_close(&host);
    return time_ns;
}

int main(int argc, char **argv) {
    struct host_size sizes[] = {{"size", "rows and columns of the matrices", 48, 2048}};
    host_inputs inputs[] = {{48, 128, 256}};
    unsigned seed = 1;
    char *source = host_parse_inputs(argc, argv, "matrix_multiply",
                                     "Multiplies matrices on the first OpenCL device and checks the product.",
                                     sizes, 1, inputs, &seed);
    const size_t size = sizes[0].value;
    float *a = matrix_new(size, &seed), *b = matrix_new(size, &seed), *found = matrix_new(size, NULL),
          *expected = matrix_new(size, NULL);
    const cl_ulong time_ns = multiply_on_device(source, a, b, found, (cl_int)size);
    multiply_in_c(a, b, expected, size);
    const unsigned wrong = host_count_wrong("matrix_multiply", found, expected, sizeof *found, size * size);
    printf("matrix_multiply: %zu x %zu, kernel time %llu ns\n", size, size, (unsigned long long)time_ns);
    free(a);
    free(b);
    free(found);
    free(expected);
    free(source);
    return host_verdict("matrix_multiply", wrong == 0, "%u of %zu elements differ from C", wrong,
                        size * size);
}

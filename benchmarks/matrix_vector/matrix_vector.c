/* matrix_vector: products of a matrix, and of the transposed matrix, with a vector on an OpenCL device. Each
 * element must equal C's, bit for bit. */
#include "benchmarks/host.h"

#include <stdio.h>
#include <stdlib.h>

enum { GROUP_SIZE = 256, BY_ROWS = 1, BY_COLUMNS = 2 };

static float *random_values(size_t count, unsigned seed) {
    float *values = host_allocate(count * sizeof *values);
    for (size_t i = 0; i < count; i++) values[i] = (float)host_random(&seed) / 16777216.0f - 0.5f;
    return values;
}

static void multiply_in_c(const float *matrix, const float *vector, float *product, unsigned size,
                          unsigned access) {
    const size_t from = access == BY_ROWS ? size : 1, by = access == BY_ROWS ? 1 : size;
    for (size_t n = 0; n < size; n++) {
        product[n] = 0.0f;
        for (size_t i = 0; i < size; i++) product[n] += matrix[n * from + i * by] * vector[i];
    }
}

/* Multiplies on the device. Returns the number of wrong elements. */
static unsigned multiply(const struct host *host, cl_program program, unsigned access, const float *matrix,
                         const float *vector, unsigned size) {
    const char *const name = access == BY_ROWS ? "by_rows" : "by_columns";
    const size_t elements = (size_t)size * size, local = GROUP_SIZE,
                 global = (size + local - 1) / local * local;
    float *product = host_allocate(size * sizeof *product),
          *expected = host_allocate(size * sizeof *expected);
    cl_kernel kernel = HOST_CREATE(clCreateKernel, program, name);
    cl_mem matrix_buffer = host_buffer(host, elements * sizeof *matrix, matrix),
           vector_buffer = host_buffer(host, size * sizeof *vector, vector),
           product_buffer = host_buffer(host, size * sizeof *product, NULL);
    HOST_ARGUMENT(kernel, 0, matrix_buffer);
    HOST_ARGUMENT(kernel, 1, vector_buffer);
    HOST_ARGUMENT(kernel, 2, product_buffer);
    HOST_ARGUMENT(kernel, 3, size);
    const cl_ulong time_ns = host_launch(host, kernel, 1, &global, &local);
    host_read(host, product_buffer, product, size * sizeof *product);
    multiply_in_c(matrix, vector, expected, size, access);
    const unsigned wrong = host_count_wrong(name, product, expected, sizeof *product, size);
    printf("matrix_vector: %s, %u x %u floats, work-groups of %d, kernel time %llu ns\n", name, size, size,
           GROUP_SIZE, (unsigned long long)time_ns);
    HOST_CHECK(clReleaseMemObject(matrix_buffer));
    HOST_CHECK(clReleaseMemObject(vector_buffer));
    HOST_CHECK(clReleaseMemObject(product_buffer));
    HOST_CHECK(clReleaseKernel(kernel));
    free(product);
    free(expected);
    return wrong;
}

int main(int argc, char **argv) {
    struct host_size sizes[] = {{"size", "rows and columns of the matrix", 512, 8192},
                                {"access", "1: by rows, 2: by columns (transposed), 3: both", 3, 3}};
    char *source = host_parse_sizes(argc, argv, "matrix_vector",
                                    "Multiplies a matrix and a vector on the first OpenCL device and checks "
                                    "the product.",
                                    sizes, 2);
    const unsigned size = sizes[0].value, access = sizes[1].value;
    float *matrix = random_values((size_t)size * size, 1), *vector = random_values(size, 2);
    struct host host;
    unsigned wrong = 0;
    host_open(&host);
    cl_program program = host_build(&host, source, NULL);
    if (access & BY_ROWS) wrong += multiply(&host, program, BY_ROWS, matrix, vector, size);
    if (access & BY_COLUMNS) wrong += multiply(&host, program, BY_COLUMNS, matrix, vector, size);
    HOST_CHECK(clReleaseProgram(program));
    host_close(&host);
    free(matrix);
    free(vector);
    free(source);
    return host_verdict("matrix_vector", wrong == 0, "%u elements differ from C", wrong);
}

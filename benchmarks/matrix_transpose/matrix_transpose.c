/* matrix_transpose: exchanges rows and columns of a random matrix on an OpenCL device and checks every
 * element in C. */
#include "benchmarks/host.h"

#include <stdio.h>
#include <stdlib.h>

enum { TILE = 16 };

static cl_ulong transpose_on_device(const char *source, const float *matrix, float *result, cl_int rows,
                                    cl_int columns) {
    const size_t bytes = (size_t)rows * (size_t)columns * sizeof *matrix, local[2] = {TILE, TILE},
                 global[2] = {((size_t)columns + TILE - 1) / TILE * TILE,
                              ((size_t)rows + TILE - 1) / TILE * TILE};
    char options[32];
    snprintf(options, sizeof options, "-D TILE=%d", TILE);
    struct host host;
    host_open(&host);
    cl_program program = host_build(&host, source, options);
    cl_kernel kernel = HOST_CREATE(clCreateKernel, program, "matrix_transpose");
    cl_mem from = host_buffer(&host, bytes, matrix), to = host_buffer(&host, bytes, NULL);
    HOST_ARGUMENT(kernel, 0, from);
    HOST_ARGUMENT(kernel, 1, to);
    HOST_ARGUMENT(kernel, 2, rows);
    HOST_ARGUMENT(kernel, 3, columns);
    const cl_ulong time_ns = host_launch(&host, kernel, 2, global, local);
    host_read(&host, to, result, bytes);
    HOST_CHECK(clReleaseMemObject(from));
    HOST_CHECK(clReleaseMemObject(to));
    HOST_CHECK(clReleaseKernel(kernel));
    HOST_CHECK(clReleaseProgram(program));
    host_close(&host);
    return time_ns;
}

int main(int argc, char **argv) {
    struct host_size sizes[] = {{"rows", "rows of the matrix", 64, 8192},
                                {"columns", "columns of the matrix", 96, 8192}};
    host_inputs inputs[] = {{64, 256, 1024}, {96, 256, 1024}};
    unsigned seed = 1;
    char *source = host_parse_inputs(argc, argv, "matrix_transpose",
                                     "Transposes a matrix on the first OpenCL device and checks the result.",
                                     sizes, 2, inputs, &seed);
    const size_t rows = sizes[0].value, columns = sizes[1].value, elements = rows * columns;
    float *matrix = host_allocate(elements * sizeof *matrix),
          *found = host_allocate(elements * sizeof *found),
          *expected = host_allocate(elements * sizeof *expected);
    for (size_t i = 0; i < elements; i++) matrix[i] = (float)host_random(&seed);
    const cl_ulong time_ns = transpose_on_device(source, matrix, found, (cl_int)rows, (cl_int)columns);
    for (size_t row = 0; row < rows; row++)
        for (size_t column = 0; column < columns; column++)
            expected[column * rows + row] = matrix[row * columns + column];
    const unsigned wrong = host_count_wrong("matrix_transpose", found, expected, sizeof *found, elements);
    printf("matrix_transpose: %zu x %zu, kernel time %llu ns\n", rows, columns, (unsigned long long)time_ns);
    free(matrix);
    free(found);
    free(expected);
    free(source);
    return host_verdict("matrix_transpose", wrong == 0, "%u of %zu elements are wrong", wrong, elements);
}

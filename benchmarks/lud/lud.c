/* lud: the dual-mode paper's Lud: decomposes a random matrix into a lower and an upper triangular matrix by
 * tiles on an OpenCL device. Every element must equal C's, bit for bit. C adds products in the kernels'
 * order: one by one in the tiles of a step, first summed in the tiles behind them. */
#include "benchmarks/host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TILE = 16, KERNELS = 3 };

/* Returns a random matrix. Each diagonal element is larger than the sum of the others in its row, so that no
 * pivoting is needed. */
static float *random_matrix(size_t width, unsigned seed) {
    float *matrix = host_allocate(width * width * sizeof *matrix);
    for (size_t i = 0; i < width * width; i++)
        matrix[i] =
            (float)host_random(&seed) / 8388608.0f - 1.0f + (i % (width + 1) == 0 ? (float)width : 0.0f);
    return matrix;
}

/* Does step `at` in C: subtracts its products from the rows and columns from `at` on. */
static void step_in_c(float *matrix, size_t width, size_t at) {
    for (size_t k = at; k < at + TILE; k++)
        for (size_t row = k + 1; row < width; row++) {
            float *a = matrix + row * width;
            const float *b = matrix + k * width;
            const size_t end = row < at + TILE ? width : at + TILE;
            a[k] /= b[k];
            for (size_t column = k + 1; column < end; column++) a[column] -= a[k] * b[column];
        }
    for (size_t row = at + TILE; row < width; row++)
        for (size_t column = at + TILE; column < width; column++) {
            float sum = 0.0f;
            for (size_t k = at; k < at + TILE; k++)
                sum += matrix[row * width + k] * matrix[k * width + column];
            matrix[row * width + column] -= sum;
        }
}

/* Decomposes on the device. openmp: a step is a serial part and two OpenMP regions. */
static cl_ulong decompose_on_device(const char *source, bool openmp, float *matrix, size_t width) {
    static const char *const of_opencl[KERNELS] = {"diagonal", "perimeter", "internal"},
                             *const of_openmp[KERNELS] = {"diagonal_block", "perimeter_blocks",
                                                          "inner_blocks"};
    const char *const *names = openmp ? of_openmp : of_opencl;
    const size_t bytes = width * width * sizeof(float), of_diagonal = TILE, of_perimeter = 2 * TILE,
                 of_internal[2] = {TILE, TILE};
    const cl_int columns = (cl_int)width;
    char options[32];
    snprintf(options, sizeof options, "-D TILE=%d", TILE);
    struct host host;
    host_open(&host);
    cl_program program = host_build(&host, source, options);
    cl_mem buffer = host_buffer(&host, bytes, matrix);
    cl_kernel kernel[KERNELS];
    for (unsigned n = 0; n < KERNELS; n++) {
        kernel[n] = HOST_CREATE(clCreateKernel, program, names[n]);
        HOST_ARGUMENT(kernel[n], 0, buffer);
        HOST_ARGUMENT(kernel[n], 1, columns);
    }
    cl_ulong time_ns = 0;
    for (cl_int at = 0; at < columns; at += TILE) {
        const size_t rest = width - (size_t)at - TILE, perimeter = 2 * rest, internal[2] = {rest, rest};
        for (unsigned n = 0; n < KERNELS; n++) HOST_ARGUMENT(kernel[n], 2, at);
        time_ns += openmp ? host_serial(&host, kernel[0])
                          : host_launch(&host, kernel[0], 1, &of_diagonal, &of_diagonal);
        if (rest == 0) break;
        time_ns += openmp ? host_region(&host, kernel[1])
                          : host_launch(&host, kernel[1], 1, &perimeter, &of_perimeter);
        time_ns +=
            openmp ? host_region(&host, kernel[2]) : host_launch(&host, kernel[2], 2, internal, of_internal);
    }
    host_read(&host, buffer, matrix, bytes);
    for (unsigned n = 0; n < KERNELS; n++) HOST_CHECK(clReleaseKernel(kernel[n]));
    HOST_CHECK(clReleaseMemObject(buffer));
    HOST_CHECK(clReleaseProgram(program));
    host_close(&host);
    return time_ns;
}

int main(int argc, char **argv) {
    struct host_size sizes[] = {{"size", "rows of the matrix, a multiple of 16", 0, 2048}};
    host_inputs inputs[] = {{64, 128, 256}};
    struct host_choice model = HOST_MODEL;
    unsigned seed = 1;
    const struct host_command command = {
        .name = "lud",
        .summary = "Decomposes a matrix on the first OpenCL device and checks every element.",
        .sizes = sizes,
        .size_count = 1,
        .inputs = inputs,
        .choices = &model,
        .choice_count = 1,
        .seed = &seed};
    char *source = host_parse_command(argc, argv, &command);
    const size_t width = sizes[0].value, count = width * width;
    if (width % TILE) HOST_FAIL("--size %zu is no multiple of %d", width, TILE);
    float *found = random_matrix(width, seed), *expected = random_matrix(width, seed);
    const cl_ulong time_ns = decompose_on_device(source, model.value, found, width);
    for (size_t at = 0; at < width; at += TILE) step_in_c(expected, width, at);
    const unsigned wrong = host_count_wrong("lud", found, expected, sizeof *found, count);
    printf("lud: %zu rows, last element %.6f, kernel time %llu ns\n", width, (double)found[count - 1],
           (unsigned long long)time_ns);
    free(found);
    free(expected);
    free(source);
    return host_verdict("lud", wrong == 0, "%u of %zu elements differ from C", wrong, count);
}

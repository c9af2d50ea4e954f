/* lu_decomposition: decomposes a random matrix into a lower and an upper triangular matrix on an OpenCL
 * device, tile by tile. Every element must equal C's without tiles, bit for bit. */
#include "benchmarks/host.h"

#include <stdio.h>
#include <stdlib.h>

enum { TILE = 16 };

/* Makes a random matrix. Each diagonal element is larger than the sum of the others in its row, so that no
 * pivoting is needed. */
static void fill(float *matrix, size_t width, unsigned seed) {
    for (size_t i = 0; i < width * width; i++)
        matrix[i] =
            (float)host_random(&seed) / 8388608.0f - 1.0f + (i % (width + 1) == 0 ? (float)width : 0.0f);
}

static void decompose_in_c(float *matrix, size_t width) {
    for (size_t k = 0; k < width; k++)
        for (size_t row = k + 1; row < width; row++) {
            float *a = matrix + row * width;
            const float *b = matrix + k * width;
            a[k] /= b[k];
            for (size_t column = k + 1; column < width; column++) a[column] -= a[k] * b[column];
        }
}

static cl_ulong decompose_on_device(const char *source, float *matrix, size_t width) {
    static const char *const names[] = {"diagonal", "perimeter", "internal"};
    const size_t bytes = width * width * sizeof(float), of_diagonal = TILE, of_perimeter = 2 * TILE,
                 of_internal[2] = {TILE, TILE};
    char options[32];
    snprintf(options, sizeof options, "-D TILE=%d", TILE);
    struct host host;
    host_open(&host);
    cl_program program = host_build(&host, source, options);
    cl_mem buffer = host_buffer(&host, bytes, matrix);
    cl_kernel kernel[3];
    const cl_int columns = (cl_int)width;
    for (size_t n = 0; n < 3; n++) {
        kernel[n] = HOST_CREATE(clCreateKernel, program, names[n]);
        HOST_ARGUMENT(kernel[n], 0, buffer);
        HOST_ARGUMENT(kernel[n], 1, columns);
    }
    cl_ulong time_ns = 0;
    for (cl_int at = 0; at < columns; at += TILE) {
        const size_t rest = width - (size_t)at - TILE, perimeter = 2 * rest, internal[2] = {rest, rest};
        for (size_t n = 0; n < 3; n++) HOST_ARGUMENT(kernel[n], 2, at);
        time_ns += host_launch(&host, kernel[0], 1, &of_diagonal, &of_diagonal);
        if (rest == 0) break;
        time_ns += host_launch(&host, kernel[1], 1, &perimeter, &of_perimeter);
        time_ns += host_launch(&host, kernel[2], 2, internal, of_internal);
    }
    host_read(&host, buffer, matrix, bytes);
    for (size_t n = 0; n < 3; n++) HOST_CHECK(clReleaseKernel(kernel[n]));
    HOST_CHECK(clReleaseMemObject(buffer));
    HOST_CHECK(clReleaseProgram(program));
    host_close(&host);
    return time_ns;
}

int main(int argc, char **argv) {
    struct host_size sizes[] = {{"tiles", "tiles of 16 x 16 on a side of the matrix", 3, 128}};
    host_inputs inputs[] = {{3, 12, 32}};
    unsigned seed = 1;
    char *source = host_parse_inputs(
        argc, argv, "lu_decomposition",
        "Decomposes a matrix on the first OpenCL device and checks every element.", sizes, 1, inputs, &seed);
    const size_t width = (size_t)sizes[0].value * TILE, count = width * width;
    float *found = host_allocate(count * sizeof(float)), *expected = host_allocate(count * sizeof(float));
    fill(found, width, seed);
    fill(expected, width, seed);
    const cl_ulong time_ns = decompose_on_device(source, found, width);
    decompose_in_c(expected, width);
    const unsigned wrong = host_count_wrong("lu_decomposition", found, expected, sizeof(float), count);
    printf("lu_decomposition: %zu rows, last element %.6f, kernel time %llu ns\n", width,
           (double)found[count - 1], (unsigned long long)time_ns);
    free(found);
    free(expected);
    free(source);
    return host_verdict("lu_decomposition", wrong == 0, "%u of %zu elements differ from C", wrong, count);
}

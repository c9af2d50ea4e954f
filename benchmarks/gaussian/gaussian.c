/* gaussian: the dual-mode paper's Gaussian: eliminates in a random system of linear equations on an OpenCL
 * device, with two launches a step, each over the whole matrix. Matrix, right side and multipliers must equal
 * C's, bit for bit. In the benchmark gaussian_elimination the launches shrink. */
#include "benchmarks/host.h"

#include <stdio.h>
#include <stdlib.h>

enum { GROUP = 256, TILE = 16 };

struct equations {
    size_t size;
    float *matrix, *right, *multiplier;
};

/* Makes random equations. Each diagonal element is larger than the sum of the others in its row, so that no
 * pivoting is needed. */
static struct equations equations_new(size_t size, unsigned seed) {
    struct equations e = {size, host_allocate(size * size * sizeof(float)),
                          host_allocate(size * sizeof(float)), host_allocate(size * size * sizeof(float))};
    for (size_t row = 0; row < size; row++) {
        for (size_t column = 0; column < size; column++)
            e.matrix[row * size + column] = (float)host_random(&seed) / 8388608.0f - 1.0f;
        e.matrix[row * size + row] += (float)size;
        e.right[row] = (float)host_random(&seed) / 16777216.0f;
    }
    return e;
}

static void equations_free(struct equations *e) {
    free(e->matrix);
    free(e->right);
    free(e->multiplier);
}

static void eliminate_in_c(struct equations *e) {
    const size_t size = e->size;
    for (size_t step = 0; step + 1 < size; step++)
        for (size_t row = step + 1; row < size; row++) {
            float *below = e->matrix + row * size;
            const float *pivot = e->matrix + step * size, times = below[step] / pivot[step];
            e->multiplier[row * size + step] = times;
            e->right[row] -= times * e->right[step];
            for (size_t column = step; column < size; column++) below[column] -= times * pivot[column];
        }
}

static cl_ulong eliminate_on_device(const char *source, struct equations *e) {
    const size_t bytes = e->size * e->size * sizeof(float), tiles = (e->size + TILE - 1) / TILE * TILE,
                 group = GROUP, rows = (e->size + GROUP - 1) / GROUP * GROUP, tile[2] = {TILE, TILE},
                 cells[2] = {tiles, tiles};
    const cl_int size = (cl_int)e->size;
    struct host host;
    host_open(&host);
    cl_program program = host_build(&host, source, NULL);
    cl_kernel fan1 = HOST_CREATE(clCreateKernel, program, "fan1"),
              fan2 = HOST_CREATE(clCreateKernel, program, "fan2");
    cl_mem matrix = host_buffer(&host, bytes, e->matrix),
           right = host_buffer(&host, e->size * sizeof(float), e->right),
           multiplier = host_buffer(&host, bytes, e->multiplier);
    HOST_ARGUMENT(fan1, 0, matrix);
    HOST_ARGUMENT(fan1, 1, multiplier);
    HOST_ARGUMENT(fan1, 2, size);
    HOST_ARGUMENT(fan2, 0, matrix);
    HOST_ARGUMENT(fan2, 1, right);
    HOST_ARGUMENT(fan2, 2, multiplier);
    HOST_ARGUMENT(fan2, 3, size);
    cl_ulong time_ns = 0;
    for (cl_int step = 0; step + 1 < size; step++) {
        HOST_ARGUMENT(fan1, 3, step);
        HOST_ARGUMENT(fan2, 4, step);
        time_ns += host_launch(&host, fan1, 1, &rows, &group);
        time_ns += host_launch(&host, fan2, 2, cells, tile);
    }
    host_read(&host, matrix, e->matrix, bytes);
    host_read(&host, right, e->right, e->size * sizeof(float));
    host_read(&host, multiplier, e->multiplier, bytes);
    HOST_CHECK(clReleaseMemObject(matrix));
    HOST_CHECK(clReleaseMemObject(right));
    HOST_CHECK(clReleaseMemObject(multiplier));
    HOST_CHECK(clReleaseKernel(fan1));
    HOST_CHECK(clReleaseKernel(fan2));
    HOST_CHECK(clReleaseProgram(program));
    host_close(&host);
    return time_ns;
}

int main(int argc, char **argv) {
    struct host_size sizes[] = {{"size", "equations and unknowns", 0, 2048}};
    host_inputs inputs[] = {{24, 96, 208}};
    unsigned seed = 1;
    const struct host_command command = {
        .name = "gaussian",
        .summary = "Eliminates in linear equations on the first OpenCL device and checks every number.",
        .sizes = sizes,
        .size_count = 1,
        .inputs = inputs,
        .seed = &seed};
    char *source = host_parse_command(argc, argv, &command);
    const size_t size = sizes[0].value;
    if (size < 2) HOST_FAIL("--size 1 leaves nothing to eliminate");
    struct equations found = equations_new(size, seed), expected = equations_new(size, seed);
    const cl_ulong time_ns = eliminate_on_device(source, &found);
    eliminate_in_c(&expected);
    const unsigned wrong =
        host_count_wrong("matrix", found.matrix, expected.matrix, sizeof(float), size * size) +
        host_count_wrong("right side", found.right, expected.right, sizeof(float), size) +
        host_count_wrong("multiplier", found.multiplier, expected.multiplier, sizeof(float), size * size);
    /* The last row has one unknown left. */
    printf("gaussian: %zu unknowns, the last %.6f, kernel time %llu ns\n", size,
           (double)(found.right[size - 1] / found.matrix[size * size - 1]), (unsigned long long)time_ns);
    equations_free(&found);
    equations_free(&expected);
    free(source);
    return host_verdict("gaussian", wrong == 0, "%u of %zu numbers differ from C", wrong,
                        size * (2 * size + 1));
}

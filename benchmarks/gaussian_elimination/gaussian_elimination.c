/* gaussian_elimination: solves a random system of linear equations. An OpenCL device eliminates, with two
 * launches a step, and the host substitutes back. Matrix and right side must equal C's, bit for bit. */
#include "benchmarks/host.h"

#include <stdio.h>
#include <stdlib.h>

enum { TILE = 4, COLUMN = 256 };

struct equations {
    size_t size;
    float *matrix, *right;
};

/* Makes random equations. Each diagonal element is larger than the sum of the others in its row, so that no
 * pivoting is needed. */
static struct equations equations_new(size_t size, unsigned seed) {
    struct equations e = {size, host_allocate(size * size * sizeof(float)),
                          host_allocate(size * sizeof(float))};
    for (size_t i = 0; i < size * size; i++)
        e.matrix[i] =
            (float)host_random(&seed) / 8388608.0f - 1.0f + (i % (size + 1) == 0 ? (float)size : 0.0f);
    for (size_t i = 0; i < size; i++) e.right[i] = (float)host_random(&seed) / 16777216.0f;
    return e;
}

static void equations_free(struct equations *e) {
    free(e->matrix);
    free(e->right);
}

static void eliminate_in_c(struct equations *e) {
    const size_t size = e->size;
    for (size_t step = 0; step + 1 < size; step++)
        for (size_t row = step + 1; row < size; row++) {
            float *a = e->matrix + row * size;
            const float *b = e->matrix + step * size, times = a[step] / b[step];
            for (size_t column = step; column < size; column++) a[column] -= times * b[column];
            e->right[row] -= times * e->right[step];
        }
}

static cl_ulong eliminate_on_device(const char *source, struct equations *e) {
    const size_t bytes = e->size * e->size * sizeof(float), local[2] = {TILE, TILE}, column = COLUMN;
    const cl_int size = (cl_int)e->size;
    char options[64];
    snprintf(options, sizeof options, "-D TILE=%d -D COLUMN=%d", TILE, COLUMN);
    struct host host;
    host_open(&host);
    cl_program program = host_build(&host, source, options);
    cl_kernel multipliers = HOST_CREATE(clCreateKernel, program, "multipliers"),
              eliminate = HOST_CREATE(clCreateKernel, program, "eliminate");
    cl_mem matrix = host_buffer(&host, bytes, e->matrix),
           right = host_buffer(&host, e->size * sizeof(float), e->right),
           multiplier = host_buffer(&host, bytes, NULL);
    HOST_ARGUMENT(multipliers, 0, matrix);
    HOST_ARGUMENT(multipliers, 1, multiplier);
    HOST_ARGUMENT(multipliers, 2, size);
    HOST_ARGUMENT(eliminate, 0, matrix);
    HOST_ARGUMENT(eliminate, 1, right);
    HOST_ARGUMENT(eliminate, 2, multiplier);
    HOST_ARGUMENT(eliminate, 3, size);
    cl_ulong time_ns = 0;
    for (cl_int step = 0; step + 1 < size; step++) {
        const size_t rows = (size_t)(size - step - 1), columns = rows + 1;
        const size_t of_column = (rows + COLUMN - 1) / COLUMN * COLUMN;
        const size_t global[2] = {(columns + TILE - 1) / TILE * TILE, (rows + TILE - 1) / TILE * TILE};
        HOST_ARGUMENT(multipliers, 3, step);
        HOST_ARGUMENT(eliminate, 4, step);
        time_ns += host_launch(&host, multipliers, 1, &of_column, &column);
        time_ns += host_launch(&host, eliminate, 2, global, local);
    }
    host_read(&host, matrix, e->matrix, bytes);
    host_read(&host, right, e->right, e->size * sizeof(float));
    HOST_CHECK(clReleaseMemObject(matrix));
    HOST_CHECK(clReleaseMemObject(right));
    HOST_CHECK(clReleaseMemObject(multiplier));
    HOST_CHECK(clReleaseKernel(multipliers));
    HOST_CHECK(clReleaseKernel(eliminate));
    HOST_CHECK(clReleaseProgram(program));
    host_close(&host);
    return time_ns;
}

/* Returns the first unknown, by substitution from the last one back. */
static float first_unknown(const struct equations *e) {
    float *x = host_allocate(e->size * sizeof(float));
    for (size_t row = e->size; row-- > 0;) {
        x[row] = e->right[row];
        for (size_t k = row + 1; k < e->size; k++) x[row] -= e->matrix[row * e->size + k] * x[k];
        x[row] /= e->matrix[row * e->size + row];
    }
    const float first = x[0];
    free(x);
    return first;
}

int main(int argc, char **argv) {
    struct host_size sizes[] = {{"size", "equations and unknowns", 24, 2048}};
    host_inputs inputs[] = {{24, 64, 208}};
    unsigned seed = 1;
    char *source =
        host_parse_inputs(argc, argv, "gaussian_elimination",
                          "Solves linear equations on the first OpenCL device and checks every number.",
                          sizes, 1, inputs, &seed);
    const size_t size = sizes[0].value;
    if (size < 2) HOST_FAIL("--size 1 leaves nothing to eliminate");
    struct equations found = equations_new(size, seed), expected = equations_new(size, seed);
    const cl_ulong time_ns = eliminate_on_device(source, &found);
    eliminate_in_c(&expected);
    const unsigned wrong =
        host_count_wrong("gaussian_elimination", found.matrix, expected.matrix, sizeof(float), size * size) +
        host_count_wrong("gaussian_elimination", found.right, expected.right, sizeof(float), size);
    printf("gaussian_elimination: %zu unknowns, the first %.6f, kernel time %llu ns\n", size,
           (double)first_unknown(&found), (unsigned long long)time_ns);
    equations_free(&found);
    equations_free(&expected);
    free(source);
    return host_verdict("gaussian_elimination", wrong == 0, "%u of %zu numbers differ from C", wrong,
                        size * (size + 1));
}

/* matrixmul: the dual-mode paper's MatrixMul: the product of two random matrices on an OpenCL device, by
 * tiles in local memory or, with --local off, without them. Every element must equal C's, bit for bit. */
#include "benchmarks/host.h"

#include <stdio.h>
#include <stdlib.h>

enum { TILE = 16 };

struct product {
    size_t rows, inner, columns; /* a has rows x inner elements, b inner x columns */
    float *a, *b, *found, *expected;
};

static float *random_matrix(size_t count, unsigned *seed) {
    float *m = host_allocate(count * sizeof *m);
    for (size_t i = 0; i < count; i++) m[i] = (float)host_random(seed) / 8388608.0f - 1.0f;
    return m;
}

static void multiply_in_c(const struct product *p) {
    for (size_t row = 0; row < p->rows; row++)
        for (size_t column = 0; column < p->columns; column++) {
            float sum = 0.0f;
            for (size_t k = 0; k < p->inner; k++)
                sum += p->a[row * p->inner + k] * p->b[k * p->columns + column];
            p->expected[row * p->columns + column] = sum;
        }
}

/* Multiplies on the device. each: columns of a work-item. */
static cl_ulong multiply_on_device(const char *source, const char *name, size_t each,
                                   const struct product *p) {
    const size_t local[2] = {TILE / each, TILE}, global[2] = {p->columns / each, p->rows},
                 bytes = p->rows * p->columns * sizeof(float);
    const cl_int width_a = (cl_int)p->inner, width_b = (cl_int)p->columns;
    char options[32];
    snprintf(options, sizeof options, "-D TILE=%d", TILE);
    struct host host;
    host_open(&host);
    cl_program program = host_build(&host, source, options);
    cl_kernel kernel = HOST_CREATE(clCreateKernel, program, name);
    cl_mem buffer[] = {host_buffer(&host, p->rows * p->inner * sizeof(float), p->a),
                       host_buffer(&host, p->inner * p->columns * sizeof(float), p->b),
                       host_buffer(&host, bytes, NULL)};
    for (cl_uint i = 0; i < 3; i++) HOST_ARGUMENT(kernel, i, buffer[i]);
    HOST_ARGUMENT(kernel, 3, width_a);
    HOST_ARGUMENT(kernel, 4, width_b);
    const cl_ulong time_ns = host_launch(&host, kernel, 2, global, local);
    host_read(&host, buffer[2], p->found, bytes);
    for (unsigned i = 0; i < 3; i++) HOST_CHECK(clReleaseMemObject(buffer[i]));
    HOST_CHECK(clReleaseKernel(kernel));
    HOST_CHECK(clReleaseProgram(program));
    host_close(&host);
    return time_ns;
}

int main(int argc, char **argv) {
    struct host_size sizes[] = {{"inner", "tiles of 16 in a row of the first matrix", 0, 128},
                                {"rows", "tiles in a column of the first matrix", 0, 128},
                                {"columns", "tiles in a row of the second matrix", 0, 128}};
    host_inputs inputs[] = {{2, 3, 5}, {2, 6, 10}, {2, 3, 5}};
    struct host_choice choices[] = {{"local", "tiles in local memory", {"on", "off"}, 0}, HOST_VECTORS};
    unsigned seed = 1;
    const struct host_command command = {
        .name = "matrixmul",
        .summary = "Multiplies two matrices on the first OpenCL device and checks the product.",
        .sizes = sizes,
        .size_count = 3,
        .inputs = inputs,
        .choices = choices,
        .choice_count = 2,
        .seed = &seed};
    char *source = host_parse_command(argc, argv, &command);
    const bool untiled = choices[0].value, vectors = choices[1].value;
    if (untiled && vectors) HOST_FAIL("--vectors on needs --local on");
    struct product p = {
        .rows = sizes[1].value * TILE, .inner = sizes[0].value * TILE, .columns = sizes[2].value * TILE};
    const size_t count = p.rows * p.columns;
    p.a = random_matrix(p.rows * p.inner, &seed);
    p.b = random_matrix(p.inner * p.columns, &seed);
    p.found = host_allocate(count * sizeof(float));
    p.expected = host_allocate(count * sizeof(float));
    const cl_ulong time_ns =
        multiply_on_device(source, untiled ? "untiled" : "matrixmul", vectors ? 4 : 1, &p);
    multiply_in_c(&p);
    const unsigned wrong = host_count_wrong("matrixmul", p.found, p.expected, sizeof(float), count);
    printf("matrixmul: %zu x %zu by %zu x %zu, kernel time %llu ns\n", p.rows, p.inner, p.inner, p.columns,
           (unsigned long long)time_ns);
    free(p.a);
    free(p.b);
    free(p.found);
    free(p.expected);
    free(source);
    return host_verdict("matrixmul", wrong == 0, "%u of %zu elements differ from C", wrong, count);
}

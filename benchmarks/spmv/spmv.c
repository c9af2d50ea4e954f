/* spmv: the product of a random sparse matrix and a vector on an OpenCL device, one row a work-item. Each
 * number must equal C's, bit for bit. */
#include "benchmarks/host.h"

#include <stdio.h>
#include <stdlib.h>

enum { GROUP = 128 };

struct matrix {
    int rows, elements;
    int *first, *column; /* the elements of row r are first[r] to first[r + 1] - 1 */
    float *element;
};

static float *random_numbers(size_t count, unsigned *seed) {
    float *values = host_allocate(count * sizeof *values);
    for (size_t i = 0; i < count; i++) values[i] = (float)host_random(seed) / 16777216.0f - 0.5f;
    return values;
}

/* Makes a random matrix. Most rows have 0 to 2 * mean elements in any columns; one row in 32 has four times
 * as many. */
static struct matrix matrix_new(int rows, int mean, unsigned *seed) {
    struct matrix m = {.rows = rows, .first = host_allocate(((size_t)rows + 1) * sizeof(int))};
    for (int row = 0; row < rows; row++) {
        const int own = (int)(host_random(seed) % (unsigned)(2 * mean + 1));
        m.first[row + 1] = m.first[row] + own * (host_random(seed) % 32 ? 1 : 4);
    }
    m.elements = m.first[rows];
    m.column = host_allocate(((size_t)m.elements + 1) * sizeof(int));
    /* One element more, since a buffer cannot be empty. */
    m.element = random_numbers((size_t)m.elements + 1, seed);
    for (int e = 0; e < m.elements; e++) m.column[e] = (int)(host_random(seed) % (unsigned)rows);
    return m;
}

static void multiply_in_c(const struct matrix *m, const float *vector, float *product) {
    for (int row = 0; row < m->rows; row++) {
        float sum = 0.0f;
        for (int e = m->first[row]; e < m->first[row + 1]; e++) sum += m->element[e] * vector[m->column[e]];
        product[row] = sum;
    }
}

static cl_ulong multiply_on_device(const char *source, const struct matrix *m, const float *vector,
                                   float *product) {
    const size_t rows = (size_t)m->rows, elements = (size_t)m->elements + 1, local = GROUP,
                 global = (rows + GROUP - 1) / GROUP * GROUP;
    struct host host;
    host_open(&host);
    cl_kernel kernel = host_kernel(&host, source, "spmv");
    cl_mem buffer[] = {host_buffer(&host, (rows + 1) * sizeof(int), m->first),
                       host_buffer(&host, elements * sizeof(int), m->column),
                       host_buffer(&host, elements * sizeof(float), m->element),
                       host_buffer(&host, rows * sizeof(float), vector),
                       host_buffer(&host, rows * sizeof(float), NULL)};
    for (cl_uint i = 0; i < 5; i++) HOST_ARGUMENT(kernel, i, buffer[i]);
    HOST_ARGUMENT(kernel, 5, m->rows);
    const cl_ulong time_ns = host_launch(&host, kernel, 1, &global, &local);
    host_read(&host, buffer[4], product, rows * sizeof(float));
    for (unsigned i = 0; i < 5; i++) HOST_CHECK(clReleaseMemObject(buffer[i]));
    HOST_CHECK(clReleaseKernel(kernel));
    host_close(&host);
    return time_ns;
}

int main(int argc, char **argv) {
    struct host_size sizes[] = {{"rows", "rows and columns", 0, 1 << 20},
                                {"mean", "elements of a row, on average", 0, 64}};
    host_inputs inputs[] = {{2048, 16384, 65536}, {8, 8, 8}};
    unsigned seed = 1;
    const struct host_command command = {
        .name = "spmv",
        .summary = "Multiplies a sparse matrix and a vector on the first OpenCL device and checks all.",
        .sizes = sizes,
        .size_count = 2,
        .inputs = inputs,
        .seed = &seed};
    char *source = host_parse_command(argc, argv, &command);
    const size_t rows = sizes[0].value;
    struct matrix m = matrix_new((int)rows, (int)sizes[1].value, &seed);
    float *vector = random_numbers(rows, &seed), *found = host_allocate(rows * sizeof *found),
          *expected = host_allocate(rows * sizeof *expected);
    multiply_in_c(&m, vector, expected);
    const cl_ulong time_ns = multiply_on_device(source, &m, vector, found);
    const unsigned wrong = host_count_wrong("spmv", found, expected, sizeof *found, rows);
    printf("spmv: %zu rows, %d elements, kernel time %llu ns\n", rows, m.elements,
           (unsigned long long)time_ns);
    free(m.first);
    free(m.column);
    free(m.element);
    free(vector);
    free(found);
    free(expected);
    free(source);
    return host_verdict("spmv", wrong == 0, "%u of %zu numbers differ from C", wrong, rows);
}

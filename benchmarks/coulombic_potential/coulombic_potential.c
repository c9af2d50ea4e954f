/* coulombic_potential: the electric potential of random point charges in a slice of a grid, on an OpenCL
 * device. Constant memory has no room for all charges: each launch adds the potential of some of them. Every
 * point must equal C's, bit for bit. */
#include "benchmarks/host.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 16, HEIGHT = 8, POINTS = 4, CHARGES_A_LAUNCH = 256 };

static const float spacing = 0.5f;

struct charge {
    float x, y, away, charge; /* away: square of the charge's distance from the slice */
};

/* Makes random charges within the grid's edges, at distances of 0.5 to 8.5 from the slice. */
static struct charge *charges_new(size_t count, float side, unsigned *seed) {
    struct charge *c = host_allocate(count * sizeof *c);
    for (size_t n = 0; n < count; n++) {
        c[n].x = side * (float)host_random(seed) / 16777216.0f;
        c[n].y = side * (float)host_random(seed) / 16777216.0f;
        const float z = 0.5f + (float)host_random(seed) / 2097152.0f;
        c[n].away = z * z;
        c[n].charge = (float)host_random(seed) / 8388608.0f - 1.0f;
    }
    return c;
}

/* Returns the potential at a point, computed as in the kernel: relative to the first point of its
 * work-item. */
static float potential_in_c(const struct charge *charge, size_t count, size_t row, size_t column) {
    const size_t point = column / WIDTH % POINTS, first = column - point * WIDTH;
    const float y = spacing * (float)row, step = spacing * (float)WIDTH;
    float sum = 0.0f;
    for (size_t n = 0; n < count; n++) {
        const float dy = y - charge[n].y, away = dy * dy + charge[n].away;
        float dx = spacing * (float)first - charge[n].x;
        for (size_t p = 0; p < point; p++) dx += step;
        sum += charge[n].charge / sqrtf(dx * dx + away);
    }
    return sum;
}

static cl_ulong compute_on_device(const char *source, const struct charge *charges, size_t count,
                                  float *potential, cl_int side) {
    const size_t points = (size_t)side * (size_t)side, wide = WIDTH * POINTS, local[2] = {WIDTH, HEIGHT},
                 global[2] = {((size_t)side + wide - 1) / wide * WIDTH,
                              ((size_t)side + HEIGHT - 1) / HEIGHT * HEIGHT};
    char options[64];
    snprintf(options, sizeof options, "-D WIDTH=%d -D HEIGHT=%d -D POINTS=%d", WIDTH, HEIGHT, POINTS);
    struct host host;
    host_open(&host);
    cl_program program = host_build(&host, source, options);
    cl_kernel kernel = HOST_CREATE(clCreateKernel, program, "coulombic_potential");
    cl_mem some = host_buffer(&host, CHARGES_A_LAUNCH * sizeof *charges, NULL),
           result = host_buffer(&host, points * sizeof *potential, potential);
    HOST_ARGUMENT(kernel, 0, some);
    HOST_ARGUMENT(kernel, 2, result);
    HOST_ARGUMENT(kernel, 3, side);
    HOST_ARGUMENT(kernel, 4, side);
    HOST_ARGUMENT(kernel, 5, spacing);
    cl_ulong time_ns = 0;
    for (size_t first = 0; first < count; first += CHARGES_A_LAUNCH) {
        const cl_int more = (cl_int)(count - first < CHARGES_A_LAUNCH ? count - first : CHARGES_A_LAUNCH);
        host_write(&host, some, charges + first, (size_t)more * sizeof *charges);
        HOST_ARGUMENT(kernel, 1, more);
        time_ns += host_launch(&host, kernel, 2, global, local);
    }
    host_read(&host, result, potential, points * sizeof *potential);
    HOST_CHECK(clReleaseMemObject(some));
    HOST_CHECK(clReleaseMemObject(result));
    HOST_CHECK(clReleaseKernel(kernel));
    HOST_CHECK(clReleaseProgram(program));
    host_close(&host);
    return time_ns;
}

int main(int argc, char **argv) {
    struct host_size sizes[] = {{"size", "points of a side of the slice", 64, 2048},
                                {"charges", "charges", 12, 65536}};
    host_inputs inputs[] = {{64, 64, 256}, {12, 64, 512}};
    unsigned seed = 1;
    char *source = host_parse_inputs(
        argc, argv, "coulombic_potential",
        "Computes the potential of charges on the first OpenCL device and checks every point.", sizes, 2,
        inputs, &seed);
    const size_t side = sizes[0].value, count = sizes[1].value, points = side * side;
    struct charge *charges = charges_new(count, spacing * (float)side, &seed);
    float *found = host_allocate(points * sizeof *found),
          *expected = host_allocate(points * sizeof *expected);
    const cl_ulong time_ns = compute_on_device(source, charges, count, found, (cl_int)side);
    for (size_t first = 0; first < count; first += CHARGES_A_LAUNCH)
        for (size_t i = 0; i < points; i++)
            expected[i] += potential_in_c(charges + first,
                                          count - first < CHARGES_A_LAUNCH ? count - first : CHARGES_A_LAUNCH,
                                          i / side, i % side);
    const unsigned wrong = host_count_wrong("coulombic_potential", found, expected, sizeof *found, points);
    printf("coulombic_potential: %zu x %zu points, %zu charges, kernel time %llu ns\n", side, side, count,
           (unsigned long long)time_ns);
    free(charges);
    free(found);
    free(expected);
    free(source);
    return host_verdict("coulombic_potential", wrong == 0, "%u of %zu points differ from C", wrong, points);
}

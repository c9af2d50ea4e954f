/* laplace3d: some steps of Jacobi's iteration for Laplace's equation in three dimensions on an OpenCL device.
 * Every cell must equal C's, bit for bit. */
#include "benchmarks/host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TILE_X = 32, TILE_Y = 4 };

struct grid {
    int size;
    float *cell;
};

static size_t grid_cells(const struct grid *g) {
    return (size_t)g->size * (size_t)g->size * (size_t)g->size;
}

static struct grid grid_new(int size) {
    struct grid g = {.size = size};
    g.cell = host_allocate(grid_cells(&g) * sizeof *g.cell);
    return g;
}

static void step_in_c(const struct grid *from, struct grid *to) {
    const int n = from->size, row = n, layer = n * n;
    memcpy(to->cell, from->cell, grid_cells(from) * sizeof *from->cell);
    for (int z = 1; z < n - 1; z++)
        for (int y = 1; y < n - 1; y++)
            for (int x = 1; x < n - 1; x++) {
                const float *c = from->cell + z * layer + y * row + x;
                to->cell[c - from->cell] =
                    (c[-1] + c[1] + c[-row] + c[row] + c[-layer] + c[layer]) * (1.0f / 6.0f);
            }
}

static cl_ulong iterate_on_device(const char *source, const struct grid *start, unsigned steps,
                                  float *found) {
    const size_t bytes = grid_cells(start) * sizeof *found, side = (size_t)start->size;
    const size_t local[2] = {TILE_X, TILE_Y},
                 global[2] = {(side + TILE_X - 1) / TILE_X * TILE_X, (side + TILE_Y - 1) / TILE_Y * TILE_Y};
    char options[64];
    snprintf(options, sizeof options, "-D TILE_X=%d -D TILE_Y=%d", TILE_X, TILE_Y);
    struct host host;
    host_open(&host);
    cl_program program = host_build(&host, source, options);
    cl_kernel kernel = HOST_CREATE(clCreateKernel, program, "laplace3d");
    cl_mem grids[2] = {host_buffer(&host, bytes, start->cell), host_buffer(&host, bytes, NULL)};
    cl_ulong time_ns = 0;
    for (cl_uint d = 2; d < 5; d++) HOST_ARGUMENT(kernel, d, start->size);
    for (unsigned s = 0; s < steps; s++) {
        HOST_ARGUMENT(kernel, 0, grids[s % 2]);
        HOST_ARGUMENT(kernel, 1, grids[(s + 1) % 2]);
        time_ns += host_launch(&host, kernel, 2, global, local);
    }
    host_read(&host, grids[steps % 2], found, bytes);
    HOST_CHECK(clReleaseMemObject(grids[0]));
    HOST_CHECK(clReleaseMemObject(grids[1]));
    HOST_CHECK(clReleaseKernel(kernel));
    HOST_CHECK(clReleaseProgram(program));
    host_close(&host);
    return time_ns;
}

int main(int argc, char **argv) {
    struct host_size sizes[] = {{"size", "cells of a side of the grid", 16, 256},
                                {"steps", "steps of the iteration", 2, 1000}};
    host_inputs inputs[] = {{16, 48, 100}, {2, 2, 2}};
    unsigned seed = 1;
    char *source = host_parse_inputs(
        argc, argv, "laplace3d", "Iterates a random grid on the first OpenCL device and checks every cell.",
        sizes, 2, inputs, &seed);
    struct grid now = grid_new((int)sizes[0].value), next = grid_new(now.size), found = grid_new(now.size);
    const size_t cells = grid_cells(&now);
    for (size_t i = 0; i < cells; i++) now.cell[i] = (float)host_random(&seed) / 16777216.0f;
    const cl_ulong time_ns = iterate_on_device(source, &now, sizes[1].value, found.cell);
    for (unsigned s = 0; s < sizes[1].value; s++) {
        const struct grid swap = now;
        step_in_c(&now, &next);
        now = next;
        next = swap;
    }
    const unsigned wrong = host_count_wrong("laplace3d", found.cell, now.cell, sizeof(float), cells);
    printf("laplace3d: %d cells a side, %u steps, kernel time %llu ns\n", now.size, sizes[1].value,
           (unsigned long long)time_ns);
    free(now.cell);
    free(next.cell);
    free(found.cell);
    free(source);
    return host_verdict("laplace3d", wrong == 0, "%u of %zu cells differ from C", wrong, cells);
}

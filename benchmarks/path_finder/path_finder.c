/* path_finder: the cheapest paths from the top of a grid to each cell of its last row, on an OpenCL device,
 * several rows a launch. Every cost must equal C's. */
#include "benchmarks/host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TILE = 256, HALO_LIMIT = TILE / 2 - 1 };

struct wall {
    int columns, rows;
    int *cost; /* cost of each cell, 0 to 9 */
};

static struct wall wall_new(int columns, int rows) {
    struct wall wall = {columns, rows, host_allocate((size_t)columns * (size_t)rows * sizeof(int))};
    unsigned seed = 7;
    for (size_t i = 0; i < (size_t)columns * (size_t)rows; i++) wall.cost[i] = (int)(host_random(&seed) % 10);
    return wall;
}

static int smaller(int a, int b) {
    return a < b ? a : b;
}

/* Returns the costs of the last row. The caller frees them. */
static int *find_in_c(const struct wall *wall) {
    const size_t bytes = (size_t)wall->columns * sizeof(int);
    int *cost = host_allocate(bytes), *above = host_allocate(bytes);
    memcpy(cost, wall->cost, bytes);
    for (int row = 1; row < wall->rows; row++) {
        memcpy(above, cost, bytes);
        for (int x = 0; x < wall->columns; x++) {
            const int west = above[x > 0 ? x - 1 : x], east = above[x < wall->columns - 1 ? x + 1 : x];
            cost[x] = wall->cost[(size_t)row * (size_t)wall->columns + (size_t)x] +
                      smaller(smaller(west, above[x]), east);
        }
    }
    free(above);
    return cost;
}

static cl_ulong find_on_device(const char *source, const struct wall *wall, int halo, int *cost) {
    const size_t row_bytes = (size_t)wall->columns * sizeof(int), inner = (size_t)(TILE - 2 * halo),
                 local = TILE, global = ((size_t)wall->columns + inner - 1) / inner * local;
    char options[32];
    snprintf(options, sizeof options, "-D TILE=%d", TILE);
    struct host host;
    host_open(&host);
    cl_program program = host_build(&host, source, options);
    cl_kernel kernel = HOST_CREATE(clCreateKernel, program, "path_finder");
    cl_mem cells = host_buffer(&host, row_bytes * (size_t)wall->rows, wall->cost),
           from = host_buffer(&host, row_bytes, wall->cost), to = host_buffer(&host, row_bytes, NULL);
    cl_ulong time_ns = 0;
    for (int row = 1; row < wall->rows; row += halo) {
        const int rows = smaller(halo, wall->rows - row);
        HOST_ARGUMENT(kernel, 0, cells);
        HOST_ARGUMENT(kernel, 1, from);
        HOST_ARGUMENT(kernel, 2, to);
        HOST_ARGUMENT(kernel, 3, wall->columns);
        HOST_ARGUMENT(kernel, 4, row);
        HOST_ARGUMENT(kernel, 5, rows);
        HOST_ARGUMENT(kernel, 6, halo);
        time_ns += host_launch(&host, kernel, 1, &global, &local);
        cl_mem swap = from;
        from = to;
        to = swap;
    }
    host_read(&host, from, cost, row_bytes);
    HOST_CHECK(clReleaseMemObject(cells));
    HOST_CHECK(clReleaseMemObject(from));
    HOST_CHECK(clReleaseMemObject(to));
    HOST_CHECK(clReleaseKernel(kernel));
    HOST_CHECK(clReleaseProgram(program));
    host_close(&host);
    return time_ns;
}

int main(int argc, char **argv) {
    struct host_size sizes[] = {{"columns", "columns of the grid", 4096, 1 << 20},
                                {"rows", "rows of the grid", 64, 1 << 16},
                                {"halo", "rows a launch", 20, HALO_LIMIT}};
    char *source = host_parse_sizes(
        argc, argv, "path_finder",
        "Finds the cheapest paths down a grid on the first OpenCL device and checks them.", sizes, 3);
    if ((unsigned long long)sizes[0].value * sizes[1].value > 1u << 26)
        HOST_FAIL("--columns %u --rows %u: more than 2^26 cells", sizes[0].value, sizes[1].value);
    struct wall wall = wall_new((int)sizes[0].value, (int)sizes[1].value);
    int *found = host_allocate((size_t)wall.columns * sizeof *found);
    const cl_ulong time_ns = find_on_device(source, &wall, (int)sizes[2].value, found);
    int *expected = find_in_c(&wall);
    const unsigned wrong =
        host_count_wrong("path_finder", found, expected, sizeof *found, (size_t)wall.columns);
    printf("path_finder: %d x %d cells, %u rows a launch, kernel time %llu ns\n", wall.columns, wall.rows,
           sizes[2].value, (unsigned long long)time_ns);
    const int columns = wall.columns;
    free(wall.cost);
    free(found);
    free(expected);
    free(source);
    return host_verdict("path_finder", wrong == 0, "%u of %d costs differ from C", wrong, columns);
}

/* pathfinder: the dual-mode paper's Pathfinder: the cheapest paths from the top of a random grid to the cells
 * of its last row, on an OpenCL device, several rows a launch. Every cost must equal C's. */
#include "benchmarks/host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TILE = 256, PYRAMID_LIMIT = TILE / 2 - 1 };

struct wall {
    size_t columns, rows;
    int *cost; /* cost of each cell, 0 to 9 */
};

static struct wall random_wall(size_t columns, size_t rows, unsigned *seed) {
    struct wall wall = {columns, rows, host_allocate(columns * rows * sizeof(int))};
    for (size_t i = 0; i < columns * rows; i++) wall.cost[i] = (int)(host_random(seed) % 10);
    return wall;
}

static int smaller(int a, int b) {
    return a < b ? a : b;
}

/* Returns the costs of the last row. The caller frees them. */
static int *find_in_c(const struct wall *wall) {
    const size_t bytes = wall->columns * sizeof(int), last = wall->columns - 1;
    int *cost = host_allocate(bytes), *above = host_allocate(bytes);
    memcpy(cost, wall->cost, bytes);
    for (size_t row = 1; row < wall->rows; row++) {
        memcpy(above, cost, bytes);
        for (size_t x = 0; x <= last; x++) {
            const int west = above[x ? x - 1 : x], east = above[x < last ? x + 1 : x];
            cost[x] = smaller(smaller(west, above[x]), east) + wall->cost[row * wall->columns + x];
        }
    }
    free(above);
    return cost;
}

/* Finds the costs on the device. Every launch has as many work-groups as one of `pyramid` rows needs. */
static cl_ulong find_on_device(const char *source, const struct wall *wall, size_t pyramid, int *found) {
    const size_t bytes = wall->columns * sizeof(int), inner = TILE - 2 * pyramid, local = TILE,
                 global = (wall->columns + inner - 1) / inner * local;
    const cl_int columns = (cl_int)wall->columns;
    char options[32];
    snprintf(options, sizeof options, "-D TILE=%d", TILE);
    struct host host;
    host_open(&host);
    cl_program program = host_build(&host, source, options);
    cl_kernel kernel = HOST_CREATE(clCreateKernel, program, "pathfinder");
    cl_mem cells = host_buffer(&host, bytes * wall->rows, wall->cost),
           row[2] = {host_buffer(&host, bytes, wall->cost), host_buffer(&host, bytes, NULL)};
    cl_ulong time_ns = 0;
    unsigned newest = 0;
    HOST_ARGUMENT(kernel, 0, cells);
    HOST_ARGUMENT(kernel, 3, columns);
    for (cl_int done = 1; done < (cl_int)wall->rows; done += (cl_int)pyramid, newest = !newest) {
        const cl_int steps = smaller((int)pyramid, (int)wall->rows - done);
        HOST_ARGUMENT(kernel, 1, row[newest]);
        HOST_ARGUMENT(kernel, 2, row[!newest]);
        HOST_ARGUMENT(kernel, 4, done);
        HOST_ARGUMENT(kernel, 5, steps);
        time_ns += host_launch(&host, kernel, 1, &global, &local);
    }
    host_read(&host, row[newest], found, bytes);
    HOST_CHECK(clReleaseMemObject(cells));
    for (unsigned i = 0; i < 2; i++) HOST_CHECK(clReleaseMemObject(row[i]));
    HOST_CHECK(clReleaseKernel(kernel));
    HOST_CHECK(clReleaseProgram(program));
    host_close(&host);
    return time_ns;
}

/* Finds the costs with an OpenMP region for each row, without halo or pyramid. */
static cl_ulong find_by_regions(const char *source, const struct wall *wall, int *found) {
    const size_t bytes = wall->columns * sizeof(int);
    const cl_int columns = (cl_int)wall->columns;
    struct host host;
    host_open(&host);
    cl_program program = host_build(&host, source, NULL);
    cl_kernel kernel = HOST_CREATE(clCreateKernel, program, "path_row");
    cl_mem cells = host_buffer(&host, bytes * wall->rows, wall->cost),
           row[2] = {host_buffer(&host, bytes, wall->cost), host_buffer(&host, bytes, NULL)};
    cl_ulong time_ns = 0;
    unsigned newest = 0;
    HOST_ARGUMENT(kernel, 0, cells);
    HOST_ARGUMENT(kernel, 3, columns);
    for (cl_int done = 1; done < (cl_int)wall->rows; done++, newest = !newest) {
        HOST_ARGUMENT(kernel, 1, row[newest]);
        HOST_ARGUMENT(kernel, 2, row[!newest]);
        HOST_ARGUMENT(kernel, 4, done);
        time_ns += host_region(&host, kernel);
    }
    host_read(&host, row[newest], found, bytes);
    HOST_CHECK(clReleaseMemObject(cells));
    for (unsigned i = 0; i < 2; i++) HOST_CHECK(clReleaseMemObject(row[i]));
    HOST_CHECK(clReleaseKernel(kernel));
    HOST_CHECK(clReleaseProgram(program));
    host_close(&host);
    return time_ns;
}

int main(int argc, char **argv) {
    struct host_size sizes[] = {{"columns", "columns of the grid", 0, 1 << 16},
                                {"rows", "rows of the grid", 0, 1 << 10},
                                {"pyramid", "rows of a launch", 0, PYRAMID_LIMIT}};
    host_inputs inputs[] = {{2048, 8192, 8192}, {33, 65, 256}, {10, 10, 10}};
    struct host_choice model = HOST_MODEL;
    unsigned seed = 1;
    const struct host_command command = {
        .name = "pathfinder",
        .summary = "Finds the cheapest paths down a grid on the first OpenCL device and checks them.",
        .sizes = sizes,
        .size_count = 3,
        .inputs = inputs,
        .choices = &model,
        .choice_count = 1,
        .seed = &seed};
    char *source = host_parse_command(argc, argv, &command);
    struct wall wall = random_wall(sizes[0].value, sizes[1].value, &seed);
    int *found = host_allocate(wall.columns * sizeof *found);
    const cl_ulong time_ns = model.value ? find_by_regions(source, &wall, found)
                                         : find_on_device(source, &wall, sizes[2].value, found);
    int *expected = find_in_c(&wall);
    const unsigned wrong = host_count_wrong("pathfinder", found, expected, sizeof *found, wall.columns);
    printf("pathfinder: %zu x %zu cells, %u rows a launch, kernel time %llu ns\n", wall.columns, wall.rows,
           sizes[2].value, (unsigned long long)time_ns);
    free(wall.cost);
    free(found);
    free(expected);
    free(source);
    return host_verdict("pathfinder", wrong == 0, "%u of %zu costs differ from C", wrong, wall.columns);
}

/* segmentation: some steps of a level-set segmentation of a random volume on an OpenCL device. Every cell
 * must equal C's, bit for bit. */
#include "benchmarks/host.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { TILE_X = 32, TILE_Y = 4, TURNS = 20 };
static const float band = 0.75f;

struct volume {
    int x, y, z;
};

static float settle_in_c(float level, float force, float mean) {
    float change = 1.0f;
    for (int turns = 0; turns < TURNS && fabsf(level) < band && fabsf(change) > 0.001f; turns++)
        for (int step = 0; step < 16; step++) {
            change = (force + (mean - level) * 0.125f) * 0.0625f;
            level += change * (1.0f - fabsf(level) * 0.5f);
        }
    return level;
}

static void step_in_c(const struct volume *v, const float *image, const float *from, float *to) {
    const int row = v->x, layer = v->x * v->y;
    for (int z = 0; z < v->z; z++)
        for (int y = 0; y < v->y; y++)
            for (int x = 0; x < v->x; x++) {
                const int c = z * layer + y * row + x;
                to[c] = from[c];
                if (x == 0 || y == 0 || z == 0 || x == v->x - 1 || y == v->y - 1 || z == v->z - 1) continue;
                const float mean = (from[c - 1] + from[c + 1] + from[c - row] + from[c + row] +
                                    from[c - layer] + from[c + layer]) *
                                   (1.0f / 6.0f);
                to[c] = settle_in_c(from[c], (image[c] - 0.5f) * 0.25f, mean);
            }
}

static cl_ulong step_on_device(const char *source, const struct volume *v, const float *image,
                               const float *start, unsigned steps, float *found) {
    const size_t x = (size_t)v->x, y = (size_t)v->y, bytes = x * y * (size_t)v->z * sizeof *found;
    const size_t local[3] = {TILE_X, TILE_Y, 1},
                 global[3] = {(x + TILE_X - 1) / TILE_X * TILE_X, (y + TILE_Y - 1) / TILE_Y * TILE_Y,
                              (size_t)v->z};
    char options[64];
    snprintf(options, sizeof options, "-D TURNS=%d -D BAND=%.2ff", TURNS, (double)band);
    struct host host;
    host_open(&host);
    cl_program program = host_build(&host, source, options);
    cl_kernel kernel = HOST_CREATE(clCreateKernel, program, "segmentation");
    cl_mem picture = host_buffer(&host, bytes, image),
           levels[2] = {host_buffer(&host, bytes, start), host_buffer(&host, bytes, NULL)};
    cl_ulong time_ns = 0;
    HOST_ARGUMENT(kernel, 0, picture);
    HOST_ARGUMENT(kernel, 3, v->x);
    HOST_ARGUMENT(kernel, 4, v->y);
    HOST_ARGUMENT(kernel, 5, v->z);
    for (unsigned s = 0; s < steps; s++) {
        HOST_ARGUMENT(kernel, 1, levels[s % 2]);
        HOST_ARGUMENT(kernel, 2, levels[(s + 1) % 2]);
        time_ns += host_launch(&host, kernel, 3, global, local);
    }
    host_read(&host, levels[steps % 2], found, bytes);
    HOST_CHECK(clReleaseMemObject(picture));
    HOST_CHECK(clReleaseMemObject(levels[0]));
    HOST_CHECK(clReleaseMemObject(levels[1]));
    HOST_CHECK(clReleaseKernel(kernel));
    HOST_CHECK(clReleaseProgram(program));
    host_close(&host);
    return time_ns;
}

int main(int argc, char **argv) {
    struct host_size sizes[] = {{"width", "cells from left to right", 34, 256},
                                {"height", "from top to bottom", 10, 256},
                                {"depth", "from front to back", 6, 256},
                                {"steps", "steps, a launch each", 1, 1000}};
    host_inputs inputs[] = {{34, 50, 50}, {10, 24, 80}, {6, 16, 80}, {1, 2, 2}};
    unsigned seed = 1;
    char *source = host_parse_inputs(
        argc, argv, "segmentation",
        "Moves a surface in a random volume on the first OpenCL device and checks every cell.", sizes, 4,
        inputs, &seed);
    const struct volume v = {(int)sizes[0].value, (int)sizes[1].value, (int)sizes[2].value};
    const size_t cells = (size_t)v.x * (size_t)v.y * (size_t)v.z;
    float *image = host_allocate(cells * sizeof *image),
          *level[2] = {host_allocate(cells * sizeof **level), host_allocate(cells * sizeof **level)},
          *found = host_allocate(cells * sizeof *found);
    for (size_t i = 0; i < cells; i++) image[i] = (float)host_random(&seed) / 16777216.0f;
    for (size_t i = 0; i < cells; i++) level[0][i] = (float)host_random(&seed) / 8388608.0f - 1.0f;
    const cl_ulong time_ns = step_on_device(source, &v, image, level[0], sizes[3].value, found);
    for (unsigned s = 0; s < sizes[3].value; s++) step_in_c(&v, image, level[s % 2], level[(s + 1) % 2]);
    const unsigned wrong =
        host_count_wrong("segmentation", found, level[sizes[3].value % 2], sizeof *found, cells);
    printf("segmentation: %d x %d x %d cells, kernel time %llu ns\n", v.x, v.y, v.z,
           (unsigned long long)time_ns);
    free(image);
    free(level[0]);
    free(level[1]);
    free(found);
    free(source);
    return host_verdict("segmentation", wrong == 0, "%u of %zu cells differ from C", wrong, cells);
}

/* fdtd3d: the dual-mode paper's Fdtd3D: steps of a stencil of 25 points over a random volume on an OpenCL
 * device. The margin of the volume never changes. Every cell must equal C's, bit for bit. */
#include "benchmarks/host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RADIUS = 4, TILE_X = 32, TILE_Y = 8, MARGIN = 2 * RADIUS };

static const float weight[RADIUS + 1] = {0.1f, 0.09f, 0.06f, 0.03f, 0.01f};

struct volume {
    size_t x, y, z; /* size without the margin */
    float *cell;
};

static size_t stride_y(const struct volume *v) {
    return v->x + MARGIN;
}

static size_t stride_z(const struct volume *v) {
    return stride_y(v) * (v->y + MARGIN);
}

static size_t cells(const struct volume *v) {
    return stride_z(v) * (v->z + MARGIN);
}

static struct volume random_volume(size_t x, size_t y, size_t z, unsigned *seed) {
    struct volume v = {x, y, z, NULL};
    v.cell = host_allocate(cells(&v) * sizeof *v.cell);
    for (size_t i = 0; i < cells(&v); i++) v.cell[i] = (float)host_random(seed) / 16777216.0f + 0.5f;
    return v;
}

static float cell_in_c(const float *at, size_t y, size_t z) {
    float sum = weight[0] * *at;
    for (size_t i = 1; i <= RADIUS; i++)
        sum += weight[i] * (at[i * z] + at[-(ptrdiff_t)(i * z)] + at[-(ptrdiff_t)(i * y)] + at[i * y] +
                            at[-(ptrdiff_t)i] + at[i]);
    return sum;
}

/* Returns the cells after all steps. The caller frees them. */
static float *step_in_c(const struct volume *v, unsigned steps) {
    const size_t bytes = cells(v) * sizeof(float);
    float *from = host_allocate(bytes), *to = host_allocate(bytes);
    memcpy(from, v->cell, bytes);
    memcpy(to, v->cell, bytes);
    for (unsigned step = 0; step < steps; step++) {
        for (size_t z = RADIUS; z < v->z + RADIUS; z++)
            for (size_t y = RADIUS; y < v->y + RADIUS; y++)
                for (size_t x = RADIUS; x < v->x + RADIUS; x++) {
                    const size_t at = z * stride_z(v) + y * stride_y(v) + x;
                    to[at] = cell_in_c(from + at, stride_y(v), stride_z(v));
                }
        float *swap = from;
        from = to;
        to = swap;
    }
    free(to);
    return from;
}

static cl_ulong step_on_device(const char *source, const struct volume *v, unsigned steps, float *found) {
    const size_t bytes = cells(v) * sizeof(float), local[2] = {TILE_X, TILE_Y},
                 global[2] = {(v->x + TILE_X - 1) / TILE_X * TILE_X, (v->y + TILE_Y - 1) / TILE_Y * TILE_Y};
    const cl_int size[3] = {(cl_int)v->x, (cl_int)v->y, (cl_int)v->z};
    char options[64];
    snprintf(options, sizeof options, "-D RADIUS=%d -D TILE_X=%d -D TILE_Y=%d", RADIUS, TILE_X, TILE_Y);
    struct host host;
    host_open(&host);
    cl_program program = host_build(&host, source, options);
    cl_kernel kernel = HOST_CREATE(clCreateKernel, program, "fdtd3d");
    cl_mem weights = host_buffer(&host, sizeof weight, weight),
           volume[2] = {host_buffer(&host, bytes, v->cell), host_buffer(&host, bytes, v->cell)};
    HOST_ARGUMENT(kernel, 2, weights);
    for (cl_uint i = 0; i < 3; i++) HOST_ARGUMENT(kernel, 3 + i, size[i]);
    cl_ulong time_ns = 0;
    for (unsigned step = 0; step < steps; step++) {
        HOST_ARGUMENT(kernel, 0, volume[step % 2]);
        HOST_ARGUMENT(kernel, 1, volume[(step + 1) % 2]);
        time_ns += host_launch(&host, kernel, 2, global, local);
    }
    host_read(&host, volume[steps % 2], found, bytes);
    HOST_CHECK(clReleaseMemObject(weights));
    for (unsigned i = 0; i < 2; i++) HOST_CHECK(clReleaseMemObject(volume[i]));
    HOST_CHECK(clReleaseKernel(kernel));
    HOST_CHECK(clReleaseProgram(program));
    host_close(&host);
    return time_ns;
}

int main(int argc, char **argv) {
    struct host_size sizes[] = {{"width", "cells in x", 0, 512},
                                {"height", "cells in y", 0, 512},
                                {"depth", "cells in z", 0, 512},
                                {"steps", "steps of time", 0, 100}};
    host_inputs inputs[] = {{32, 64, 128}, {32, 64, 128}, {16, 64, 128}, {1, 1, 1}};
    unsigned seed = 1;
    const struct host_command command = {
        .name = "fdtd3d",
        .summary = "Steps a stencil over a volume on the first OpenCL device and checks every cell.",
        .sizes = sizes,
        .size_count = 4,
        .inputs = inputs,
        .seed = &seed};
    char *source = host_parse_command(argc, argv, &command);
    struct volume v = random_volume(sizes[0].value, sizes[1].value, sizes[2].value, &seed);
    const size_t count = cells(&v);
    float *found = host_allocate(count * sizeof *found);
    const cl_ulong time_ns = step_on_device(source, &v, sizes[3].value, found);
    float *expected = step_in_c(&v, sizes[3].value);
    const unsigned wrong = host_count_wrong("fdtd3d", found, expected, sizeof *found, count);
    printf("fdtd3d: %zu x %zu x %zu cells, %u steps, hash %016llx, kernel time %llu ns\n", v.x, v.y, v.z,
           sizes[3].value, host_hash(found, count * sizeof *found), (unsigned long long)time_ns);
    free(v.cell);
    free(found);
    free(expected);
    free(source);
    return host_verdict("fdtd3d", wrong == 0, "%u of %zu cells differ from C", wrong, count);
}

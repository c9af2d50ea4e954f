/* hotspot_pyramid: the dual-mode paper's Hotspot: the temperature of a chip with random temperatures and
 * powers on an OpenCL device, several time steps a launch. Every cell must equal C's, bit for bit. */
#include "benchmarks/host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TILE = 16, PYRAMID_LIMIT = TILE / 2 - 1 };

static const float ambient = 80.0f;

struct chip {
    size_t side;
    float *temperature, *power;
    float step_over_capacity, conductance_x, conductance_y, conductance_z; /* constants of a cell */
};

/* Sets the constants of a square of silicon of 16 mm a side, 0.5 mm thick. In the longest step, a cell with a
 * power density of 3 MW per square metre changes by a thousandth of a kelvin. */
static void set_constants(struct chip *chip) {
    const float thickness = 0.0005f, cell = 0.016f / (float)chip->side, conductivity = 100.0f;
    const float capacity = 0.5f * 1.75e6f * thickness * cell * cell;
    const float steepest = 3.0e6f / (0.5f * thickness * 1.75e6f), step = 0.001f / steepest;
    chip->step_over_capacity = step / capacity;
    chip->conductance_x = chip->conductance_y = 2.0f * conductivity * thickness;
    chip->conductance_z = conductivity * cell * cell / thickness;
}

static struct chip random_chip(size_t side, unsigned *seed) {
    struct chip chip = {.side = side,
                        .temperature = host_allocate(side * side * sizeof(float)),
                        .power = host_allocate(side * side * sizeof(float))};
    set_constants(&chip);
    for (size_t i = 0; i < side * side; i++) {
        chip.temperature[i] = 320.0f + (float)host_random(seed) / 16777216.0f * 20.0f;
        chip.power[i] = (float)host_random(seed) / 16777216.0f * 0.01f;
    }
    return chip;
}

static float next_in_c(const struct chip *chip, const float *from, size_t row, size_t column) {
    const size_t side = chip->side, last = side - 1, cell = row * side + column;
    const float own = from[cell], twice = 2.0f * own, north = from[row ? cell - side : cell],
                south = from[row < last ? cell + side : cell], west = from[column ? cell - 1 : cell],
                east = from[column < last ? cell + 1 : cell];
    return own + chip->step_over_capacity *
                     (chip->power[cell] + (south + north - twice) * chip->conductance_y +
                      (east + west - twice) * chip->conductance_x + (ambient - own) * chip->conductance_z);
}

/* Returns the final temperatures, computed in C. The caller frees them. */
static float *simulate_in_c(const struct chip *chip, unsigned steps) {
    const size_t bytes = chip->side * chip->side * sizeof(float);
    float *from = host_allocate(bytes), *to = host_allocate(bytes);
    memcpy(from, chip->temperature, bytes);
    for (unsigned step = 0; step < steps; step++) {
        for (size_t row = 0; row < chip->side; row++)
            for (size_t column = 0; column < chip->side; column++)
                to[row * chip->side + column] = next_in_c(chip, from, row, column);
        memcpy(from, to, bytes);
    }
    free(to);
    return from;
}

static void set_arguments(cl_kernel kernel, const struct chip *chip, cl_mem power) {
    const cl_int side = (cl_int)chip->side;
    HOST_ARGUMENT(kernel, 1, power);
    HOST_ARGUMENT(kernel, 3, side);
    HOST_ARGUMENT(kernel, 4, side);
    HOST_ARGUMENT(kernel, 6, chip->step_over_capacity);
    HOST_ARGUMENT(kernel, 7, chip->conductance_x);
    HOST_ARGUMENT(kernel, 8, chip->conductance_y);
    HOST_ARGUMENT(kernel, 9, chip->conductance_z);
}

/* Simulates on the device. Every launch has as many work-groups as one of `pyramid` steps needs. each: cells
 * of a work-item. */
static cl_ulong simulate_on_device(const char *source, size_t each, const struct chip *chip, unsigned steps,
                                   unsigned pyramid, float *found) {
    const size_t bytes = chip->side * chip->side * sizeof(float), inner = TILE - 2 * pyramid,
                 width = (chip->side + inner - 1) / inner * TILE;
    const size_t local[2] = {TILE / each, TILE}, global[2] = {width / each, width};
    char options[32];
    snprintf(options, sizeof options, "-D TILE=%d", TILE);
    struct host host;
    host_open(&host);
    cl_program program = host_build(&host, source, options);
    cl_kernel kernel = HOST_CREATE(clCreateKernel, program, "hotspot_pyramid");
    cl_mem grid[2] = {host_buffer(&host, bytes, chip->temperature), host_buffer(&host, bytes, NULL)},
           power = host_buffer(&host, bytes, chip->power);
    cl_ulong time_ns = 0;
    unsigned newest = 0;
    set_arguments(kernel, chip, power);
    for (unsigned done = 0; done < steps; done += pyramid, newest = !newest) {
        const cl_int now = (cl_int)(steps - done < pyramid ? steps - done : pyramid);
        HOST_ARGUMENT(kernel, 0, grid[newest]);
        HOST_ARGUMENT(kernel, 2, grid[!newest]);
        HOST_ARGUMENT(kernel, 5, now);
        time_ns += host_launch(&host, kernel, 2, global, local);
    }
    host_read(&host, grid[newest], found, bytes);
    for (unsigned i = 0; i < 2; i++) HOST_CHECK(clReleaseMemObject(grid[i]));
    HOST_CHECK(clReleaseMemObject(power));
    HOST_CHECK(clReleaseKernel(kernel));
    HOST_CHECK(clReleaseProgram(program));
    host_close(&host);
    return time_ns;
}

/* Simulates with an OpenMP region for each step. */
static cl_ulong simulate_by_regions(const char *source, const struct chip *chip, unsigned steps,
                                    float *found) {
    const size_t bytes = chip->side * chip->side * sizeof(float);
    const cl_int side = (cl_int)chip->side;
    struct host host;
    host_open(&host);
    cl_program program = host_build(&host, source, NULL);
    cl_kernel kernel = HOST_CREATE(clCreateKernel, program, "hotspot_step");
    cl_mem grid[2] = {host_buffer(&host, bytes, chip->temperature), host_buffer(&host, bytes, NULL)},
           power = host_buffer(&host, bytes, chip->power);
    cl_ulong time_ns = 0;
    unsigned newest = 0;
    HOST_ARGUMENT(kernel, 1, power);
    HOST_ARGUMENT(kernel, 3, side);
    HOST_ARGUMENT(kernel, 4, side);
    HOST_ARGUMENT(kernel, 5, chip->step_over_capacity);
    HOST_ARGUMENT(kernel, 6, chip->conductance_x);
    HOST_ARGUMENT(kernel, 7, chip->conductance_y);
    HOST_ARGUMENT(kernel, 8, chip->conductance_z);
    for (unsigned done = 0; done < steps; done++, newest = !newest) {
        HOST_ARGUMENT(kernel, 0, grid[newest]);
        HOST_ARGUMENT(kernel, 2, grid[!newest]);
        time_ns += host_region(&host, kernel);
    }
    host_read(&host, grid[newest], found, bytes);
    for (unsigned i = 0; i < 2; i++) HOST_CHECK(clReleaseMemObject(grid[i]));
    HOST_CHECK(clReleaseMemObject(power));
    HOST_CHECK(clReleaseKernel(kernel));
    HOST_CHECK(clReleaseProgram(program));
    host_close(&host);
    return time_ns;
}

int main(int argc, char **argv) {
    struct host_size sizes[] = {{"size", "cells of a side of the chip", 0, 4096},
                                {"steps", "time steps", 0, 1000},
                                {"pyramid", "time steps of a launch", 0, PYRAMID_LIMIT}};
    host_inputs inputs[] = {{128, 512, 1024}, {2, 2, 2}, {2, 2, 2}};
    struct host_choice choices[] = {HOST_MODEL, HOST_VECTORS};
    unsigned seed = 1;
    const struct host_command command = {
        .name = "hotspot_pyramid",
        .summary = "Computes a chip's temperature on the first OpenCL device and checks every cell.",
        .sizes = sizes,
        .size_count = 3,
        .inputs = inputs,
        .choices = choices,
        .choice_count = 2,
        .seed = &seed};
    char *source = host_parse_command(argc, argv, &command);
    struct chip chip = random_chip(sizes[0].value, &seed);
    const size_t cells = chip.side * chip.side;
    float *found = host_allocate(cells * sizeof *found);
    const size_t each = choices[1].value ? 4 : 1;
    const cl_ulong time_ns =
        choices[0].value ? simulate_by_regions(source, &chip, sizes[1].value, found)
                         : simulate_on_device(source, each, &chip, sizes[1].value, sizes[2].value, found);
    float *expected = simulate_in_c(&chip, sizes[1].value);
    const unsigned wrong = host_count_wrong("hotspot_pyramid", found, expected, sizeof *found, cells);
    printf("hotspot_pyramid: %zu x %zu cells, %u steps, first %.4f K, kernel time %llu ns\n", chip.side,
           chip.side, sizes[1].value, (double)found[0], (unsigned long long)time_ns);
    free(chip.temperature);
    free(chip.power);
    free(found);
    free(expected);
    free(source);
    return host_verdict("hotspot_pyramid", wrong == 0, "%u of %zu cells differ from C", wrong, cells);
}

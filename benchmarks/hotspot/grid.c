#include "benchmarks/hotspot/grid.h"
#include "benchmarks/host.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDE_LIMIT = 8192, GENERATED_SIDE = 256 };

struct grid grid_new(int rows, int columns) {
    struct grid grid = {rows, columns, host_allocate((size_t)rows * (size_t)columns * sizeof(float))};
    return grid;
}

void grid_free(struct grid *grid) {
    free(grid->values);
    grid->values = NULL;
}

size_t grid_size_bytes(const struct grid *grid) {
    return (size_t)grid->rows * (size_t)grid->columns * sizeof(float);
}

float *grid_at(const struct grid *grid, int row, int column) {
    return &grid->values[(size_t)row * (size_t)grid->columns + (size_t)column];
}

static const char *skip_blanks(const char *text) {
    while (*text == ' ' || *text == '\t' || *text == '\r') text++;
    return text;
}

/* Appends one line's values, and moves *text to the next line. Returns the number of values. */
static int read_row(struct grid *grid, const char **text, const char *path, int capacity) {
    int count = 0;
    const char *place = skip_blanks(*text);
    float *values = grid->values + (size_t)grid->rows * (size_t)grid->columns;
    while (*place != '\n' && *place != '\0') {
        char *end;
        float value = strtof(place, &end);
        if (end == place || !isfinite(value))
            HOST_FAIL("%s:%d: value %d is no finite number: '%.20s'", path, grid->rows + 1, count + 1, place);
        if (count == capacity) HOST_FAIL("%s:%d: more than %d values", path, grid->rows + 1, capacity);
        values[count++] = value;
        place = skip_blanks(end);
    }
    *text = *place == '\n' ? place + 1 : place;
    return count;
}

struct grid grid_read(const char *path) {
    char *data = host_read_file(path, NULL);
    const char *text = data;
    struct grid grid = grid_new(1, SIDE_LIMIT);
    grid.rows = 0;
    grid.columns = read_row(&grid, &text, path, SIDE_LIMIT);
    if (grid.columns == 0) HOST_FAIL("%s:1: no value in the first line", path);
    for (grid.rows = 1; *text != '\0'; grid.rows++) {
        if (grid.rows == SIDE_LIMIT) HOST_FAIL("%s:%d: more than %d lines", path, grid.rows + 1, SIDE_LIMIT);
        float *values = realloc(grid.values, grid_size_bytes(&grid) + (size_t)grid.columns * sizeof(float));
        if (values == NULL) HOST_FAIL("out of memory for %s", path);
        grid.values = values;
        int count = read_row(&grid, &text, path, grid.columns);
        if (count != grid.columns)
            HOST_FAIL("%s:%d: %d values, but %d in the first line", path, grid.rows + 1, count, grid.columns);
    }
    free(data);
    return grid;
}

void grid_write(const struct grid *grid, const char *path, int digits) {
    char *data = NULL;
    size_t size_bytes = 0;
    FILE *file = open_memstream(&data, &size_bytes);
    if (file == NULL) HOST_FAIL("out of memory for %s", path);
    for (int row = 0; row < grid->rows; row++)
        for (int column = 0; column < grid->columns; column++)
            fprintf(file, "%.*f%c", digits, (double)*grid_at(grid, row, column),
                    column == grid->columns - 1 ? '\n' : ' ');
    if (fclose(file) != 0) HOST_FAIL("out of memory for %s", path);
    host_write_file(path, data, size_bytes);
    free(data);
}

/* A unit of the generated floor plan: position and size in cells, and power. */
struct unit {
    int row, column, rows, columns;
    float cell_power_w;
};

static const struct unit UNITS[] = {
    {8, 8, 72, 56, 0.0021f},     /* core */
    {8, 72, 72, 56, 0.0004f},    /* idle core */
    {88, 8, 72, 56, 0.0017f},    /* core */
    {88, 72, 72, 56, 0.0019f},   /* core */
    {24, 20, 16, 24, 0.0046f},   /* floating-point unit of the unit above */
    {104, 84, 20, 20, 0.0039f},  /* floating-point unit of the unit above */
    {8, 140, 152, 108, 0.0005f}, /* cache */
    {176, 8, 72, 160, 0.0009f},  /* graphics */
    {176, 180, 72, 68, 0.0012f}, /* memory controller */
};

/* Distance in cells from the middle of a unit within which the unit raises temperatures. */
static const float REACH = 90.0f;
static const float K_PER_W = 5200.0f;
static const float COOLEST_K = 321.0f;

static void add_unit(const struct unit *unit, struct grid *temperature, struct grid *power) {
    float middle_row = (float)unit->row + 0.5f * (float)unit->rows;
    float middle_column = (float)unit->column + 0.5f * (float)unit->columns;
    for (int row = 0; row < GENERATED_SIDE; row++)
        for (int column = 0; column < GENERATED_SIDE; column++) {
            float down = ((float)row - middle_row) / REACH;
            float right = ((float)column - middle_column) / REACH;
            float nearness = 1.0f - down * down - right * right;
            if (nearness > 0.0f)
                *grid_at(temperature, row, column) += K_PER_W * unit->cell_power_w * nearness * nearness;
            if (row >= unit->row && row < unit->row + unit->rows && column >= unit->column &&
                column < unit->column + unit->columns)
                *grid_at(power, row, column) = unit->cell_power_w;
        }
}

void grid_generate(const char *temperature_path, const char *power_path) {
    struct grid temperature = grid_new(GENERATED_SIDE, GENERATED_SIDE);
    struct grid power = grid_new(GENERATED_SIDE, GENERATED_SIDE);
    for (size_t i = 0; i < sizeof UNITS / sizeof UNITS[0]; i++) add_unit(&UNITS[i], &temperature, &power);
    uint32_t random = 1;
    for (size_t i = 0; i < GENERATED_SIDE * GENERATED_SIDE; i++) {
        random = random * 1664525u + 1013904223u;
        float noise = (float)(random >> 16) / 65536.0f;
        temperature.values[i] += COOLEST_K + noise;
        power.values[i] *= 0.75f + 0.5f * noise;
    }
    grid_write(&temperature, temperature_path, 2);
    grid_write(&power, power_path, 6);
    grid_free(&temperature);
    grid_free(&power);
}

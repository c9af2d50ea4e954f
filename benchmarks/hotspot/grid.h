/* grid: a rectangle of floats, its text file (one row a line, values separated by blanks) and the generated
 * chip. Every failure ends the program with a message that names the file and the line. */
#ifndef BENCHMARKS_HOTSPOT_GRID_H
#define BENCHMARKS_HOTSPOT_GRID_H

#include <stddef.h>

struct grid {
    int rows;
    int columns;
    float *values; /* values, row by row */
};

struct grid grid_new(int rows, int columns);
void grid_free(struct grid *grid);
size_t grid_size_bytes(const struct grid *grid);
float *grid_at(const struct grid *grid, int row, int column);

/* Reads a grid. Every line must have as many values as the first, all finite; at most 8192 in either
 * direction. */
struct grid grid_read(const char *path);

/* Writes every value with `digits` digits after the decimal point. */
void grid_write(const struct grid *grid, const char *path, int digits);

/* Writes temperatures in kelvin and powers in watt of a chip of 256 x 256 cells: the units of a floor plan,
 * some busy, some idle, and the heat around them. The files are always the same. */
void grid_generate(const char *temperature_path, const char *power_path);

#endif

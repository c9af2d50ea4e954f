/* grid: a rectangle of floats, its text file (a row a line, values separated by blanks) and the generated
 * chip. Every failure ends the program with a message that names the file and the line. */
#ifndef BENCHMARKS_HOTSPOT_GRID_H
#define BENCHMARKS_HOTSPOT_GRID_H

#include <stddef.h>

struct grid {
    int rows;
    int columns;
    float *values; /* row after row */
};

struct grid grid_new(int rows, int columns);
void grid_free(struct grid *grid);
size_t grid_size_bytes(const struct grid *grid);
float *grid_at(const struct grid *grid, int row, int column);

/* Every line must hold as many values as the first, all finite; up to 8192 a side. */
struct grid grid_read(const char *path);

/* Writes every value with so many digits behind the point. */
void grid_write(const struct grid *grid, const char *path, int digits);

/* Writes temperatures in kelvin and powers in watt of a chip of 256 x 256 cells: units of a floor plan, some
 * busy, some idle, and the heat they have left. The same bytes every time. */
void grid_generate(const char *temperature_path, const char *power_path);

#endif

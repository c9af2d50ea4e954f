/*
 * liberty: a library of standard cells (Liberty, .lib, also gzipped), as far as synthesis needs it: cells
 * with their area, the function of simple cells, and which cells are flip-flops.
 *
 * The inverter and the NAND gate are found by function, not by name: the smallest one, or the first of
 * equal size. Areas may be replaced by those of a LEF file (SIZE w BY h), because Liberty files of old
 * libraries have wrong areas.
 *
 * Known inaccuracy: cells of included files and of scaled libraries are not read.
 */
#ifndef SYNTHESIS_LIBERTY_H
#define SYNTHESIS_LIBERTY_H

#include "sim/error.h"

#include <stddef.h>

#define LIBERTY_MAX_INPUTS 6

struct liberty_pin {
    char *name;
    char *function; /* function of an output; NULL: none */
    bool output;
    double capacitance_ff;
};

struct liberty_cell {
    char *name;
    double area; /* area in µm², from the file or LEF */
    bool flip_flop, latch;
    bool pad; /* cell of a chip's pads, not used inside */
    struct liberty_pin *pins;
    size_t pin_count;
    size_t area_at, area_length; /* position of the area's value in the text; length 0: no value */
    size_t line;
};

struct liberty {
    char *path;
    char *name; /* name of the library */
    char *text; /* the whole file, unpacked */
    size_t size;
    double capacitance_unit_ff;
    struct liberty_cell *cells;
    size_t cell_count;
    const struct liberty_cell *inverter, *nand2; /* smallest inverter, smallest NAND gate of two inputs */
};

/* Reads a library. Free *l in any case. Returns false with *e (EXIT_USER), file and line, if the file
 * cannot be read, is not Liberty, or lacks an inverter, NAND gate or flip-flop with an area. */
bool liberty_read(struct liberty *l, const char *path, struct error *e);

/* Takes the areas of the cells that a LEF file has. Returns false with *e (EXIT_USER) if it cannot be read
 * or has no cell of the library. */
bool liberty_use_lef(struct liberty *l, const char *path, struct error *e);

/* Writes the library with these areas, and pads marked as not to be used. Returns false with *e
 * (EXIT_USER). */
bool liberty_write(const struct liberty *l, const char *path, struct error *e);

const struct liberty_cell *liberty_find(const struct liberty *l, const char *name);
/* Returns the first output. */
const struct liberty_pin *liberty_output(const struct liberty_cell *c);
/* Returns input n, from 0; NULL if the cell has fewer. */
const struct liberty_pin *liberty_input(const struct liberty_cell *c, size_t n);

void liberty_free(struct liberty *l);

#endif

/*
 * liberty: a library of standard cells (Liberty, .lib, also gzipped), as far as synthesis and its units need
 * it: cells with their area, what the simplest compute, which are flip-flops.
 *
 * Inverter and NAND gate are found by function, not by name: of several the smallest, of equal ones the
 * first. Areas may be replaced by those of a LEF file (SIZE w BY h), since Liberty files of old libraries
 * have wrong ones.
 *
 * Known inaccuracy: cells of `include`d files and of scaled libraries are not seen.
 */
#ifndef SYNTHESIS_LIBERTY_H
#define SYNTHESIS_LIBERTY_H

#include "sim/error.h"

#include <stddef.h>

#define LIBERTY_MAX_INPUTS 6

struct liberty_pin {
    char *name;
    char *function; /* of an output; NULL: none */
    bool output;
    double capacitance_ff;
};

struct liberty_cell {
    char *name;
    double area; /* µm², as the file or LEF has it */
    bool flip_flop, latch;
    bool pad; /* of a chip's pads: not to be used inside */
    struct liberty_pin *pins;
    size_t pin_count;
    size_t area_at, area_length; /* where the text has its value; length 0: it has none */
    size_t line;
};

struct liberty {
    char *path;
    char *name; /* of the library */
    char *text; /* all of the file, unpacked */
    size_t size;
    double capacitance_unit_ff;
    struct liberty_cell *cells;
    size_t cell_count;
    const struct liberty_cell *inverter, *nand2; /* smallest of each */
};

/* False and *e (EXIT_USER), with file and line, if it cannot be read, is not Liberty, or has no inverter,
 * NAND gate or flip-flop, or none with an area. Free it in either case. */
bool liberty_read(struct liberty *l, const char *path, struct error *e);

/* Takes the areas of the cells that the LEF file has. False and *e (EXIT_USER) if it cannot be read, or has
 * none of the library's cells. */
bool liberty_use_lef(struct liberty *l, const char *path, struct error *e);

/* Writes the library with these areas, pads as not to be used. False and *e (EXIT_USER). */
bool liberty_write(const struct liberty *l, const char *path, struct error *e);

const struct liberty_cell *liberty_find(const struct liberty *l, const char *name);
/* The output; of several the first. */
const struct liberty_pin *liberty_output(const struct liberty_cell *c);
/* Input n, from 0; NULL if it has no more. */
const struct liberty_pin *liberty_input(const struct liberty_cell *c, size_t n);

void liberty_free(struct liberty *l);

#endif

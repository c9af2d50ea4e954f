/*
 * figure: one figure of a paper: a group of bars for each benchmark, with the paper's numbers next to ours;
 * as a table, as JSON and as a plot.
 */
#ifndef LOCKSTEP_FIGURE_H
#define LOCKSTEP_FIGURE_H

#include "sim/error.h"

#include <jansson.h>
#include <stdio.h>

struct figure_series {
    const char *name;
    double paper; /* the paper's mean over its programs; NAN if the paper has none */
};

/* A single program's value that the paper's text mentions. */
struct figure_known {
    const char *row;
    size_t series;
    double paper;
};

/* A group of rows with its own means, in addition to the mean over all. */
struct figure_group {
    const char *name;
    const bool *has; /* has[row]: the group contains the row */
};
#define FIGURE_GROUPS 2

struct figure {
    const char *name;  /* "fig5" */
    const char *title; /* contents, and number in the paper */
    const char *unit;
    const char *note; /* reasons for differences from the paper, as a paragraph */
    bool gains;       /* values are increases in percent; the mean is that of the factors */
    unsigned digits;  /* digits after the decimal point */
    bool lines;       /* the rows are values of a growing quantity: plotted as lines, without means */
    const struct figure_series *series;
    size_t series_count;
    const struct figure_known *known; /* the paper's values of rows, or of groups */
    size_t known_count;
    const char *const *rows; /* the benchmarks */
    const bool *ours;        /* ours[row]: the paper does not have the row; NULL: it has all */
    struct figure_group group[FIGURE_GROUPS];
    size_t group_count;
    size_t row_count;
    const double *values; /* [row][series] */
};

/* Returns the mean over the rows of a series: arithmetic, for gains geometric. */
double figure_mean(const struct figure *f, size_t series);
/* Returns the mean over the rows that the paper has, too; NAN if there are none. */
double figure_paper_mean(const struct figure *f, size_t series);
/* Returns whether some benchmarks are not in the paper, so that the two means differ. */
bool figure_has_ours(const struct figure *f);
/* Returns the mean over the rows of a group; NAN if there are none. */
double figure_group_mean(const struct figure *f, size_t group, size_t series);

/* Prints a figure: the title; a row for each benchmark; the means of groups, of all rows, and of the paper's
 * rows. Then prints the paper's number, its difference from our mean over the paper's rows, other values in
 * the paper, and the note. */
void figure_print(const struct figure *f, FILE *out);

/* Returns the same as a JSON object. */
json_t *figure_document(const struct figure *f);

/* Writes an SVG by gnuplot: bars from 0 with their values, in groups with the paper's number (hatched), if
 * any, next to ours; or lines. The file gets its name when it is complete. Returns false with *e (EXIT_USER)
 * if gnuplot is missing or fails, or the disk is full. */
bool figure_plot(const struct figure *f, const char *path, struct error *e);

#endif

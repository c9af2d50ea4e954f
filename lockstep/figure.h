/*
 * figure: one figure of a paper: a group of bars for each benchmark, with the paper's numbers beside ours; as
 * a table, as JSON and as a plot.
 */
#ifndef LOCKSTEP_FIGURE_H
#define LOCKSTEP_FIGURE_H

#include "sim/error.h"

#include <jansson.h>
#include <stdio.h>

struct figure_series {
    const char *name;
    double paper; /* mean over the paper's programs; NAN: it does not say */
};

/* A value of a single program that the paper tells in its text. */
struct figure_known {
    const char *row;
    size_t series;
    double paper;
};

/* A group of rows with means of its own, beside the mean over all. */
struct figure_group {
    const char *name;
    const bool *has; /* [row] */
};
#define FIGURE_GROUPS 2

struct figure {
    const char *name;  /* "fig5" */
    const char *title; /* what it shows, where in the paper */
    const char *unit;
    const char *note; /* why ours differ from the paper's: a paragraph */
    bool gains;       /* values are percent by which something grew; their mean is that of the factors */
    unsigned digits;  /* printed after the point */
    bool lines;       /* the rows are a quantity that grows: plotted as lines, without means */
    const struct figure_series *series;
    size_t series_count;
    const struct figure_known *known; /* of rows, or of groups */
    size_t known_count;
    const char *const *rows; /* the benchmarks */
    const bool *ours;        /* [row]: the paper does not have the benchmark; NULL: it has all */
    struct figure_group group[FIGURE_GROUPS];
    size_t group_count;
    size_t row_count;
    const double *values; /* [row][series] */
};

/* The mean over the rows of a series: arithmetic, of gains geometric. */
double figure_mean(const struct figure *f, size_t series);
/* The mean over the rows that the paper has, too. NAN: it has none of them. */
double figure_paper_mean(const struct figure *f, size_t series);
/* Returns whether the paper does not have all benchmarks, so that the two differ. */
bool figure_has_ours(const struct figure *f);
/* The mean over the rows of a group. NAN: it has none of them. */
double figure_group_mean(const struct figure *f, size_t group, size_t series);

/* Title, a row for each benchmark, the means of groups, of all, and of those that the paper has; the paper's
 * number, and the difference to it of the mean over the paper's benchmarks; what else the
 * paper says; the note. */
void figure_print(const struct figure *f, FILE *out);

/* The same as an object. */
json_t *figure_document(const struct figure *f);

/* Writes an SVG by gnuplot: bars from 0, in groups with the paper's number (hatched) beside ours wherever it
 * has one, each with its value; or lines. The file gets its name when it is whole. False and *e (EXIT_USER)
 * if gnuplot is missing or fails, or the disk is full. */
bool figure_plot(const struct figure *f, const char *path, struct error *e);

#endif

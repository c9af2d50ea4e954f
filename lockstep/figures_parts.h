/*
 * figures_parts: what the files of `lockstep figures` share: the command line, the report's machines and
 * programs, and which of its figures are shown.
 */
#ifndef LOCKSTEP_FIGURES_PARTS_H
#define LOCKSTEP_FIGURES_PARTS_H

#include "lockstep/figures_values.h"
#include "lockstep/machine_options.h"
#include "lockstep/points.h"
#include "lockstep/progress.h"

#define FIGURES_MAX_BENCHMARKS 24

/* A report has a machine, which --config and --set change, and a form for either kind of machine. One that
 * has the same form for both says in its variants what it needs. */
struct figures_form {
    const char *machine; /* of configs/ */
    const struct figures_paper *base, *gpu_like;
    const struct figures_paper *full; /* with larger inputs; NULL: there is one size */
};

struct figures_options {
    struct machine_options machine;
    const char *folder; /* NULL: figures/ beside the command */
    unsigned jobs;      /* runs at a time */
    const struct figures_form *report;
    const char *chosen[FIGURES_MAX_BENCHMARKS]; /* NULL after the last; none: all */
    size_t chosen_count;
    const char *figure; /* its number in the paper, with or without a letter, or "table4"; NULL: all */
    char table[32];
    bool has_size, full; /* --size is given; full inputs */
    bool quiet;
};

/* A run: a benchmark on a machine. */
struct figures_point {
    const struct figures_benchmark *benchmark;
    const char *program; /* its path */
    size_t variant;
    uint64_t interval; /* cycles between counts of lane groups; 0: none */
    char key[POINT_KEY];
};

struct figures {
    struct figures_options options;
    struct tools tools;
    const struct figures_paper *paper;
    struct machine_config *configs; /* of the variants */
    char *machine;                  /* path of the report's own; NULL: another is named */
    struct points points;
    struct figures_point *point; /* all runs that are needed */
    size_t point_count;
    const char *rows[FIGURES_MAX_BENCHMARKS];
    const struct figures_benchmark *row_benchmark[FIGURES_MAX_BENCHMARKS];
    size_t row_count;
    char *program[FIGURES_MAX_BENCHMARKS], *sweep_program[FIGURES_MAX_SWEEPS];
    bool in_group[FIGURE_GROUPS][FIGURES_MAX_BENCHMARKS]; /* rows that it has */
    double **values;                                      /* of each figure: [row][series] */
};

/* Of a figure; NULL: it has a row for each benchmark. */
const struct figures_sweep *figures_sweep_of(const struct figures *f, size_t figure);
/* Does --figure ask for it? "fig13b" is figure 13 and figure 13b, but not 1. */
bool figures_shows(const struct figures *f, size_t figure);
/* Has it a row for the benchmark? */
bool figures_has_row(const struct figures *f, size_t figure, const char *benchmark);
/* Is it asked for, and anything known of it with the benchmarks that were chosen? */
bool figures_is_shown(const struct figures *f, size_t figure);
bool figures_is_chosen(const struct figures *f, const char *benchmark);
/* Does a figure that is shown show the machine, or something over it? The sweep, or a quotient of it? */
bool figures_needs(const struct figures *f, size_t variant);
/* Likewise for a benchmark. */
bool figures_row_needs(const struct figures *f, const char *benchmark, size_t variant);
bool figures_needs_sweep(const struct figures *f, size_t figure);

/* A file of the report's folder. To be freed. */
char *figures_in_folder(const struct figures *f, const char *name);

/* Runs all that is needed and has no result yet, and takes the values from the results. False and *e: that of
 * a benchmark that failed, or EXIT_USER. */
bool figures_run_all(struct figures *f, struct error *e);

/* Prints, writes and plots it. */
bool figures_report(struct figures *f, struct error *e);

#endif

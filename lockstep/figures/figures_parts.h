/*
 * figures_parts: declarations shared by the files of `lockstep figures`: the command line, the report's
 * machines and programs, and the choice of figures.
 */
#ifndef LOCKSTEP_FIGURES_PARTS_H
#define LOCKSTEP_FIGURES_PARTS_H

#include "lockstep/figures/figures_values.h"
#include "lockstep/run/machine_options.h"
#include "lockstep/explore/points.h"
#include "lockstep/output/progress.h"

#define FIGURES_MAX_BENCHMARKS 24

/* The machine of a report, which --config and --set change, and the report's form for each kind of machine.
 * If both forms are equal, the variants set the fields that they need. */
struct figures_form {
    const char *machine; /* file in configs/ */
    const struct figures_paper *paper[CONTEXTS_KINDS];
    const struct figures_paper *full; /* report with larger inputs; NULL if there is one size */
};

struct figures_options {
    struct machine_options machine;
    const char *folder; /* folder of the report; NULL: figures/ in the command's folder */
    unsigned jobs;      /* number of parallel runs */
    const struct figures_form *report;
    /* Names of selected benchmarks, NULL after the last; none: all benchmarks. */
    const char *chosen[FIGURES_MAX_BENCHMARKS];
    size_t chosen_count;
    /* Number in the paper, with or without a letter, or "table4"; NULL: all figures. */
    const char *figure;
    char table[32];
    /* --size is given; full inputs are used. */
    bool has_size, full;
    bool quiet;
};

/* A run of a benchmark on a machine. */
struct figures_point {
    const struct figures_benchmark *benchmark;
    const char *program; /* its path */
    size_t variant;
    uint64_t interval; /* cycles between counts of lane groups; 0 if not counted */
    char key[POINT_KEY];
};

struct figures {
    struct figures_options options;
    struct tools tools;
    const struct figures_paper *paper;
    struct machine_config *configs; /* configuration of each variant */
    char *machine;                  /* path of the report's own machine; NULL if the user has given another */
    struct points points;
    struct figures_point *point; /* all necessary runs */
    size_t point_count;
    const char *rows[FIGURES_MAX_BENCHMARKS];
    const struct figures_benchmark *row_benchmark[FIGURES_MAX_BENCHMARKS];
    size_t row_count;
    char *program[FIGURES_MAX_BENCHMARKS], *sweep_program[FIGURES_MAX_SWEEPS];
    bool in_group[FIGURE_GROUPS][FIGURES_MAX_BENCHMARKS]; /* rows of each group */
    double **values;                                      /* values of each figure: [row][series] */
};

/* Returns the sweep of a figure; NULL if it has a row for each benchmark. */
const struct figures_sweep *figures_sweep_of(const struct figures *f, size_t figure);
/* Returns whether --figure selects a figure: "fig13b" is selected by figure 13 and 13b, but not by 1. */
bool figures_shows(const struct figures *f, size_t figure);
/* Returns whether a figure has a row for the benchmark. */
bool figures_has_row(const struct figures *f, size_t figure, const char *benchmark);
/* Returns whether a figure is selected and has values for the selected benchmarks. */
bool figures_is_shown(const struct figures *f, size_t figure);
bool figures_is_chosen(const struct figures *f, const char *benchmark);
/* Returns whether a selected figure needs a variant, directly or as a base. */
bool figures_needs(const struct figures *f, size_t variant);
/* Return whether a benchmark's row needs a variant; whether a figure's sweep must run, for itself or for a
 * quotient. */
bool figures_row_needs(const struct figures *f, const char *benchmark, size_t variant);
bool figures_needs_sweep(const struct figures *f, size_t figure);

/* Returns the path of a file in the report's folder, to be freed. */
char *figures_in_folder(const struct figures *f, const char *name);

/* Does all necessary runs without a result, and reads the values from the results. Returns false with *e if a
 * benchmark has failed (its status), or another failure occurs (EXIT_USER). */
bool figures_run_all(struct figures *f, struct error *e);

/* Prints, writes and plots the report. */
bool figures_report(struct figures *f, struct error *e);

#endif

/*
 * figures: the report of a paper: the machines that run the benchmarks, and the figures made from the runs.
 */
#ifndef LOCKSTEP_FIGURES_H
#define LOCKSTEP_FIGURES_H

#include "lockstep/figures/figure.h"
#include "lockstep/figures/figures_run.h"

#include <stdint.h>

#define FIGURES_MAX_ASSIGNMENTS 10
#define FIGURES_MAX_VARIANTS    64
#define FIGURES_MAX_SWEEPS      8
#define FIGURES_MAX_ARGUMENTS   6
#define FIGURES_CHANGES         6 /* ways to change a program */
#define FIGURES_MAX_CHANGED     4 /* words of one change */

/* A program with the input that it makes or that was made for it. % stands for the folder of the report. */
struct figures_benchmark {
    const char *name;
    const char *arguments[FIGURES_MAX_ARGUMENTS + 1];
    bool ours;                                                     /* not in the paper */
    bool second_group;                                             /* for reports with predefined groups */
    const char *changed[FIGURES_CHANGES][FIGURES_MAX_CHANGED + 1]; /* further arguments of changed programs */
};

/* A machine: fields that differ from the base, NULL after the last. SIMT mode, unless a field sets another
 * mode. */
struct figures_variant {
    const char *name;
    const char *set[FIGURES_MAX_ASSIGNMENTS];
    bool redundancy;  /* counts redundant operations */
    bool idle;        /* counts the states of threads while nothing issues */
    bool of_sweeps;   /* runs only programs of sweeps */
    bool helped;      /* runs NAME_scalar.cl in the folder of a program's kernel, if it exists */
    unsigned changed; /* n: also runs programs with changed[n − 1]; 0: unchanged programs only */
};

enum figures_energy {
    FIGURES_NO_ENERGY,
    FIGURES_DYNAMIC, /* dynamic energy */
    FIGURES_ALL,     /* with leakage */
    FIGURES_CHECKS,  /* energy of a second lane and a second copy, as a share of the dynamic energy: without a
                        base */
    FIGURES_TIME,    /* cycles */
    FIGURES_POWER,   /* energy with leakage for each cycle */
    FIGURES_PRODUCT  /* product of energy with leakage and cycles */
};

/* A series shows for each run by how many percent it is faster than another, or counters, or a function of
 * the run. Counters are summed over all scopes ("copies") or over scopes with one ending ("uniform.copies").
 * In a sweep it shows launches, or a lane group. */
struct figures_series {
    struct figure_series series;
    size_t variant, base;                      /* base: reference of a speed-up */
    const char *numerator;                     /* percent of counters; NULL: speed-up, or energy */
    const char *denominator;                   /* NULL: numerator for each cycle */
    double scale;                              /* factor for the percent of counters */
    double (*of)(const struct figures_run *r); /* with another base: increase in percent */
    enum figures_energy energy;                /* increase over the base in percent */
    unsigned set;                              /* index in energy_sets */
};

enum figures_sweep_kind {
    FIGURES_LAUNCHES,   /* a value is a launch: series after series, in each the rows; thread-instructions a
                           cycle */
    FIGURES_LANE_GROUPS /* rows are intervals of the last launch, series are lane groups: thread-instructions
                           a cycle */
};

/* A figure of one run of a program instead of one run of each benchmark. */
struct figures_sweep {
    const char *figure; /* name of the figure */
    struct figures_benchmark program;
    enum figures_sweep_kind kind;
    const char *const *rows;
    size_t row_count;
    uint64_t interval; /* cycles; 0: launches */
    size_t variant;
    const char *over[2]; /* earlier figures of which this is the quotient, without runs; NULL: none */
};

struct figures_definition {
    struct figure figure; /* without the results of the runs: values, series, and rows, unless it has only
                             some of the benchmarks: NULL after the last */
    const struct figures_series *series; /* of a sweep: names only */
};

struct figures_paper {
    const char *name, *title;
    const struct figures_benchmark *benchmarks;
    size_t benchmark_count;
    const struct figures_variant *variants;
    size_t variant_count;
    const struct figures_definition *figures;
    size_t figure_count;
    const struct figures_sweep *sweeps;
    size_t sweep_count;
    const char *group_names[FIGURE_GROUPS]; /* groups of rows; NULL: no groups */
    /* Programs with a value of the first series in the first figure below this are the first group, others
     * the second; 0: by the programs' `second_group`. */
    double first_group_below;
};

/* uniform-vector-irb: on the base machine, on GPU-like ones. */
extern const struct figures_paper figures_uniform, figures_uniform_gpu;

extern const struct figures_paper figures_harp; /* harp */
/* dual-mode-simt-arm, on inputs of either size */
extern const struct figures_paper figures_dual_mode, figures_dual_mode_full;
extern const struct figures_paper figures_stsimt; /* spatio-temporal-simt */
extern const struct figures_paper figures_scalar; /* flexible-scalar-unit */

#endif

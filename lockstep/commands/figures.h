/*
 * figures: the report of a paper: machines, benchmarks, and the figures made from the runs.
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
#define FIGURES_CHANGES         6 /* largest number of changed versions of a program */
#define FIGURES_MAX_CHANGED     4 /* largest number of words of one change */

/* A program and the arguments for its input, which it generates or reads from a prepared file. % stands for
 * the folder of the report. */
struct figures_benchmark {
    const char *name;
    const char *arguments[FIGURES_MAX_ARGUMENTS + 1];
    bool ours; /* the paper does not have it */
    /* Belongs to the second group, in reports with predefined groups. */
    bool second_group;
    /* Further arguments for each changed version of the program. */
    const char *changed[FIGURES_CHANGES][FIGURES_MAX_CHANGED + 1];
};

/* A machine, as the fields that differ from the base, NULL after the last. The mode is SIMT unless a field
 * sets it. */
struct figures_variant {
    const char *name;
    const char *set[FIGURES_MAX_ASSIGNMENTS];
    bool redundancy; /* counts redundant operations */
    bool idle;       /* counts the states of threads while their scheduler issues nothing */
    bool of_sweeps;  /* runs only the programs of sweeps */
    bool helped;     /* runs NAME_scalar.cl in the folder of a program's kernel, if that file exists */
    /* If n > 0, also runs programs with changed[n − 1]; if 0, runs unchanged programs only. */
    unsigned changed;
};

enum figures_energy {
    FIGURES_NO_ENERGY,
    FIGURES_DYNAMIC, /* dynamic energy */
    FIGURES_ALL,     /* dynamic energy and leakage */
    /* Energy of a second lane and a second copy, as a share of the dynamic energy; has no base. */
    FIGURES_CHECKS,
    FIGURES_TIME,   /* cycles */
    FIGURES_POWER,  /* energy with leakage for each cycle */
    FIGURES_PRODUCT /* product of energy with leakage and cycles */
};

/* The values of one series of a figure. For each run a value is a speed-up over another run in percent, a
 * ratio of counters, or a function of the run. Counters are summed over all scopes ("copies") or over scopes
 * with one ending ("uniform.copies"). In a sweep the values are launches or intervals of a lane group. */
struct figures_series {
    struct figure_series series;
    size_t variant, base; /* base: reference of a speed-up */
    /* Counter shown in percent; NULL: the series shows a speed-up, or energy. */
    const char *numerator;
    const char *denominator; /* divisor; NULL: cycles */
    double scale;            /* factor of the percentage */
    /* Function of a run; with another base, its increase in percent. */
    double (*of)(const struct figures_run *r);
    enum figures_energy energy; /* energy shown, as its increase over the base in percent */
    unsigned set;               /* index in energy_sets */
};

enum figures_sweep_kind {
    /* Each value is a launch, in thread-instructions a cycle. The launches fill series after series, in each
     * the rows. */
    FIGURES_LAUNCHES,
    /* Rows are intervals of the last launch, series are lane groups; values are thread-instructions a
     * cycle. */
    FIGURES_LANE_GROUPS
};

/* A figure of one run of a program, instead of one run of each benchmark. */
struct figures_sweep {
    const char *figure; /* name of the figure */
    struct figures_benchmark program;
    enum figures_sweep_kind kind;
    const char *const *rows;
    size_t row_count;
    uint64_t interval; /* length of an interval in cycles; 0: launches */
    size_t variant;
    /* Earlier figures whose quotient this figure is, without a run; NULL: none. */
    const char *over[2];
};

struct figures_definition {
    /* The figure without values. `rows` lists its benchmarks, NULL after the last, if it has only some of
     * them. */
    struct figure figure;
    const struct figures_series *series; /* series; for a sweep only their names */
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
    const char *group_names[FIGURE_GROUPS]; /* names of the groups of rows; NULL: no groups */
    /* Limit between the groups. Programs whose value of the first series in the first figure is below it form
     * the first group, the others the second. 0: groups are those of `second_group`. */
    double first_group_below;
};

/* Reports on uniform-vector-irb: on the base machine; on GPU-like machines. */
extern const struct figures_paper figures_uniform, figures_uniform_gpu;

extern const struct figures_paper figures_harp; /* harp */
/* Reports on dual-mode-simt-arm, with inputs of the two sizes. */
extern const struct figures_paper figures_dual_mode, figures_dual_mode_full;
extern const struct figures_paper figures_stsimt; /* spatio-temporal-simt */
extern const struct figures_paper figures_scalar; /* flexible-scalar-unit */

#endif

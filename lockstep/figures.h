/*
 * figures: the report of a paper: which machines run the benchmarks, and which figures come of it.
 */
#ifndef LOCKSTEP_FIGURES_H
#define LOCKSTEP_FIGURES_H

#include "lockstep/figure.h"
#include "lockstep/figures_run.h"

#include <stdint.h>

#define FIGURES_MAX_ASSIGNMENTS 10
#define FIGURES_MAX_VARIANTS    40
#define FIGURES_MAX_SWEEPS      8
#define FIGURES_MAX_ARGUMENTS   6
#define FIGURES_CHANGES         2 /* ways to change a program */
#define FIGURES_MAX_CHANGED     4 /* words of one */

/* A program, on the input that it makes or that was made for it. A % stands for the folder of the report. */
struct figures_benchmark {
    const char *name;
    const char *arguments[FIGURES_MAX_ARGUMENTS + 1];
    bool ours;         /* the paper does not have it */
    bool second_group; /* of a report whose groups are known beforehand */
    const char
        *changed[FIGURES_CHANGES][FIGURES_MAX_CHANGED + 1]; /* further arguments of variants that change it */
};

/* A machine: fields that differ from the base, NULL after the last. It is in SIMT mode unless one says mode.
 */
struct figures_variant {
    const char *name;
    const char *set[FIGURES_MAX_ASSIGNMENTS];
    bool redundancy;  /* count redundant operations */
    bool idle;        /* count what threads do while nothing issues */
    bool of_sweeps;   /* runs programs of sweeps only */
    bool helped;      /* runs NAME_scalar.cl, which lies beside a program's kernel, where there is one */
    unsigned changed; /* n: runs programs with changed[n − 1], too; 0: as they are */
};

enum figures_energy {
    FIGURES_NO_ENERGY,
    FIGURES_DYNAMIC, /* dynamic energy */
    FIGURES_ALL,     /* with leakage */
    FIGURES_CHECKS,  /* what a second lane and a second copy take, of the dynamic energy: without a base */
    FIGURES_TIME,    /* cycles; */
    FIGURES_POWER,   /* energy with leakage a cycle, */
    FIGURES_PRODUCT  /* and times them */
};

/* A series shows of each run by how many percent it is faster than another, or counters, or what a function
 * makes of the run. Counters are summed over all scopes: "copies", or over those that end alike:
 * "uniform.copies". Of a sweep it shows launches, or a lane group. */
struct figures_series {
    struct figure_series series;
    size_t variant, base;                      /* base: what a speed-up is over */
    const char *numerator;                     /* percent of counters; NULL: speed-up, or energy */
    const char *denominator;                   /* NULL: the numerator's number a cycle */
    double scale;                              /* what the percent of counters are multiplied by */
    double (*of)(const struct figures_run *r); /* with another base: by how many percent it is more */
    enum figures_energy energy;                /* by how many percent it takes more than the base */
    unsigned set;                              /* of energy_sets */
};

enum figures_sweep_kind {
    FIGURES_LAUNCHES,   /* a value is a launch: series after series, in each the rows; its
                           thread-instructions a cycle */
    FIGURES_LANE_GROUPS /* rows are intervals of the last launch, series are lane groups: thread-instructions
                           a cycle */
};

/* A figure of one run of a program instead of a run of each benchmark. */
struct figures_sweep {
    const char *figure; /* its name */
    struct figures_benchmark program;
    enum figures_sweep_kind kind;
    const char *const *rows;
    size_t row_count;
    uint64_t interval; /* cycles; 0: of launches */
    size_t variant;
    const char *over[2]; /* figures before this one, whose quotient it is: nothing runs; NULL: none */
};

struct figures_definition {
    struct figure figure; /* without what comes of the runs: values, series, and rows, unless it has only some
                             of the benchmarks: NULL after the last */
    const struct figures_series *series; /* of a sweep: their names */
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
    const char *group_names[FIGURE_GROUPS]; /* of rows; NULL: there are no groups */
    /* Programs of which the first series of the first figure is below this are the first group, the others
     * the second; 0: `second_group` of the programs says it. */
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

/*
 * figures: the report of a paper: which machines run the benchmarks, and which figures come of it.
 */
#ifndef LOCKSTEP_FIGURES_H
#define LOCKSTEP_FIGURES_H

#include "lockstep/figure.h"

#include <stdint.h>

#define FIGURES_MAX_ASSIGNMENTS 6
#define FIGURES_MAX_VARIANTS    32
#define FIGURES_MAX_ARGUMENTS   4

/* A program, on the input that it makes or that was made for it. A % stands for the folder of the report. */
struct figures_benchmark {
    const char *name;
    const char *arguments[FIGURES_MAX_ARGUMENTS + 1];
};

/* A machine: fields that differ from the base, NULL after the last. */
struct figures_variant {
    const char *name;
    const char *set[FIGURES_MAX_ASSIGNMENTS];
    bool redundancy; /* count redundant operations */
};

enum figures_energy {
    FIGURES_NO_ENERGY,
    FIGURES_DYNAMIC, /* dynamic energy */
    FIGURES_ALL,     /* with leakage */
    FIGURES_CHECKS   /* what a second lane and a second copy take, of the dynamic energy: without a base */
};

/* A series shows of each run by how many percent it is faster than another, or counters. These
 * are summed over all scopes: "copies", or over those that end alike: "uniform.copies". */
struct figures_series {
    struct figure_series series;
    size_t variant, base;       /* base: what a speed-up is over; a variant before this one */
    const char *numerator;      /* percent of counters; NULL: speed-up, or energy */
    const char *denominator;    /* NULL: the numerator's number a cycle */
    enum figures_energy energy; /* by how many percent it takes more than the base */
    unsigned set;               /* of energy_sets */
};

struct figures_definition {
    struct figure figure; /* without what comes of the runs: rows, values, series */
    const struct figures_series *series;
};

struct figures_paper {
    const char *name, *title;
    const struct figures_benchmark *benchmarks;
    size_t benchmark_count;
    const struct figures_variant *variants;
    size_t variant_count;
    const struct figures_definition *figures;
    size_t figure_count;
};

/* uniform-vector-irb: on the base machine, on GPU-like ones. */
extern const struct figures_paper figures_uniform, figures_uniform_gpu;

extern const struct figures_paper figures_harp, figures_dual_mode; /* harp, dual-mode-simt-arm */

#endif

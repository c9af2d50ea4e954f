/*
 * comparison: results of several variants of a machine, with a row for each, for one program or several, in
 * three forms.
 */
#ifndef LOCKSTEP_COMPARISON_H
#define LOCKSTEP_COMPARISON_H

#include "lockstep/run/simulation.h"

#include <jansson.h>
#include <stdio.h>

#define COMPARISON_SCHEMA_VERSION 1

struct comparison_row {
    const char *name; /* name of the variant */
    bool ran;         /* the variant was run; if false (interrupted before), the other fields are 0 */
    uint64_t cycles;
    sim_time time; /* picoseconds */
    /* Instructions of kernels: thread-instructions in SIMT mode; instructions of cores in twins in MIMD
     * mode. */
    uint64_t instructions;
    /* Loads and stores among `instructions` whose condition passed. */
    uint64_t memory_instructions;
    uint64_t warp_instructions;
    /* Lane slots of the warp instructions; SIMD efficiency is `instructions` divided by this number. */
    uint64_t lane_slots;
    uint64_t l2_misses;
    double without_work; /* share of the units' cycles without a work-group */
    const char *outcome; /* name of the outcome in the statistics: "complete", "program-failed", … */
    int exit_status;     /* exit status of `lockstep run` */
    json_t *document;    /* the statistics of the run */
};

/* Results of one program. */
struct comparison {
    char *const *argv; /* the program and its arguments */
    struct comparison_row *rows;
    size_t count;
};

/* Fills a row, whose name is set, from a simulation that has run. */
void comparison_fill(struct comparison_row *row, const struct simulation *s, char *const *argv);

void comparison_free(struct comparison *c);

/* The functions below take the comparisons of `count` programs. */

/* Returns the exit status of the first row that failed; 0 if none did. */
int comparison_status(const struct comparison *c, size_t count);

/* Prints a line for each row whose units had no work-group in more than a third of their cycles: the
 * comparison is then between numbers of units rather than variants. */
void comparison_print_notes(const struct comparison *c, size_t count, FILE *out);

/* Print the rows. With several programs, each row names its program, and the last rows are geometric means
 * over the programs. */
void comparison_print_table(const struct comparison *c, size_t count, FILE *out);
void comparison_print_csv(const struct comparison *c, size_t count, FILE *out);
void comparison_print_json(const struct comparison *c, size_t count, FILE *out);

#endif

/*
 * comparison: results of several variants of a machine, a row each, for one program or several, in three
 * forms.
 */
#ifndef LOCKSTEP_COMPARISON_H
#define LOCKSTEP_COMPARISON_H

#include "lockstep/simulation.h"

#include <jansson.h>
#include <stdio.h>

#define COMPARISON_SCHEMA_VERSION 1

struct comparison_row {
    const char *name; /* of the variant */
    bool ran;         /* false: an interruption came before; what follows is 0 then */
    uint64_t cycles;
    sim_time time;                /* picoseconds */
    uint64_t instructions;        /* of kernels: SIMT thread-instructions; MIMD of the cores in twins */
    uint64_t memory_instructions; /* of these, loads and stores whose condition passed */
    uint64_t warp_instructions;
    uint64_t lane_slots; /* that the warp instructions had: SIMD efficiency is instructions over these */
    uint64_t l2_misses;
    double without_work; /* share of its units' cycles in which they had no work-group */
    const char *outcome; /* as in the statistics: "complete", "program-failed", … */
    int exit_status;     /* as of `lockstep run` */
    json_t *document;    /* the statistics of the run */
};

/* Of one program. */
struct comparison {
    char *const *argv; /* the program and its arguments */
    struct comparison_row *rows;
    size_t count;
};

/* Fills a row, whose name is set, from a simulation that has run. */
void comparison_fill(struct comparison_row *row, const struct simulation *s, char *const *argv);

void comparison_free(struct comparison *c);

/* The functions below take the comparisons of `count` programs. */

/* Exit status of the first row that failed; 0 if none did. */
int comparison_status(const struct comparison *c, size_t count);

/* A line for each row whose units had no work-group in more than a third of their cycles, since then their
 * number is compared rather than what varies. */
void comparison_print_notes(const struct comparison *c, size_t count, FILE *out);

/* With several programs, each row names its program, and the last rows are geometric means over the programs.
 */
void comparison_print_table(const struct comparison *c, size_t count, FILE *out);
void comparison_print_csv(const struct comparison *c, size_t count, FILE *out);
void comparison_print_json(const struct comparison *c, size_t count, FILE *out);

#endif

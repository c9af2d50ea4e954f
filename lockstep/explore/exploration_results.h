/*
 * exploration_results: the results of an exploration: a database, a table, the front.
 */
#ifndef LOCKSTEP_EXPLORATION_RESULTS_H
#define LOCKSTEP_EXPLORATION_RESULTS_H

#include "lockstep/explore/exploration.h"

#include <stdio.h>

#define EXPLORATION_SCHEMA_VERSION 1

/* Writes DIR/points.sqlite (tables points, causes, areas), DIR/points.csv and DIR/points.json from the
 * results of all points, in their order: equal results give equal files. DIR/exploration.json has the sweep's
 * text and the results' origins (origin.h). Returns false with *e (EXIT_USER). */
bool exploration_write(struct exploration *x, struct error *e);

/* A configuration with all its programs: geometric mean of their times, and area (0: unknown). */
struct exploration_total {
    size_t combination;
    double time_ns, mm2, energy_nj;
    bool least;    /* mm2 is the area without the Verilog blocks, which are not synthesised yet */
    bool complete; /* all programs have completed */
    /* No other configuration is at least as good in both objectives and better in one: time, and area (energy
     * if there are no areas). */
    bool front;
};

/* Returns the totals of each configuration, in order; to be freed. */
struct exploration_total *exploration_totals(struct exploration *x, struct error *e);
/* Returns the totals before all areas are known: a machine with unknown area has that without its Verilog. */
struct exploration_total *exploration_first_totals(struct exploration *x, struct error *e);

/* Prints a row for each configuration on the front, the fastest first. */
void exploration_print_front(struct exploration *x, const struct exploration_total *totals, FILE *out);

/* Adds to the sweep the missing neighbours of the front's configurations (next or previous value of one
 * field). Returns their number. */
size_t exploration_refine(struct exploration *x, const struct exploration_total *totals);

/* Adds the next generation to the sweep, for sample: {kind: genetic} (genetic.h). Returns the number of its
 * configurations; 0 if the sample is complete. */
size_t exploration_evolve(struct exploration *x, const struct exploration_total *totals);

#endif

/*
 * exploration_results: what comes of an exploration: a database, a table, the front.
 */
#ifndef LOCKSTEP_EXPLORATION_RESULTS_H
#define LOCKSTEP_EXPLORATION_RESULTS_H

#include "lockstep/exploration.h"

#include <stdio.h>

#define EXPLORATION_SCHEMA_VERSION 1

/* DIR/points.sqlite (tables points, causes, areas), DIR/points.csv and DIR/points.json, built anew from the
 * results of all points, in their order: the same bytes for the same results. DIR/exploration.json has the
 * sweep's text and the results' origins (origin.h). False and *e (EXIT_USER). */
bool exploration_write(struct exploration *x, struct error *e);

/* A configuration with all its programs: geometric mean of their times, and area (0: unknown). */
struct exploration_total {
    size_t combination;
    double time_ns, mm2, energy_nj;
    bool least;    /* mm2 is that without its blocks of Verilog, which are not known yet */
    bool complete; /* every program is */
    bool front; /* no other is as good in time and area (energy, if there are no areas) and better in one */
};

/* The totals of each configuration, in order; to be freed. */
struct exploration_total *exploration_totals(struct exploration *x, struct error *e);
/* The same before all areas are known: a machine whose area is not known has that without its Verilog. */
struct exploration_total *exploration_first_totals(struct exploration *x, struct error *e);

/* A row for each configuration on the front, the fastest first. */
void exploration_print_front(struct exploration *x, const struct exploration_total *totals, FILE *out);

/* Adds to the sweep the configurations beside the front's (one field's next or last value) that it has not.
 * Returns how many there are. */
size_t exploration_refine(struct exploration *x, const struct exploration_total *totals);

/* sample: {kind: genetic}: adds the next generation to the sweep (genetic.h). Returns how many configurations
 * there are in it; 0: the sample has all its points. */
size_t exploration_evolve(struct exploration *x, const struct exploration_total *totals);

#endif

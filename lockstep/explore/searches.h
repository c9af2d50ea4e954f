/*
 * searches: compares the kinds of sample (sweep.h) on a fully explored space: the number of machines that
 * each needs until its front is within 1 % of the whole space's.
 *
 * The measure of a front is its hypervolume: the part of the plane of the two objectives, time and area
 * (energy, if there are no areas), that its machines dominate. The plane ends beyond the front's worst values
 * by 10 % of the extent of the whole space's front. Machines that do not complete all programs count as
 * machines.
 */
#ifndef LOCKSTEP_SEARCHES_H
#define LOCKSTEP_SEARCHES_H

#include "lockstep/explore/genetic.h"
#include "sim/error.h"

#include <jansson.h>
#include <stdio.h>

/* Prints a table in Markdown: for each kind, the numbers of machines after which half of 100 searches, and
 * nine tenths, have 99 % of the hypervolume. `points` is points.json of `folder`. Returns false with *e
 * (EXIT_USER) if it is not a whole space, or no machine is complete. */
bool searches_print(const char *folder, const json_t *points, FILE *out, struct error *e);

/* Returns the hypervolume of individuals below a reference point. Changes their order. */
double searches_hypervolume(struct genetic_individual *individuals, size_t count, const double reference[2]);

#endif

/*
 * searches: compares the kinds of sample (sweep.h) on a space whose whole has been explored: how many
 * machines each needs until its front is as good as that of the whole, within 1 %.
 *
 * A front's measure is its hypervolume: the part of the plane of the two objectives, time and area (energy,
 * if there are no areas), that its machines dominate. The plane ends 10 % of the extent of the whole's front
 * beyond the front's worst values. Machines that do not complete all programs count as machines.
 */
#ifndef LOCKSTEP_SEARCHES_H
#define LOCKSTEP_SEARCHES_H

#include "lockstep/genetic.h"
#include "sim/error.h"

#include <jansson.h>
#include <stdio.h>

/* Prints a table in Markdown: for each kind, the machines after which half of 100 searches, and nine tenths,
 * have 99 % of the hypervolume. `points` is points.json of `folder`. False and *e (EXIT_USER): it is not the
 * whole of a space, or no machine is complete. */
bool searches_print(const char *folder, const json_t *points, FILE *out, struct error *e);

/* Returns the hypervolume of individuals below a reference point. Changes their order. */
double searches_hypervolume(struct genetic_individual *individuals, size_t count, const double reference[2]);

#endif

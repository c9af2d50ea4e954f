/*
 * figures_values: the values of a figure, computed from the runs of a benchmark.
 */
#ifndef LOCKSTEP_FIGURES_VALUES_H
#define LOCKSTEP_FIGURES_VALUES_H

#include "lockstep/energy/energy.h"
#include "lockstep/commands/figures.h"

/* Energy of a run in nanojoules, for each set of constants. */
struct figures_taken {
    double dynamic[ENERGY_SETS], all[ENERGY_SETS], checks[ENERGY_SETS];
};

/* The runs of a benchmark, by variant. Entries that have not been read are zero. */
struct figures_runs {
    struct figures_run run[FIGURES_MAX_VARIANTS];
    struct figures_taken energy[FIGURES_MAX_VARIANTS]; /* energy of each run; 0 if no series uses it */
};

/* Computes the energy of a run with counted events. */
void figures_take_energy(struct figures_taken *taken, const struct figures_run *r);

/* Returns the value of a series from the run of its variant and, if it has one, of its base. */
double figures_value(const struct figures_series *s, const struct figures_runs *runs);

#endif

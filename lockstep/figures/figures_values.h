/*
 * figures_values: what the runs of a benchmark are in a figure.
 */
#ifndef LOCKSTEP_FIGURES_VALUES_H
#define LOCKSTEP_FIGURES_VALUES_H

#include "lockstep/energy/energy.h"
#include "lockstep/commands/figures.h"

/* What a run took, in nanojoules, in each set of constants. */
struct figures_taken {
    double dynamic[ENERGY_SETS], all[ENERGY_SETS], checks[ENERGY_SETS];
};

/* A benchmark's runs, by variant, as far as they have been read. */
struct figures_runs {
    struct figures_run run[FIGURES_MAX_VARIANTS];
    struct figures_taken energy[FIGURES_MAX_VARIANTS]; /* zeros: no series asks for it */
};

/* Of a run that counted events. */
void figures_take_energy(struct figures_taken *taken, const struct figures_run *r);

/* Returns what a series shows of the run of its variant; that of its base has been read, too. */
double figures_value(const struct figures_series *s, const struct figures_runs *runs);

#endif

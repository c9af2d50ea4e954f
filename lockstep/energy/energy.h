/*
 * energy: the energy of a run by structure: number of events × energy of an event, and leakage × time. Known
 * inaccuracies: the logic of the co-processor's blocks (logic_energy.h), buses and directory have no energy.
 * Idle lanes leak and their cycles are counted, but no set of constants has an energy for them.
 */
#ifndef LOCKSTEP_ENERGY_H
#define LOCKSTEP_ENERGY_H

#include "lockstep/energy/energy_constants.h"
#include "lockstep/run/events.h"

#include <jansson.h>

#define ENERGY_MAX_ROWS 96

struct energy_row {
    const char *structure, *event;
    double count, pj; /* pj: energy of one event in picojoules */
    const char *source;
};

struct energy {
    struct energy_row rows[ENERGY_MAX_ROWS];
    size_t row_count;
    double seconds, leakage_mw;
    /* Dynamic energy and leakage in nanojoules; energy × delay in J s. */
    double dynamic_nj, leakage_nj, edp_js;
};

/* Reads the counts of a run from a file of `lockstep run --events --stats`. `name`: file name, for messages.
 * Returns false with *e (EXIT_USER) if the document is not of this kind, or has no events. */
struct energy_counts {
    struct machine_config config;
    struct events events;
    json_t *statistics;
};
bool energy_counts_read(struct energy_counts *n, json_t *statistics, const char *name, struct error *e);

void energy_of(struct energy *x, const struct energy_counts *n, const struct energy_constants *c);

#endif

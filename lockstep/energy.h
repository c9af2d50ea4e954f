/*
 * energy: what a run took: events × energy of each, and leakage × time, by structure.
 *
 * Known inaccuracies: the logic of the co-processor's blocks (logic_energy.h), buses and directory take
 * nothing; idle lanes leak, and their cycles are counted, but no set of constants says what one takes.
 */
#ifndef LOCKSTEP_ENERGY_H
#define LOCKSTEP_ENERGY_H

#include "lockstep/energy_constants.h"
#include "lockstep/events.h"

#include <jansson.h>

#define ENERGY_MAX_ROWS 96

struct energy_row {
    const char *structure, *event;
    double count, pj; /* of one */
    const char *source;
};

struct energy {
    struct energy_row rows[ENERGY_MAX_ROWS];
    size_t row_count;
    double seconds, leakage_mw;
    double dynamic_nj, leakage_nj, edp_js; /* energy × delay: J s */
};

/* A run's counts, as `lockstep run --events --stats` writes it. False and *e (EXIT_USER) if the document
 * is not one, or has no events. name: of the file, for messages. */
struct energy_counts {
    struct machine_config config;
    struct events events;
    json_t *statistics;
};
bool energy_counts_read(struct energy_counts *n, json_t *statistics, const char *name, struct error *e);

void energy_of(struct energy *x, const struct energy_counts *n, const struct energy_constants *c);

#endif

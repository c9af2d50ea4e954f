/*
 * figures_run: the results of a run for figures: the statistics of `lockstep run --stats` (stats.h), stored
 * without unneeded parts.
 */
#ifndef LOCKSTEP_FIGURES_RUN_H
#define LOCKSTEP_FIGURES_RUN_H

#include "lockstep/run/run_record.h"

#include <jansson.h>

struct figures_counter {
    const char *scope, *name;
    double value;
};

struct figures_run {
    json_t *statistics;
    struct figures_counter *counters; /* counters that are not 0 */
    size_t counter_count;
    struct launch_record
        *launches; /* kernel, cycles, thread-instructions, registers and scalar code of each launch */
    size_t launch_count;
    uint64_t cycles;
};

/* Returns the statistics without the host's times, ratios, descriptions and zeros. */
json_t *figures_run_trim(json_t *statistics);

/* Takes stored statistics, which then belong to *r. figures_run_free() must be called. */
void figures_run_read(struct figures_run *r, json_t *statistics);
void figures_run_free(struct figures_run *r);

/* Returns the sum of the counters called `name` over the scopes that end in `suffix` (run_record_sum()). */
double figures_run_sum(const struct figures_run *r, const char *suffix, const char *name);
/* Returns the number of values in [from, to] in the histograms called `name` of all scopes. Each bucket is
 * one value. */
double figures_run_counted(const struct figures_run *r, const char *name, unsigned from, unsigned to);
/* Returns the thread-instructions of a lane group in an interval (--lane-interval), 0 after the last one. */
double figures_run_lane(const struct figures_run *r, size_t interval, size_t group);

#endif

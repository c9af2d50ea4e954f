/*
 * run_values: the values of a run, as they are recorded (record.h): an object of names: "SUM" or "SUM/CHECK".
 *
 * Recorded are
 * - the integers of the outcome, launches, counters and histograms of the statistics; of the totals those
 *   that are not the sum of the launches' values; of a histogram the sum (its CHECK has the buckets);
 * - the integers of the lines of `lockstep explain --json`;
 * - each cell of the table of --inject;
 * - for each wave the number of its changes (its CHECK has their times and values).
 * Left out are reals, which are ratios of integers, and texts but the names of kernels and modes.
 * Links: -lxxhash
 */
#ifndef TESTS_LOCKSTEP_RUN_VALUES_H
#define TESTS_LOCKSTEP_RUN_VALUES_H

#include <jansson.h>

struct run_values {
    json_t *parts; /* names: [sum, hash, numbers added] */
};

struct run_values run_values_begin(void);

/* Adds a part of JSON text under a name; of statistics; of a table of --inject (or none) in a text; of the
 * waves in an FST file. */
void run_values_add(struct run_values *v, const char *name, const json_t *part);
void run_values_add_statistics(struct run_values *v, const json_t *statistics);
void run_values_add_faults(struct run_values *v, const char *text);
void run_values_add_waves(struct run_values *v, const char *path);

/* The object; to be dropped. */
json_t *run_values_end(struct run_values *v);

#endif

/* run_values: the values of a run in the form in which they are recorded (record.h): an object of names:
 * "SUM" or "SUM/CHECK".
 *
 * Recorded are
 *   - the integers of the outcome, launches, counters and histograms of the statistics; totals that are not
 *     the sum of the launches' values; for a histogram the sum (its CHECK covers the buckets);
 *   - the integers of the lines of `lockstep explain --json`;
 *   - each cell of the table of --inject;
 *   - for each wave the number of its changes (its CHECK covers their times and values).
 * Reals, which are ratios of integers, are left out, and so are texts except names of kernels and modes.
 * Links: -lxxhash */
#ifndef TESTS_LOCKSTEP_RUN_VALUES_H
#define TESTS_LOCKSTEP_RUN_VALUES_H

#include <jansson.h>

struct run_values {
    json_t *parts; /* names: [sum, hash, numbers added] */
};

struct run_values run_values_begin(void);

/* Add JSON data under a name; statistics; the table of --inject in a text (or none); the waves in an FST
 * file. */
void run_values_add(struct run_values *v, const char *name, const json_t *part);
void run_values_add_statistics(struct run_values *v, const json_t *statistics);
void run_values_add_faults(struct run_values *v, const char *text);
void run_values_add_waves(struct run_values *v, const char *path);

/* Returns the object, to be dropped. */
json_t *run_values_end(struct run_values *v);

#endif

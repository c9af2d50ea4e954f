/*
 * counter: a registry of event counts. A model registers the address of a uint64_t it increments, once, with
 * scope, name, unit and definition; tables and JSON come from the registry. Counters can be snapshotted and
 * subtracted (per launch, per interval); ratios are formulas evaluated when printed.
 */
#ifndef SIM_COUNTER_H
#define SIM_COUNTER_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct counter {
    const char *scope;       /* "cluster0.lane2.l2" */
    const char *name;        /* "misses" */
    const char *unit;        /* "accesses", "cycles", "threads" */
    const char *description; /* what exactly is counted, in a sentence */
    const uint64_t *value;
};

struct counter_registry;

struct counter_registry *counter_registry_create(void);
void counter_registry_destroy(struct counter_registry *r);

/* Registers a counter. The strings but `scope` (which is copied) must outlive the registry. A scope and name
 * registered twice is a panic. */
void counter_register(struct counter_registry *r, const char *scope, const char *name, const char *unit,
                      const char *description, const uint64_t *value);

size_t counter_count(const struct counter_registry *r);
const struct counter *counter_at(const struct counter_registry *r, size_t i); /* in order of registration */
const struct counter *counter_find(const struct counter_registry *r, const char *scope, const char *name);

/* Values now, counter_count() of them, into out. */
void counter_snapshot(const struct counter_registry *r, uint64_t *out);

/* Sum of the counters called `name` in every scope that begins with `prefix`; values as from
 * counter_snapshot() (subtract two for an interval). */
uint64_t counter_sum(const struct counter_registry *r, const uint64_t *values, const char *prefix,
                     const char *name);

#endif

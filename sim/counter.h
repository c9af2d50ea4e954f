/*
 * counter: a registry of a model's counters. The model registers once the address of a uint64_t that it
 * increments, or of a histogram that it adds to, with scope, name, unit and definition. Ratios are formulas
 * over counters. Tables, JSON and CSV are made from the registry. Values can be kept and subtracted (per
 * launch, per interval), also those of histograms.
 *
 * Scopes are dotted: "cluster0.lane2.l2" lies in the subtree of "cluster0.lane2", "cluster0" and "" (all),
 * but not in that of "cluster0.lane". A scope and name registered twice is a panic.
 */
#ifndef SIM_COUNTER_H
#define SIM_COUNTER_H

#include "sim/histogram.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum counter_kind { COUNTER_COUNT, COUNTER_RATIO, COUNTER_HISTOGRAM };

struct counter {
    enum counter_kind kind;
    const char *scope;       /* "cluster0.lane2.l2" */
    const char *name;        /* "misses" */
    const char *unit;        /* "accesses", "cycles", "threads" */
    const char *description; /* definition of the count, in a sentence */
    const uint64_t *value;   /* address of a count's value */
    const struct histogram *histogram;
    const char *formula; /* formula of a ratio */
    size_t cell;         /* index of the first cell of a count or histogram in a snapshot */
};

struct counter_registry;

struct counter_registry *counter_registry_create(void);
void counter_registry_destroy(struct counter_registry *r);

/* Registers a count. Strings, except scopes and formulas, which are copied, must outlive the registry; so
 * must the values. */
void counter_register(struct counter_registry *r, const char *scope, const char *name, const char *unit,
                      const char *description, const uint64_t *value);
/* Registers an initialised histogram, which keeps its buckets. */
void counter_register_histogram(struct counter_registry *r, const char *scope, const char *name,
                                const char *unit, const char *description, const struct histogram *h);

/* Registers a ratio. A formula consists of decimal numbers, + - * / ( ) and counters, named relative to the
 * scope of the ratio: "100 * misses / accesses", "lane*.l2.misses / work_items".
 *
 * A * in a name stands for any part without a dot and means the sum of all matches (as an operator, * has a
 * space before it). Names with other characters than letters, digits, _ . * are quoted: "'front end' / 2".
 * A histogram's name stands for the sum of its values. A formula that cannot be read is a panic now; a
 * counter that does not exist is a panic when the ratio is evaluated. */
void counter_register_ratio(struct counter_registry *r, const char *scope, const char *name, const char *unit,
                            const char *description, const char *formula);

/* Returns the number of counters of all kinds. */
size_t counter_count(const struct counter_registry *r);
/* Returns the i-th counter in order of registration. */
const struct counter *counter_at(const struct counter_registry *r, size_t i);
const struct counter *counter_find(const struct counter_registry *r, const char *scope, const char *name);

/* --- values --- */

size_t counter_cells(const struct counter_registry *r);                    /* numbers in a snapshot */
void counter_snapshot(const struct counter_registry *r, uint64_t *values); /* writes the present values */
/* Subtracts `earlier` from `values`, both snapshots: counts since then remain. For histograms see
 * histogram_subtract(). */
void counter_subtract(const struct counter_registry *r, uint64_t *values, const uint64_t *earlier);

/* Returns the sum of the counts called `name` in the subtree of a scope. */
uint64_t counter_sum(const struct counter_registry *r, const uint64_t *values, const char *scope,
                     const char *name);
void counter_histogram(const struct counter *c, const uint64_t *values, struct histogram *h);
/* Computes a ratio. Returns false for a division by zero. */
bool counter_ratio(const struct counter_registry *r, const uint64_t *values, const struct counter *c,
                   double *ratio);

/* --- printing, in order of registration --- */

/* A ratio that divides by zero is n/0 (in JSON null). Empty buckets at both ends are left out. */

/* Aligned: name, value, unit, definition; below a histogram its buckets. */
void counter_print_table(const struct counter_registry *r, const uint64_t *values, FILE *out);
/* {"counters": […], "ratios": […], "histograms": […]}: objects with scope, name, unit, description and value.
 * Ratios have their formula, histograms total, sum, min, max, mean (null if there was no value) and
 * buckets of from, to and count (the last of all without to). */
void counter_print_json(const struct counter_registry *r, const uint64_t *values, FILE *out);
/* RFC 4180, with a head line: scope, name, item, value, unit, description. item is "value", or, of a
 * histogram, total, sum, min, max, mean (empty if there was no value), and "from..to" of a bucket ("from.."
 * of the last). */
void counter_print_csv(const struct counter_registry *r, const uint64_t *values, FILE *out);

#endif

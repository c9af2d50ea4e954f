/*
 * exploration_effects: the effect of each single field of a sweep.
 *
 * Compares machines that differ only in this field: a value with the field's first value. The ratios of time,
 * area and energy are geometric means over all such pairs that have completed.
 */
#ifndef LOCKSTEP_EXPLORATION_EFFECTS_H
#define LOCKSTEP_EXPLORATION_EFFECTS_H

#include "lockstep/explore/exploration_results.h"

struct exploration_effect {
    size_t pairs; /* number of pairs; if it is 0, so are the ratios */
    double time, mm2, energy;
};

/* Compares value `value` of a field with its first. */
struct exploration_effect exploration_effect_of(const struct sweep *s, const struct exploration_total *totals,
                                                size_t field, size_t value);

/* Prints a row for each value of each field with several values; nothing if there is no such field. */
void exploration_print_effects(const struct sweep *s, const struct exploration_total *totals, FILE *out);

#endif

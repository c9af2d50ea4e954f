/*
 * exploration_effects: what each field of a sweep does by itself.
 *
 * Machines that differ in this field only are compared: a value with the first value of the field. The ratios
 * of time, area and energy are geometric means over all such pairs that have completed.
 */
#ifndef LOCKSTEP_EXPLORATION_EFFECTS_H
#define LOCKSTEP_EXPLORATION_EFFECTS_H

#include "lockstep/exploration_results.h"

struct exploration_effect {
    size_t pairs; /* 0: there is none, and the ratios are 0 */
    double time, mm2, energy;
};

/* Compares value `value` of a field with its first. */
struct exploration_effect exploration_effect_of(const struct sweep *s, const struct exploration_total *totals,
                                                size_t field, size_t value);

/* A row for each value of each field that has several. Nothing if no field has. */
void exploration_print_effects(const struct sweep *s, const struct exploration_total *totals, FILE *out);

#endif

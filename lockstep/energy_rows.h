/* Between the files of energy: rows of what a run took, and what they are made of. */
#ifndef LOCKSTEP_ENERGY_ROWS_H
#define LOCKSTEP_ENERGY_ROWS_H

#include "lockstep/energy.h"

/* The sum of a counter over the scopes that end so. */
double energy_counter(const struct energy_counts *n, const char *ending, const char *name);
/* A row, if there is anything to count. */
void energy_add(struct energy *x, const char *structure, const char *event, double count, double pj,
                const char *source);
/* A constant, or what the memories' model says, if it is negative. */
double energy_or_memory(double constant, double memory);

/* Of an operation of a class, without control and registers. */
double energy_operation(const struct energy_constants *c, enum arm_class class);

/* All else of a GPU-like machine, with its leakage (energy_sms.c). */
void energy_add_sms(struct energy *x, const struct energy_counts *n, const struct energy_constants *c);

#endif

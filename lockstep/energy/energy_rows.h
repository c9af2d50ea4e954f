/* Declarations shared by the files of energy: rows of a run's energy, and their parts. */
#ifndef LOCKSTEP_ENERGY_ROWS_H
#define LOCKSTEP_ENERGY_ROWS_H

#include "lockstep/energy/energy.h"

/* Returns the sum of a counter over the scopes with an ending. */
double energy_counter(const struct energy_counts *n, const char *ending, const char *name);
/* Adds a row if the count is not 0. */
void energy_add(struct energy *x, const char *structure, const char *event, double count, double pj,
                const char *source);
/* Returns a constant, or the value of the memories' model if it is negative. */
double energy_or_memory(double constant, double memory);

/* Returns the energy of an operation of a class, without control and registers. */
double energy_operation(const struct energy_constants *c, enum arm_class class);

/* Add all other energy of a kind of machine (contexts), including leakage. */
void energy_add_tpm(struct energy *x, const struct energy_counts *n, const struct energy_constants *c);
void energy_add_vrf(struct energy *x, const struct energy_counts *n, const struct energy_constants *c);

#endif

/*
 * trace_difference: two waveforms (FST), compared.
 */
#ifndef SIM_TRACE_DIFFERENCE_H
#define SIM_TRACE_DIFFERENCE_H

#include "sim/error.h"

#include <stdio.h>

/* Returns whether a file begins as an FST file does. */
bool trace_is_fst(const char *path);

/* Compares the changes of each variable. Prints the first one that differs, with both values, and variables
 * that only one file has; sets *differs. False and *e (EXIT_USER) if a file cannot be read. */
bool trace_difference(const char *a, const char *b, FILE *out, bool *differs, struct error *e);

#endif

/*
 * difference_statistics: comparison of two files of --stats.
 */
#ifndef LOCKSTEP_DIFFERENCE_STATISTICS_H
#define LOCKSTEP_DIFFERENCE_STATISTICS_H

#include "sim/error.h"

#include <stdio.h>

/* Compares all values of two files, NAME.json or NAME.csv, except those of the host. Prints each difference;
 * sets *differs. Returns false with *e (EXIT_USER) if a file cannot be read. */
bool difference_statistics(const char *a, const char *b, FILE *out, bool *differs, struct error *e);

#endif

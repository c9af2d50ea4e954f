/*
 * output: standard output of a command that prints its results there while it runs programs that also print.
 */
#ifndef LOCKSTEP_OUTPUT_H
#define LOCKSTEP_OUTPUT_H

#include "sim/error.h"

#include <stdio.h>

/* Returns the original standard output; from now on output of programs goes to standard error. Returns NULL
 * with *e (EXIT_USER) on failure. */
FILE *output_take(struct error *e);

/* Closes it. Returns false with *e (EXIT_USER) if something could not be written. */
bool output_close(FILE *out, struct error *e);

#endif

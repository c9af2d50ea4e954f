/*
 * output: standard output of a command that runs programs and prints its results there. The programs' output
 * goes elsewhere.
 */
#ifndef LOCKSTEP_OUTPUT_H
#define LOCKSTEP_OUTPUT_H

#include "sim/error.h"

#include <stdio.h>

/* Returns the original standard output. From then on programs print to standard error. Returns NULL with *e
 * (EXIT_USER) on failure. */
FILE *output_take(struct error *e);

/* Closes that stream. Returns false with *e (EXIT_USER) if something could not be written. */
bool output_close(FILE *out, struct error *e);

#endif

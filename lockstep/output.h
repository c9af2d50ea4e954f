/*
 * output: standard output of a command whose own product goes there, while it runs programs that print, too.
 */
#ifndef LOCKSTEP_OUTPUT_H
#define LOCKSTEP_OUTPUT_H

#include "sim/error.h"

#include <stdio.h>

/* Our standard output; from now on what programs print goes to standard error. NULL and *e (EXIT_USER) if
 * that cannot be arranged. */
FILE *output_take(struct error *e);

/* Closes it. False and *e (EXIT_USER) if not everything could be written. */
bool output_close(FILE *out, struct error *e);

#endif

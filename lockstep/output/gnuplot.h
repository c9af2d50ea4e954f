/*
 * gnuplot: makes an SVG from a script of gnuplot.
 */
#ifndef LOCKSTEP_GNUPLOT_H
#define LOCKSTEP_GNUPLOT_H

#include "sim/error.h"

#include <stdio.h>

/* Runs the script, which sets the terminal to svg and plots. The file gets its name when it is complete.
 * Returns false with *e (EXIT_USER) if gnuplot is missing or fails, or the disk is full. */
bool gnuplot_write(const char *script, const char *path, struct error *e);

/* Sets the range of an axis ('x', 'y') with equal values to begin or end at 0, since gnuplot warns of an
 * empty range; does nothing for other axes. */
void gnuplot_range(char axis, double least, double most, FILE *out);

/* Writes text quoted for gnuplot: single quotes are doubled. */
void gnuplot_quote(const char *text, FILE *out);

#endif

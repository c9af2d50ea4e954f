/*
 * gnuplot: a script of gnuplot's becomes an SVG.
 */
#ifndef LOCKSTEP_GNUPLOT_H
#define LOCKSTEP_GNUPLOT_H

#include "sim/error.h"

#include <stdio.h>

/* Runs the script, which sets the terminal to svg and plots; the file gets its name when it is whole. False
 * and *e (EXIT_USER) if gnuplot is missing or fails, or the disk is full. */
bool gnuplot_write(const char *script, const char *path, struct error *e);

/* The range of an axis ('x', 'y') on which all values are the same, so that it begins or ends at 0; nothing
 * if they are not: gnuplot finds that by itself, but warns of an empty one. */
void gnuplot_range(char axis, double least, double most, FILE *out);

/* Writes text as gnuplot quotes it: single quotes are doubled. */
void gnuplot_quote(const char *text, FILE *out);

#endif

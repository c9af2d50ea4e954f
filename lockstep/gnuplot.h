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

/* Writes text as gnuplot quotes it: single quotes are doubled. */
void gnuplot_quote(const char *text, FILE *out);

#endif

/*
 * report: the tables for the user after a run.
 */
#ifndef LOCKSTEP_REPORT_H
#define LOCKSTEP_REPORT_H

#include "lockstep/run/run_record.h"

#include <stdio.h>

/* Prints totals, cycles by cause and a line for each kernel, aligned; nothing if there was no launch.
 * `other_work`: other work of the host ("Verilog and waves"), for the rate; NULL: none. */
void report_print(const struct run_record *r, const char *other_work, FILE *out);

/* Returns n with commas between thousands. */
const char *report_number(uint64_t n, char out[32]);

/* Returns a duration in its largest unit: "2.118 ms". */
const char *report_time(sim_time picoseconds, char out[32]);

/* Computes shares of `whole` in tenths of a percent with the exact sum 1000: each is rounded down, and the
 * remaining tenths go to those with the largest remainders (the first of equals). The sum of parts[] must be
 * whole; all 0 if whole is 0. */
void report_shares(const uint64_t *parts, size_t count, uint64_t whole, unsigned *tenths);

#endif

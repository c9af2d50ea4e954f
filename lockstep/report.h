/*
 * report: the tables a user reads after a run.
 */
#ifndef LOCKSTEP_REPORT_H
#define LOCKSTEP_REPORT_H

#include "lockstep/run_record.h"

#include <stdio.h>

/* Totals, cycles by cause and a line per kernel, aligned. Nothing if there was no launch. `beside`: what else
 * took the host's time, for the rate ("Verilog and waves"); NULL: nothing. */
void report_print(const struct run_record *r, const char *beside, FILE *out);

/* n with a comma between thousands. */
const char *report_number(uint64_t n, char out[32]);

/* A duration in its largest unit: "2.118 ms". */
const char *report_time(sim_time picoseconds, char out[32]);

/* Shares of `whole` in tenths of a percent that add up to exactly 1000: each rounded down, and the tenths
 * left over given to those that lost most (the first of equals). parts[] must add up to whole; all 0 if whole
 * is 0. */
void report_shares(const uint64_t *parts, size_t count, uint64_t whole, unsigned *tenths);

#endif

/*
 * rtl_report: results of the comparisons with Verilog in a run.
 */
#ifndef LOCKSTEP_RTL_REPORT_H
#define LOCKSTEP_RTL_REPORT_H

#include "tb/twins/twins.h"

#include <jansson.h>
#include <stdio.h>

/* Prints blocks, comparisons (in mode replace: with the contract's rules), mismatches and evaluations of the
 * Verilog; for a user's Verilog also the model's flip-flops that it has. `seconds`: host time of the whole
 * simulation. */
void rtl_report_print(const struct twins *t, double seconds, FILE *out);

/* Returns an array with an object for each block; empty if t is NULL. */
json_t *rtl_report_json(const struct twins *t);

#endif

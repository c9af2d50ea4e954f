/*
 * rtl_report: what was compared with Verilog in a run.
 */
#ifndef LOCKSTEP_RTL_REPORT_H
#define LOCKSTEP_RTL_REPORT_H

#include "tb/twins.h"

#include <jansson.h>
#include <stdio.h>

/* Blocks, comparisons (in mode replace: with the contract's rules), mismatches and for how many the Verilog
 * was evaluated; of a user's Verilog, which of the model's flip-flops it has. `seconds`: that all simulating
 * took. */
void rtl_report_print(const struct twins *t, double seconds, FILE *out);

/* An array of objects, one for each block; empty if t is NULL. */
json_t *rtl_report_json(const struct twins *t);

#endif

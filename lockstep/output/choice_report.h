/*
 * choice_report: the modes that mode auto chose for each kernel of a run, with reasons.
 */
#ifndef LOCKSTEP_CHOICE_REPORT_H
#define LOCKSTEP_CHOICE_REPORT_H

#include "lockstep/run/run_record.h"

#include <stdio.h>

/* Prints a table with a row for each kernel and mode, with the reason of the first launch; nothing if mode
 * auto chose no mode. */
void choice_report_print(const struct run_record *r, FILE *out);

#endif

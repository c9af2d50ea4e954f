/*
 * choice_report: which modes mode auto chose for each kernel of a run, and why.
 */
#ifndef LOCKSTEP_CHOICE_REPORT_H
#define LOCKSTEP_CHOICE_REPORT_H

#include "lockstep/run_record.h"

#include <stdio.h>

/* A table with a row for each kernel and mode, and the reason of the first such launch; nothing if no mode
 * was chosen. */
void choice_report_print(const struct run_record *r, FILE *out);

#endif

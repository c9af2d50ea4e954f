/*
 * run_options: the command line of `lockstep run`.
 */
#ifndef LOCKSTEP_RUN_OPTIONS_H
#define LOCKSTEP_RUN_OPTIONS_H

#include "lockstep/execution_options.h"
#include "lockstep/machine_options.h"
#include "lockstep/rtl_options.h"

struct run_options {
    struct machine_options machine;
    struct execution_options execution;
    struct rtl_options rtl;
    const char *trace_path, *stats_path; /* NULL: none */
    uint64_t trace_first, trace_last;    /* cycles of the run that are traced */
    char **argv;                         /* the program and its arguments, NULL-terminated */
};

/* Parses; on a mistake or --help prints and exits. */
void run_options_parse(struct run_options *o, int argc, char **argv);

#endif

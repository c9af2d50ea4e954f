/*
 * run_options: the command line of `lockstep run`.
 */
#ifndef LOCKSTEP_RUN_OPTIONS_H
#define LOCKSTEP_RUN_OPTIONS_H

#include "lockstep/execution_options.h"
#include "lockstep/injection.h"
#include "lockstep/machine_options.h"
#include "lockstep/rtl_options.h"
#include "model/machine/machine.h"

struct run_options {
    struct machine_options machine;
    struct execution_options execution;
    struct rtl_options rtl;
    struct injection_plan inject;
    const char *trace_path, *stats_path; /* NULL: none */
    struct trace_options trace;
    bool trace_packed;                    /* --trace-packing was given */
    struct machine_window *trace_windows; /* cycles of the run that are traced, in order */
    size_t trace_window_count;
    char **argv; /* the program and its arguments, NULL-terminated */
};

/* Parses; on a mistake or --help prints and exits. */
void run_options_parse(struct run_options *o, int argc, char **argv);
void run_options_free(struct run_options *o);

#endif

/*
 * run_options: the command line of `lockstep run`.
 */
#ifndef LOCKSTEP_RUN_OPTIONS_H
#define LOCKSTEP_RUN_OPTIONS_H

#include "lockstep/run/execution_options.h"
#include "lockstep/run/injection.h"
#include "lockstep/run/machine_options.h"
#include "lockstep/run/run_log.h"
#include "lockstep/rtl/rtl_options.h"
#include "model/machine/machine.h"

struct run_options {
    struct machine_options machine;
    struct execution_options execution;
    struct rtl_options rtl;
    struct injection_plan inject;
    struct run_log_options log;
    bool gdb;                                          /* debugs the kernels */
    unsigned gdb_port;                                 /* port of the debugger; 0: any */
    const char *trace_path, *stats_path, *record_path; /* NULL: none */
    /* Length of the waveform of --trace-last in cycles; 0 if not requested. */
    uint64_t trace_last;
    struct machine_window accesses; /* cycles whose accesses are recorded */
    bool records_accesses;
    const char *when; /* condition that is evaluated; NULL: none */
    /* File for the ports of a unit's block in some cycles, or of all blocks of the co-processor
     * (why/block_history.h, lone_block.h); NULL: none. */
    const char *blocks_path;
    char blocks_name[80]; /* name of the block, or of the co-processor */
    unsigned blocks_unit;
    struct machine_window blocks_window;
    unsigned trace_level; /* 3: traced while the program runs; lower ones are made of a recording */
    struct trace_options trace;
    bool trace_levelled;                  /* --trace-level was given */
    bool trace_packed;                    /* --trace-packing was given */
    struct machine_window *trace_windows; /* cycles that are traced, in order */
    size_t trace_window_count;
    char **argv; /* the program and its arguments, NULL-terminated */
};

/* Parses the command line; on a mistake or --help prints and exits. */
void run_options_parse(struct run_options *o, int argc, char **argv);
void run_options_free(struct run_options *o);

#endif

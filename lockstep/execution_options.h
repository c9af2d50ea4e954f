/*
 * execution_options: --max-cycles, --exact-steps, --check-levels, --check-uniform, --check-scalar,
 * --tolerate-outside, --redundancy, --idle, --lane-interval, --events, --threads and --quiet, the same in
 * every subcommand that runs a program.
 */
#ifndef LOCKSTEP_EXECUTION_OPTIONS_H
#define LOCKSTEP_EXECUTION_OPTIONS_H

#include "model/config/machine_config.h"

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

#define EXECUTION_MAX_THREADS 256

struct execution_options {
    uint64_t max_cycles; /* of one launch; 0: no limit */
    bool exact_steps, check_levels, check_uniform, check_scalar, tolerate_outside, redundancy;
    bool idle;              /* count what threads do while nothing issues */
    uint64_t lane_interval; /* cycles between two counts of what each lane group does; 0: none */
    unsigned threads;       /* of the host; 0, 1: one */
    bool events;            /* are counted, for `lockstep energy` */
    bool quiet;             /* no progress is told */
};

/* The options as a child parser; its input is a struct execution_options, zeroed. */
extern const struct argp execution_options_argp;

/* Whether this machine can do what they ask for; else *e says why not (EXIT_USER). */
bool execution_options_fit(const struct execution_options *o, const struct machine_config *c,
                           struct error *e);

#endif

/*
 * execution_options: --max-cycles, --exact-steps, --check-levels, --check-memory, --check-races,
 * --check-uniform, --check-scalar, --tolerate-outside, --redundancy, --idle, --lane-interval, --events,
 * --threads and --quiet, the same in every subcommand that runs a program.
 */
#ifndef LOCKSTEP_EXECUTION_OPTIONS_H
#define LOCKSTEP_EXECUTION_OPTIONS_H

#include "model/config/machine_config.h"

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

#define EXECUTION_MAX_THREADS 256

struct execution_options {
    uint64_t max_cycles; /* limit of one launch; 0: none */
    bool exact_steps, check_levels, check_uniform, check_scalar, tolerate_outside, redundancy;
    enum { RACES_UNCHECKED, RACES_CHECKED, RACES_STRICT } races;
    enum { MEMORY_UNCHECKED, MEMORY_CHECKED, MEMORY_BOUNDS } memory; /* MEMORY_BOUNDS: checks bounds only */
    bool idle; /* counts the states of threads while their scheduler issues nothing */
    /* Cycles between two counts of the work of lane groups; 0 if not counted. */
    uint64_t lane_interval;
    unsigned threads; /* host threads; 0, 1: one */
    bool events;      /* events are counted, for `lockstep energy` */
    bool quiet;       /* no progress messages */
};

/* The options as a child parser; its input is a struct execution_options, zeroed. */
extern const struct argp execution_options_argp;

/* Returns whether this machine supports the options; else *e has the reason (EXIT_USER). */
bool execution_options_fit(const struct execution_options *o, const struct machine_config *c,
                           struct error *e);

#endif

#include "lockstep/run/execution_options.h"

#include "model/config/contexts_kind.h"
#include "model/config/divergence_engine.h"
#include "model/config/divergence_kind.h"
#include "model/config/machine_checks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEY_MAX_CYCLES = 2000,
    KEY_EXACT_STEPS,
    KEY_CHECK_LEVELS,
    KEY_CHECK_MEMORY,
    KEY_CHECK_RACES,
    KEY_CHECK_UNIFORM,
    KEY_CHECK_SCALAR,
    KEY_TOLERATE_OUTSIDE,
    KEY_REDUNDANCY,
    KEY_IDLE,
    KEY_LANE_INTERVAL,
    KEY_EVENTS,
    KEY_QUIET,
    KEY_THREADS
}; /* different from the keys of the other parsers */

static uint64_t parse_cycles(const char *option, const char *argument, struct argp_state *state) {
    char *end;
    errno = 0;
    unsigned long long n = strtoull(argument, &end, 10);
    if (errno || *argument < '0' || *argument > '9' || *end || n == 0)
        argp_error(state, "--%s %s: a number of cycles, 1 or more, is needed", option, argument);
    return n;
}

static unsigned parse_threads(const char *argument, struct argp_state *state) {
    char *end;
    errno = 0;
    const unsigned long n = strtoul(argument, &end, 10);
    if (errno || *argument < '0' || *argument > '9' || *end || n == 0 || n > EXECUTION_MAX_THREADS)
        argp_error(state, "--threads %s: a number of host threads, 1 to %d, is needed", argument,
                   EXECUTION_MAX_THREADS);
    return (unsigned)n;
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct execution_options *o = state->input;
    switch (key) {
    case KEY_MAX_CYCLES: o->max_cycles = parse_cycles("max-cycles", argument, state); return 0;
    case KEY_LANE_INTERVAL: o->lane_interval = parse_cycles("lane-interval", argument, state); return 0;
    case KEY_EXACT_STEPS: o->exact_steps = true; return 0;
    case KEY_CHECK_LEVELS: o->check_levels = true; return 0;
    case KEY_CHECK_MEMORY:
        if (argument && strcmp(argument, "bounds") != 0)
            argp_error(state, "--check-memory=%s: the choices are --check-memory and --check-memory=bounds",
                       argument);
        o->memory = argument ? MEMORY_BOUNDS : MEMORY_CHECKED;
        return 0;
    case KEY_CHECK_RACES:
        if (argument && strcmp(argument, "strict") != 0)
            argp_error(state, "--check-races=%s: the choices are --check-races and --check-races=strict",
                       argument);
        o->races = argument ? RACES_STRICT : RACES_CHECKED;
        return 0;
    case KEY_CHECK_UNIFORM: o->check_uniform = true; return 0;
    case KEY_CHECK_SCALAR: o->check_scalar = true; return 0;
    case KEY_TOLERATE_OUTSIDE: o->tolerate_outside = true; return 0;
    case KEY_IDLE: o->idle = true; return 0;
    case KEY_REDUNDANCY: o->redundancy = true; return 0;
    case KEY_EVENTS: o->events = true; return 0;
    case KEY_THREADS: o->threads = parse_threads(argument, state); return 0;
    case KEY_QUIET: o->quiet = true; return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options[] = {
    {NULL, 0, NULL, 0, "Execution:", 2},
    {"max-cycles", KEY_MAX_CYCLES, "N", 0, "Stop a launch after N cycles (default: no limit)", 2},
    {"exact-steps", KEY_EXACT_STEPS, NULL, 0, "Step every block in every cycle (slower)", 2},
    {"tolerate-outside", KEY_TOLERATE_OUTSIDE, NULL, 0, "Go on after accesses outside all buffers", 2},
    {"threads", KEY_THREADS, "N", 0,
     "Host threads for GPU-like machines (default: 1); one for atomics, traced cycles and --events", 2},
    {"quiet", KEY_QUIET, NULL, 0, "Print no progress messages on standard error", 2},
    {NULL, 0, NULL, 0, "Counters:", 4},
    {"redundancy", KEY_REDUNDANCY, NULL, 0, "Count redundant operations of and between warps", 4},
    {"idle", KEY_IDLE, NULL, 0, "Count thread states in idle cycles (barrel issue)", 4},
    {"lane-interval", KEY_LANE_INTERVAL, "N", 0,
     "Count instructions per lane group in every N cycles (lanes.kind temporal or spatio_temporal)", 4},
    {"events", KEY_EVENTS, NULL, 0, "Count the events that `lockstep energy` needs", 4},
    {NULL, 0, NULL, 0, "Checks:", 5},
    {"check-levels", KEY_CHECK_LEVELS, NULL, 0, "Stop if a thread ends at an inner priority level", 5},
    {"check-memory", KEY_CHECK_MEMORY, "bounds", OPTION_ARG_OPTIONAL, "Find wrong accesses (docs/checks.md)",
     5},
    {"check-races", KEY_CHECK_RACES, "strict", OPTION_ARG_OPTIONAL, "Find data races (docs/checks.md)", 5},
    {"check-scalar", KEY_CHECK_SCALAR, NULL, 0, "Compare scalar registers (kernel.scalarize)", 5},
    {"check-uniform", KEY_CHECK_UNIFORM, NULL, 0, "Compare uniform values in all threads (uniform.storage)",
     5},
    {0},
};

const struct argp execution_options_argp = {.options = options, .parser = parse_option};

bool execution_options_fit(const struct execution_options *o, const struct machine_config *c,
                           struct error *e) {
    const uint32_t d = c->simt.divergence;
    if (o->threads > 1 && !contexts_kind(c)->host_threads)
        return error_set(
            e, EXIT_USER,
            "--threads %u: the clusters of this machine share more than a crossbar and run on one "
            "host thread; GPU-like machines (contexts: vrf) can have several",
            o->threads);
    if (o->threads > 1 && (o->redundancy || o->tolerate_outside || o->races || o->memory))
        return error_set(e, EXIT_USER, "--threads %u: %s depends on the order of all clusters; leave one out",
                         o->threads,
                         o->redundancy         ? "--redundancy"
                         : o->tolerate_outside ? "--tolerate-outside"
                         : o->races            ? "--check-races"
                                               : "--check-memory");
    if (o->races && c->mode != MODE_SIMT)
        return error_set(e, EXIT_USER,
                         "--check-races: in mode %s a core runs the work-items of a work-group one after the "
                         "other, so that none are seen to race; use --mode simt",
                         c->mode == MODE_MIMD ? "mimd" : "auto");
    if (o->redundancy && divergence_engines[d]->regroups)
        return error_set(
            e, EXIT_USER,
            "--redundancy compares the threads of a warp, but with simt.divergence %s warps are of "
            "changing threads; use sbr",
            divergence_names[d]);
    if (o->idle &&
        (c->simt.issue != ISSUE_BARREL || !config_has_effect(&machine_config_table, c, "simt.issue")))
        return error_set(
            e, EXIT_USER,
            "--idle counts what the threads of GPU-like machines (contexts: vrf) with simt.issue "
            "barrel do: on this machine instructions of a warp overlap, or lanes are cores");
    if (o->lane_interval && c->lanes.kind == LANES_SPATIAL)
        return error_set(e, EXIT_USER,
                         "--lane-interval counts by lane groups, but all lanes of this machine work on one "
                         "warp; set lanes.kind to temporal or spatio_temporal");
    if (o->check_scalar && c->kernel.scalarize < SCALARIZE_CONVERGENT)
        return error_set(
            e, EXIT_USER,
            "--check-scalar compares what threads have with scalar registers, but kernel.scalarize is %s: "
            "there are none; set it to wide or convergent",
            c->kernel.scalarize == SCALARIZE_NONE ? "none" : "off");
    if (c->mode == MODE_MIMD && (o->redundancy || o->check_uniform || o->check_levels))
        return error_set(e, EXIT_USER, "%s looks at the threads of warps, of which mode mimd has none",
                         o->redundancy      ? "--redundancy"
                         : o->check_uniform ? "--check-uniform"
                                            : "--check-levels");
    if (o->check_uniform && c->uniform.storage == UNIFORM_NONE)
        return error_set(
            e, EXIT_USER,
            "--check-uniform compares what passes for uniform, but uniform.storage is none: nothing "
            "does; set it to token or srf");
    if (!o->check_levels) return true;
    if (c->simt.divergence == DIVERGENCE_pc)
        return machine_priority_operations(c) != PRIORITY_OPERATIONS_OFF ||
               error_set(e, EXIT_USER,
                         "--check-levels needs kernels with priority operations: set simt.pc_policy to "
                         "ics_first or simt.priority_operations to all or varying");
    return error_set(e, EXIT_USER,
                     "--check-levels needs simt.divergence pc: with another, kernels have no priority "
                     "levels");
}

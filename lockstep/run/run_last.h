/*
 * run_last: `lockstep run --trace-last`: waves of the last cycles before an unforeseen event: a failed
 * launch, an interruption, SIGUSR1. A copy of the process (snapshots.h) repeats the run up to the event and
 * traces it.
 */
#ifndef LOCKSTEP_RUN_LAST_H
#define LOCKSTEP_RUN_LAST_H

#include "lockstep/run/simulation.h"
#include "runtime/snapshots.h"
#include "tb/twins/twins.h"

#define RUN_LAST_PATH   "last.fst" /* path of the waveform; the view is in the same folder */
#define RUN_LAST_CYCLES 20000      /* default */

struct run_last {
    uint64_t cycles; /* length of the waveform */
    struct simulation *simulation;
    struct twins *twins; /* NULL: none */
    struct snapshots *snapshots;
    struct machine_window window; /* cycles of the waveform */
    bool written;                 /* the waveform exists */
    bool differs;                 /* the repeated run ended differently from the first */
    uint64_t other_cycle;         /* cycle in which the repeated run ended */
    struct error other;           /* its outcome */
    /* In a copy: */
    struct trace *trace;
    struct error error; /* error of the trace */
};

/* Starts to keep copies of the process. `last` must not move. If memory for a copy is missing, prints a
 * warning, and the run continues without copies. */
void run_last_begin(struct run_last *last, uint64_t cycles, struct simulation *s, struct twins *twins);
/* Prints the path of the waveform. Returns false with *e (EXIT_INTERNAL) if the repeated run differs. */
bool run_last_report(const struct run_last *last, struct error *e);
void run_last_end(struct run_last *last);

#endif

/*
 * repetition: runs the program of a recording again, to trace more of some cycles than the recording holds.
 * The recording keeps the folder, the options and the program of the run.
 */
#ifndef LOCKSTEP_REPETITION_H
#define LOCKSTEP_REPETITION_H

#include "recording/window.h"

/* Returns what is kept of the command line of a run: {"folder", "options"}. Options that only say which files
 * a run writes are left out. `program` points into `command`. */
json_t *repetition_note(char *const command[], char *const *program);

/* Runs the program again and traces the window's cycles into a waveform, with a view beside it. False and *e
 * (EXIT_USER), with no waveform written: the run cannot be repeated, or its records up to the end of the
 * window are others than the recording's. */
bool repetition_trace(const struct recording *r, const struct window *w, const char *path, struct error *e);

/* Repeats a run up to the window, and opens the recording of the second run, which has the accesses of these
 * cycles. Returns false with *e (EXIT_USER) if the run cannot be repeated, or its records differ. */
bool repetition_accesses(const struct recording *r, const struct window *w, struct recording *again,
                         struct error *e);

#endif

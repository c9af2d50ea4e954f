/*
 * run_waves: `lockstep run --trace FILE --trace-level LEVEL` with a level of `lockstep waves` (0 to 2): the
 * run is recorded, and the waveform is made of the recording at its end.
 */
#ifndef LOCKSTEP_RUN_WAVES_H
#define LOCKSTEP_RUN_WAVES_H

#include "model/machine/machine.h"
#include "sim/error.h"

#define RUN_WAVES_RTL 3 /* the level that is traced while the program runs */

struct run_waves {
    char folder[32]; /* temporary folder of the recording; empty: none */
    char *recording; /* path of the recording; NULL: none is made for the waveform */
};

/* Makes a temporary folder for the recording. Returns false with *e (EXIT_USER) if it cannot. */
bool run_waves_begin(struct run_waves *w, struct error *e);
/* Writes a waveform of the cycles of a window, with its view, from a finished recording. Returns the number
 * of value changes. Returns 0 with *e (EXIT_USER), and writes no file, if the recording has no such cycles.
 */
uint64_t run_waves_write(const char *recording, const char *path, struct machine_window window,
                         unsigned level, struct error *e);
/* Removes the temporary recording. */
void run_waves_end(struct run_waves *w);

#endif

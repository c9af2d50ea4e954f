/*
 * waves: waveforms from a recording (docs/trace.md).
 *
 * Signals have the values that `lockstep run --trace` gives them: a stage in the cycles in which it works,
 * a register from the edge after which it holds a value.
 */
#ifndef RECORDING_WAVES_H
#define RECORDING_WAVES_H

#include "recording/recording.h"
#include "sim/trace.h"

#define WAVES_MAX_LEVEL 2
#define WAVES_MOST      5000000 /* largest number of changes that is written without `all` */
#define WAVES_CLOCKED   500000  /* largest number of cycles that are shown with clock and cycle */

struct waves_options {
    uint64_t first, last; /* first and last cycle */
    unsigned level;
    const char *scope;              /* pattern of names; NULL: all signals */
    bool all;                       /* writes any number of changes */
    uint64_t view_first, view_last; /* cycles that the view shows at first */
    uint64_t mark;                  /* cycle that the view marks */
};

struct waves_result {
    uint64_t changes; /* number of changes that were written */
    uint64_t signals;
};

/* Writes a waveform, FST or VCD by the file's ending, and its view. Returns false with *e (EXIT_USER), with
 * no file written, if the scope matches no signal or there are too many changes. */
bool waves_write(const struct recording *r, const struct waves_options *o, const char *path,
                 struct waves_result *result, struct error *e);

#endif

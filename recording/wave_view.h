/*
 * wave_view: the view for GTKWave of a recording's waves: a coloured row for each warp, and its other
 * signals in a closed group.
 */
#ifndef RECORDING_WAVE_VIEW_H
#define RECORDING_WAVE_VIEW_H

#include "recording/wave_signals.h"

/* Writes NAME.gtkw beside the waveform NAME.fst or NAME.vcd, and now.filter, which names and colours the
 * values of `now`. The view shows the times from `first` to `last`; its marker is at `mark`. False and *e
 * (EXIT_USER) if a file cannot be written. */
bool wave_view_write(const struct wave_signals *s, const char *waves, sim_time first, sim_time last,
                     sim_time mark, struct error *e);
/* Changes the times that a view shows and marks, of a waveform that --trace has written. */
bool wave_view_move(const char *waves, sim_time first, sim_time last, sim_time mark, struct error *e);

#endif

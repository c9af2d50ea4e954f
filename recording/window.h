/*
 * window: the cycles of a recording that are shown.
 */
#ifndef RECORDING_WINDOW_H
#define RECORDING_WINDOW_H

#include "recording/recording.h"

#define WINDOW_CYCLES 20000 /* default number of cycles */
#define WINDOW_VIEW   400   /* cycles of these that a view shows at first */

struct window {
    uint64_t first, last; /* first and last cycle */
    uint64_t view;        /* first cycle of the view, and the cycle that it marks */
    uint64_t mark;
};

/* Sets the window to the most interesting cycles: those before a fault, else the first ones in which warps
 * of the longest launch run. Returns false with *e if the recording is damaged. */
bool window_of_interest(const struct recording *r, struct window *w, struct error *e);
/* Sets the window to a launch, counted from 0. */
bool window_of_launch(const struct recording *r, uint64_t launch, struct window *w, struct error *e);
/* Sets the window to a work-group, of the first launch that has it or of launch `launch` (from 0;
 * UINT64_MAX: any). */
bool window_of_group(const struct recording *r, const uint32_t id[3], uint64_t launch, struct window *w,
                     struct error *e);
/* Sets the window to given cycles, of which the recording must have some. */
bool window_of_cycles(const struct recording *r, uint64_t first, uint64_t last, struct window *w,
                      struct error *e);

/* Shows a cycle, which is marked: if `keep`, in the window that there is, else in one around the cycle. False
 * and *e: the cycle is not in the window, or not in the recording. */
bool window_show(const struct recording *r, struct window *w, uint64_t cycle, bool keep, struct error *e);
/* Finds the first cycle of *w in which an instruction of a source line of a kernel is selected. False and *e:
 * there is none, or the recording is damaged. */
bool window_find_line(const struct recording *r, const struct window *w, const char *kernel, unsigned line,
                      uint64_t *cycle, struct error *e);

#endif

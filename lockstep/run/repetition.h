/*
 * repetition: runs the program of a recording again, to trace more of some cycles than the recording holds.
 * The recording keeps the folder, the options and the program of the run.
 */
#ifndef LOCKSTEP_REPETITION_H
#define LOCKSTEP_REPETITION_H

#include "lockstep/why/block_history.h"
#include "lockstep/why/lone_block.h"
#include "recording/window.h"

/* Returns the parts of a run's command line that a recording keeps: {"folder", "options"}. Options that only
 * name output files are left out. `program` points into `command`. */
json_t *repetition_note(char *const command[], char *const *program);

/* Runs the program again and traces the window's cycles into a waveform, with a view in the same folder.
 * Returns false with *e (EXIT_USER), without a waveform, if the run cannot be repeated, or its records up to
 * the end of the window differ from the recording's. */
bool repetition_trace(const struct recording *r, const struct window *w, const char *path, struct error *e);

/* Repeats a run up to the end of the window and opens the recording of the second run, which has the accesses
 * of these cycles. Returns false with *e (EXIT_USER) if the run cannot be repeated, or its records differ. */
bool repetition_accesses(const struct recording *r, const struct window *w, struct recording *again,
                         struct error *e);

/* Repeats a run up to the end of the window and reads the ports and flip-flops of a cluster's blocks in these
 * cycles. Returns false with *e (EXIT_USER), and nothing to free, if the run cannot be repeated, or its
 * records differ. */
bool repetition_blocks(const struct recording *r, const struct window *w, unsigned unit,
                       struct block_history *h, struct error *e);
/* The same of one other block, by its name, with our Verilog in a folder. */
bool repetition_lone_block(const struct recording *r, const struct window *w, unsigned unit, const char *name,
                           const char *folder, struct lone_block *l, struct error *e);

#endif

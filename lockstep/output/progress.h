/*
 * progress: messages on standard error while a long command works: a line when a long step begins; during a
 * long launch a changing line if standard error is a terminal; otherwise a line every half minute with the
 * current work. There is one standard error, so there is one progress.
 */
#ifndef LOCKSTEP_PROGRESS_H
#define LOCKSTEP_PROGRESS_H

#include "model/machine/machine.h"

#define PROGRESS_SECONDS 30.0 /* seconds between lines without a terminal */

/* Starts the messages, once, after the command line has been checked. quiet: no messages. progress_end() ends
 * them. They go to the present standard error, even if it is redirected later. */
void progress_begin(bool quiet, double seconds_between);
void progress_end(void);

/* Begins a long step, with a line of its own, which is repeated periodically. */
void progress_step(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Sets the current work for the periodic progress line; "": none. */
void progress_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Sets the current work likewise, and shows it on a terminal in a changing line. */
void progress_line(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Shows the progress of a launch; a machine_progress_function, whose context is not used. Shows nothing in
 * the first two seconds of a launch. */
void progress_show(void *context, const struct machine_launch *launch, const struct machine_result *so_far);

/* Removes the changing line after the last launch. To be called before other output. */
void progress_erase(void);

#endif

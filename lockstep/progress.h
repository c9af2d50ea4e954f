/*
 * progress: what tells on standard error that a long command is at work: a line when a long step begins; of a
 * long launch, where standard error is a terminal, a line that changes; elsewhere a line every half minute,
 * whatever is being done. There is one standard error, so there is one progress.
 */
#ifndef LOCKSTEP_PROGRESS_H
#define LOCKSTEP_PROGRESS_H

#include "model/machine/machine.h"

#define PROGRESS_SECONDS 30.0 /* between lines where there is no terminal */

/* Once, when what was typed has been checked. quiet: nothing is told. It ends with progress_end(). Tells
 * where standard error goes now, wherever that goes later. */
void progress_begin(bool quiet, double seconds_between);
void progress_end(void);

/* A long step begins: tells of it in a line of its own, and every so often. */
void progress_step(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Says what the command does now; the progress line tells it every so often. "": nothing in particular. */
void progress_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same, and on a terminal a line that changes says it, too. */
void progress_line(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A machine_progress_function; its context is not used. Shows nothing in a launch's first two seconds. */
void progress_show(void *context, const struct machine_launch *launch, const struct machine_result *so_far);

/* No launch runs any more: takes the changing line away. Call before printing anything else. */
void progress_erase(void);

#endif

/*
 * progress: a line on standard error that tells how far a long launch is, where standard error is a terminal.
 */
#ifndef LOCKSTEP_PROGRESS_H
#define LOCKSTEP_PROGRESS_H

#include "model/machine.h"

struct progress {
    bool terminal;
    bool shown; /* a line stands there now */
};

void progress_init(struct progress *p);

/* A machine_progress_function; its context is a struct progress. Shows nothing in the first two seconds. */
void progress_show(void *context, const struct machine_launch *launch, const struct machine_result *so_far);

/* Takes the line away. Call before printing anything else. */
void progress_erase(struct progress *p);

#endif

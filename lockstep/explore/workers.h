/*
 * workers: processes that share the work of a command, and its progress.
 *
 * SIGINT and SIGTERM end the workers. A worker that another process kills does not end the others.
 */
#ifndef LOCKSTEP_WORKERS_H
#define LOCKSTEP_WORKERS_H

#include "sim/error.h"

struct workers_task {
    void *context;
    /* Does the work of one of `workers` processes, from 0 on. Returns false with *e to end this worker and
     * the others. */
    bool (*work)(void *context, unsigned worker, unsigned workers, struct error *e);
    /* Shows the progress: every WORKERS_SECONDS (`now`: the progress line), and more often when there may be
     * news. */
    void (*show)(void *context, bool now);
};

#define WORKERS_SECONDS 2.0

enum workers_end { WORKERS_DONE, WORKERS_LOST, WORKERS_STOPPED, WORKERS_FAILED };

/* Runs `count` processes. Sets *e to the status of the first one that failed; or if one was lost, after the
 * others have done their work. */
enum workers_end workers_run(const struct workers_task *task, unsigned count, struct error *e);

#endif

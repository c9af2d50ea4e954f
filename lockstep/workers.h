/*
 * workers: processes that share the work of a command, and what is shown meanwhile.
 *
 * SIGINT and SIGTERM end the workers. A worker that another process kills does not end the others.
 */
#ifndef LOCKSTEP_WORKERS_H
#define LOCKSTEP_WORKERS_H

#include "sim/error.h"

struct workers_task {
    void *context;
    /* The work of one of `workers` processes, from 0 on. False and *e: the worker ends, and so do the others.
     */
    bool (*work)(void *context, unsigned worker, unsigned workers, struct error *e);
    /* Shows how far the work is: every WORKERS_SECONDS (`now`: the progress line), and more often, when
     * something may be new. */
    void (*show)(void *context, bool now);
};

#define WORKERS_SECONDS 2.0

enum workers_end { WORKERS_DONE, WORKERS_STOPPED, WORKERS_FAILED };

/* Has `count` processes work. *e: only if they fail, with the status of the first that did. */
enum workers_end workers_run(const struct workers_task *task, unsigned count, struct error *e);

#endif

/*
 * netlist_jobs: the blocks that several processes synthesise together, each block and size once, the
 * smallest first.
 *
 * The list is made before the processes are forked. Each of them calls netlist_jobs_work(). Their parent
 * reads their progress in shared memory. A block that another command makes at the same time is left to
 * that command.
 */
#ifndef SYNTHESIS_NETLIST_JOBS_H
#define SYNTHESIS_NETLIST_JOBS_H

#include "synthesis/netlist.h"

struct netlist_job {
    struct netlist_request request;
    struct verilog_setting settings[VERILOG_MAX_PARAMETERS]; /* copies of the request's settings */
    char hash[SYNTHESIS_HASH];                               /* hash of the result's key */
    struct netlist_result result;                            /* parameters; also figures if the result was
                                                                known */
    enum netlist_state state;                                /* state when the job was added */
    double estimate;                                         /* estimated CPU seconds */
    bool told;                                               /* netlist_jobs_next_done() has returned the
                                                                job */
};

enum netlist_progress { NETLIST_WAITS, NETLIST_RUNS, NETLIST_DONE };

/* Progress of a job, in shared memory. Seconds are those of the monotonic clock. */
struct netlist_job_state {
    enum netlist_progress progress;
    double begin, end;
};

struct netlist_jobs {
    const struct technology *technology;
    struct netlist_job *job;
    size_t count;
    struct netlist_job_state *shared; /* a row for each job; set by netlist_jobs_share() */
};

/* Adds a request unless the list has it. Returns false with *e (EXIT_USER) if its Verilog cannot be read. */
bool netlist_jobs_add(struct netlist_jobs *j, const struct netlist_request *r, struct error *e);
/* Removes the jobs whose results are known. */
void netlist_jobs_drop_known(struct netlist_jobs *j);
/* Sorts the jobs, the smallest first, and makes the shared memory. */
void netlist_jobs_share(struct netlist_jobs *j);

/* Makes one result. Returns false if another process makes it, or with *e (EXIT_USER) if a tool refuses. */
bool netlist_jobs_make(struct netlist_jobs *j, size_t job, struct netlist_result *result, struct error *e);
/* Makes all results that no other process makes. Returns false with *e (EXIT_USER) if a tool refuses one;
 * the others are made all the same. */
bool netlist_jobs_work(struct netlist_jobs *j, struct error *e);

/* Returns how many jobs are done. */
size_t netlist_jobs_done(const struct netlist_jobs *j);
/* Returns a job that is done and was not returned before, or NULL. Writes its seconds. */
const struct netlist_job *netlist_jobs_next_done(struct netlist_jobs *j, double *seconds);
/* Returns the running job that began last, or NULL. Writes its seconds up to now. */
const struct netlist_job *netlist_jobs_running(const struct netlist_jobs *j, double *seconds);

void netlist_jobs_free(struct netlist_jobs *j);

#endif

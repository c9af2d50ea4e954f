/*
 * synthesis_workers: blocks that processes synthesise together, and what is told of them meanwhile.
 */
#ifndef LOCKSTEP_SYNTHESIS_WORKERS_H
#define LOCKSTEP_SYNTHESIS_WORKERS_H

#include "synthesis/netlist_jobs.h"

/* Tells of each block that is done since the last call: "block 7 of 23, tpo_address, 40 s". */
void synthesis_workers_tell(struct netlist_jobs *j);
/* Writes which block runs: ", block 8 of 23, tpo_address, 12 s so far"; "" if none is left. If the workers
 * were stopped: ", 7 of 23 blocks are done". */
void synthesis_workers_text(const struct netlist_jobs *j, bool stopped, char *text, size_t size);

/* Has up to `processes` processes make the jobs that are not known, and drops the others. False and *e
 * (EXIT_USER): a tool refuses, or SIGINT or SIGTERM has come. */
bool synthesis_workers_run(struct netlist_jobs *j, unsigned processes, struct error *e);

#endif

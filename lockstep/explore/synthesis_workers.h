/*
 * synthesis_workers: blocks that several processes synthesise, and messages about them.
 */
#ifndef LOCKSTEP_SYNTHESIS_WORKERS_H
#define LOCKSTEP_SYNTHESIS_WORKERS_H

#include "synthesis/netlist_jobs.h"

/* Prints each block that was finished since the last call: "block 7 of 23, tpo_address, 40 s". */
void synthesis_workers_tell(struct netlist_jobs *j);
/* Writes the running block: ", block 8 of 23, tpo_address, 12 s so far"; "" if none is left. If the workers
 * were stopped: ", 7 of 23 blocks are done". */
void synthesis_workers_text(const struct netlist_jobs *j, bool stopped, char *text, size_t size);

/* Lets up to `processes` processes do the jobs without a result, and drops the others. Returns false with *e
 * (EXIT_USER) if a tool fails, or SIGINT or SIGTERM has arrived. */
bool synthesis_workers_run(struct netlist_jobs *j, unsigned processes, struct error *e);

#endif

/*
 * timing: how long the paths of a netlist are, by OpenSTA; of the co-processor (netlist_request.stages), by
 * stage.
 *
 * Where stages are asked for, the co-processor's arbiter is cut out: what it reads ends a path, what it
 * chooses begins one. So ABC does not take for slack what A's long path leaves to other stages, and A, which
 * may have several cycles (simt.arbitrate_cycles), is the sum of three paths: to the arbiter, in it, from it.
 * illegal_o and overflow_o end no path: they tell of mistakes, nothing waits for them, and a chip has a
 * flip-flop before each.
 */
#ifndef SYNTHESIS_TIMING_H
#define SYNTHESIS_TIMING_H

#include "synthesis/netlist.h"
#include "synthesis/netlist_scan.h"

#include <stdio.h>

/* Yosys' command that cuts the arbiter out of the co-processor. */
void timing_write_cuts(FILE *yosys, const char *top);

/* Reads what `script` made (a file in the folder) into *s, which is to be freed in either case, and measures
 * it: one->fastest, and the stages. */
bool timing_measure(const struct netlist_request *r, const struct technology *t, const struct tool_folder *f,
                    const char *script, struct netlist_scan *s, struct netlist_result *one, struct error *e);

#endif

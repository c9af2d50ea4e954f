/*
 * timing: the longest paths of a netlist, by OpenSTA; of the co-processor (netlist_request.stages) for each
 * stage.
 *
 * For stages, the arbiter is cut out of the co-processor: its inputs end paths, its outputs begin paths.
 * Otherwise ABC would use the slack that A's long path leaves to other stages. A may have several cycles
 * (simt.arbitrate_cycles); its delay is the sum of three paths: to the arbiter, in it, from it. illegal_o
 * and overflow_o end no path: they report mistakes, no block waits for them, and a chip has a flip-flop
 * before each.
 */
#ifndef SYNTHESIS_TIMING_H
#define SYNTHESIS_TIMING_H

#include "synthesis/netlist.h"
#include "synthesis/netlist_scan.h"

#include <stdio.h>

/* Writes the Yosys command that cuts the arbiter out of the co-processor. */
void timing_write_cuts(FILE *yosys, const char *top);

/* Reads the netlist that `script` made, a file in the folder, into *s, which is to be freed in either case.
 * Measures one->fastest and the stages. */
bool timing_measure(const struct netlist_request *r, const struct technology *t, const struct tool_folder *f,
                    const char *script, struct netlist_scan *s, struct netlist_result *one, struct error *e);

#endif

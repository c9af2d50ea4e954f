/*
 * netlist_proof: proves that a netlist equals its Verilog.
 */
#ifndef SYNTHESIS_NETLIST_PROOF_H
#define SYNTHESIS_NETLIST_PROOF_H

#include "synthesis/netlist.h"
#include "synthesis/verilog_files.h"

#include <stdio.h>

/* Writes Yosys commands that read the Verilog and make `top` the module at these parameters. */
void netlist_write_elaboration(FILE *out, const struct netlist_request *r, const struct verilog_files *files,
                               const char *parameters);

/* Compares n's netlist, a file in the folder, with the Verilog and sets n->proof. Returns false with *e:
 * EXIT_INTERNAL if the netlist differs, a fault of Lockstep or of a tool; EXIT_USER if a tool fails. */
bool netlist_prove(const struct netlist_request *r, const struct verilog_files *files, const char *parameters,
                   const struct tool_folder *f, struct netlist *n, struct error *e);

#endif

/*
 * netlist_proof: that a netlist does what its Verilog says.
 */
#ifndef SYNTHESIS_NETLIST_PROOF_H
#define SYNTHESIS_NETLIST_PROOF_H

#include "synthesis/netlist.h"
#include "synthesis/verilog_files.h"

#include <stdio.h>

/* Yosys commands that read the Verilog and make `top` the module at these parameters. */
void netlist_write_elaboration(FILE *out, const struct netlist_request *r, const struct verilog_files *files,
                               const char *parameters);

/* Compares n's netlist, in the folder, and sets n->proof. A netlist that differs is an error (EXIT_INTERNAL,
 * as it would be ours or a tool's); so are tools that fail (EXIT_USER). */
bool netlist_prove(const struct netlist_request *r, const struct verilog_files *files, const char *parameters,
                   const struct tool_folder *f, struct netlist *n, struct error *e);

#endif

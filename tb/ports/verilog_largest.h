/*
 * verilog_largest: the largest value of each parameter, as the comment beside it in the Verilog says:
 *
 *   parameter logic [31:0] WARPS = 16,  // warps of the cluster, 1–128
 *
 * The range is the first A–B of the comment, which may go on in lines that hold only a comment. A parameter
 * that other values have "only in proofs" is left out.
 */
#ifndef TB_PORTS_VERILOG_LARGEST_H
#define TB_PORTS_VERILOG_LARGEST_H

#include "sim/error.h"
#include "tb/ports/verilog_module.h"

/* Reads the largest values of the parameters of a file into `settings`, which has room for
 * VERILOG_MAX_PARAMETERS; sets their number. The names are to be freed. Returns false with *e (EXIT_USER) if
 * the file cannot be read, or a parameter has no range. */
bool verilog_largest(const char *path, struct verilog_setting *settings, unsigned *count, struct error *e);

#endif

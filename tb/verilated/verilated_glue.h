/*
 * verilated_glue: the C++ between a Verilated block and its twin, generated for its ports: places in the
 * model and widths of elements are constants in it, so that inputs and comparison of a cycle cost only loads
 * and stores.
 */
#ifndef TB_VERILATED_GLUE_H
#define TB_VERILATED_GLUE_H

#include "tb/verilated/verilated_library.h"

#include <stdio.h>

struct verilated_glue {
    const struct verilated_request *request;
    const struct verilog_module *module; /* module that is built */
    const struct verilog_module *slot;   /* has the slot's ports and flip-flops: `module`, or ours */
    bool wrapped;                        /* inside VERILATED_WRAPPER, whose flip-flops hold its inputs */
};

#define VERILATED_WRAPPER "twin_wrapper"

/* Returns whether the module has this signal of the block, with the bits and rows of the slot's. It may lack
 * flip-flops. */
bool verilated_glue_has(const struct verilated_glue *g, unsigned signal);

/* Writes the wrapper of a clocked module. Its inputs come from flip-flops with their own clock, load_clk:
 * unchanged inputs are not evaluated again, and the edge of a cycle and the inputs of the next take one
 * evaluation. */
void verilated_glue_write_wrapper(FILE *out, const struct verilog_module *m, const char *name);

/* Writes the functions of struct verilated_library, with the prefix twin_. */
void verilated_glue_write(FILE *out, const struct verilated_glue *g);

#endif

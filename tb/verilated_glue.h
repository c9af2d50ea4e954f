/*
 * verilated_glue: the C++ between a Verilated block and its twin, written for its very ports: where the model
 * has each signal and how wide its elements are stands there as constants, so that a cycle's inputs and the
 * comparison cost no more than the loads and stores.
 */
#ifndef TB_VERILATED_GLUE_H
#define TB_VERILATED_GLUE_H

#include "tb/verilated_library.h"

#include <stdio.h>

struct verilated_glue {
    const struct verilated_request *request;
    const struct verilog_module *module; /* what is built, */
    const struct verilog_module *slot;   /* and what has the ports and flip-flops of the slot: it, or ours */
    bool
        parts; /* only what inputs, or the clock's edge, change is evaluated: of our own blocks, once reset */
};

/* Has the module this signal of the block, with the bits and rows of the slot's? It may lack flip-flops. */
bool verilated_glue_has(const struct verilated_glue *g, unsigned signal);

/* Defines what struct verilated_library has, by the same names after twin_. */
void verilated_glue_write(FILE *out, const struct verilated_glue *g);

#endif

/*
 * verilator: the Verilator that builds and reads Verilog: the program in $VERILATOR, or `verilator`.
 *
 * Lockstep uses only documented features of Verilator: the command line, the dump of a design, the class of a
 * model, its rootp with public signals, VerilatedVcdC, VerilatedSerialize. Lockstep is tested with Verilator
 * VERILATOR_FIRST to VERILATOR_LAST. For any other version it prints one warning and goes on.
 */
#ifndef TB_PORTS_VERILATOR_H
#define TB_PORTS_VERILATOR_H

#include "sim/error.h"

#include <limits.h>

#define VERILATOR_FIRST "5.006"
#define VERILATOR_LAST  "5.051"

struct verilator {
    const char *command;
    char version[32];       /* "5.006" */
    char include[PATH_MAX]; /* folder of verilated.h */
    bool json;              /* can dump designs as JSON */
};

/* Runs the program for its version and its folder, once in a process. Returns NULL with *e (EXIT_USER) if it
 * cannot be run. */
const struct verilator *verilator_find(struct error *e);

/* Returns the program's name without running it. */
const char *verilator_command(void);

#endif

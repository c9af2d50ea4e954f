/*
 * dpi: a block's C model for SystemVerilog benches, made of its ports: functions in C, their imports, and a
 * module with the block's parameters and ports that calls them.
 *
 * Signals are as wide as those of the module that was read, the largest: narrower ones are extended with
 * zeros, elements of arrays each by itself.
 */
#ifndef TB_PORTS_DPI_H
#define TB_PORTS_DPI_H

#include "tb/ports/verilog_module.h"

/* The C model of a module. */
struct dpi_model {
    char name[VERILOG_MAX_NAME];  /* the stem: its struct, and before _eval() and _clock() */
    char state[VERILOG_MAX_NAME]; /* where in the struct its flip-flops are: "q" */
};

void dpi_print_functions(const struct verilog_module *m, const char *block, const struct dpi_model *c);
void dpi_print_imports(const struct verilog_module *m, const char *block);
/* `file`: where the block's own module is, whose head it takes. False and *e if it has none. */
bool dpi_print_module(const struct verilog_module *m, const char *block, const char *file, struct error *e);

#endif

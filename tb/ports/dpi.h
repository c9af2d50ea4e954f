/*
 * dpi: a block's C model for SystemVerilog benches, generated from its ports: functions in C, their imports,
 * and a module with the block's parameters and ports that calls them.
 *
 * Signals have the widths of the module that was read, the largest: narrower ones are zero-extended, elements
 * of arrays separately.
 */
#ifndef TB_PORTS_DPI_H
#define TB_PORTS_DPI_H

#include "tb/ports/verilog_module.h"

/* The C model of a module. */
struct dpi_model {
    char name[VERILOG_MAX_NAME];  /* the stem: name of the struct, and prefix of _eval() and _clock() */
    char state[VERILOG_MAX_NAME]; /* member with its flip-flops: "q" */
};

/* Prints the block's header for C and C++, with the functions of the model and of the imports. */
void dpi_print_header(const struct verilog_module *m, const char *block);
/* Prints a row of the table of ports for Python: parameters, whether the block has a clock, and for each
 * signal its kind, name, bits of an element and number of elements. */
void dpi_print_ports(const struct verilog_module *m, const char *block);
void dpi_print_functions(const struct verilog_module *m, const char *block, const struct dpi_model *c);
void dpi_print_imports(const struct verilog_module *m, const char *block);
/* `file`: file of the block's own module, whose head is used. Returns false with *e if it has none. */
bool dpi_print_module(const struct verilog_module *m, const char *block, const char *file, struct error *e);

#endif

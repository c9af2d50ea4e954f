/*
 * netlist_scan: the cells of a netlist as Yosys writes it: areas, inputs, and the flip-flops with the nets
 * at their outputs, because their own names are lost.
 */
#ifndef SYNTHESIS_NETLIST_SCAN_H
#define SYNTHESIS_NETLIST_SCAN_H

#include "synthesis/liberty.h"
#include "tb/ports/tool.h"

struct netlist_register {
    char *instance;
    char *net; /* net at the output, for example "descriptors.pc_q[0][5]" */
};

struct netlist_input {
    char *range; /* range, for example "[31:0]", or "" */
    char *name;
};

struct netlist_scan {
    unsigned cells;
    double area, flip_flop_area; /* areas in the unit of the library */
    struct netlist_register *registers;
    size_t register_count;
    struct netlist_input *inputs; /* list of the inputs except clk_i and rst_ni */
    size_t input_count;
    bool clocked; /* the module has clk_i */
};

/* Reads a file in the folder. Returns false with *e (EXIT_USER) if it has a cell that the library has not.
 * Free *s in either case. */
bool netlist_scan(struct netlist_scan *s, const struct tool_folder *f, const char *name,
                  const struct liberty *l, struct error *e);
/* Divides assignments to several parts of a wire, "assign { a[3], a[0] } = …", which OpenSTA does not read.
 * Returns false with *e (EXIT_USER) if the file cannot be read or written. */
bool netlist_divide_assignments(const struct tool_folder *f, const char *name, struct error *e);
/* Returns the net at a flip-flop's output, or NULL if the instance is no flip-flop. */
const char *netlist_scan_net(const struct netlist_scan *s, const char *instance);
void netlist_scan_free(struct netlist_scan *s);

#endif

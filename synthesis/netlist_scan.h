/*
 * netlist_scan: what a netlist is made of, as Yosys writes it: areas, flip-flops and what they hold (their
 * names are lost, the net at the output has it), inputs.
 */
#ifndef SYNTHESIS_NETLIST_SCAN_H
#define SYNTHESIS_NETLIST_SCAN_H

#include "synthesis/liberty.h"
#include "tb/ports/tool.h"

struct netlist_register {
    char *instance;
    char *net; /* "descriptors.pc_q[0][5]" */
};

struct netlist_input {
    char *range; /* "[31:0]", or "" */
    char *name;
};

struct netlist_scan {
    unsigned cells;
    double area, flip_flop_area; /* as the library has areas */
    struct netlist_register *registers;
    size_t register_count;
    struct netlist_input *inputs; /* but clk_i and rst_ni */
    size_t input_count;
    bool clocked; /* there is clk_i */
};

/* A file in the folder. False and *e (EXIT_USER) if it has a cell that the library has not. Free it in either
 * case. */
bool netlist_scan(struct netlist_scan *s, const struct tool_folder *f, const char *name,
                  const struct liberty *l, struct error *e);
/* Divides the assignments to several parts of a wire, "assign { a[3], a[0] } = …", which OpenSTA does not
 * read. False and *e (EXIT_USER): the file cannot be read or written. */
bool netlist_divide_assignments(const struct tool_folder *f, const char *name, struct error *e);
/* The net at a flip-flop's output; NULL: the instance is no flip-flop. */
const char *netlist_scan_net(const struct netlist_scan *s, const char *instance);
void netlist_scan_free(struct netlist_scan *s);

#endif

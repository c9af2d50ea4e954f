/*
 * power: what a netlist takes while its input ports do what a run had them do, by OpenSTA.
 *
 * OpenSTA carries the ports' activities and duties through the gates, each input by itself (bits of a port
 * that change together, and values that never meet, are not known to it). There are no wires: outputs drive
 * four inverters each.
 *
 * Energy of logic does not carry over from one library to another: it is that of this library, relative to
 * other blocks in it.
 */
#ifndef SYNTHESIS_POWER_H
#define SYNTHESIS_POWER_H

#include "synthesis/netlist.h"

struct power_port {
    const char *name; /* "pc", whose port is pc_i */
    double activity;  /* changes of a bit in a cycle */
    double duty;      /* cycles in which it is 1, of all */
};

struct power {
    double dynamic_pj; /* in a cycle */
    double leakage_mw;
};

/* Of a block's fastest netlist. Every input port but clk_i and rst_ni has a row.
 * False and *e (EXIT_USER) if a tool refuses. */
bool power_of(const struct netlist_request *r, const struct technology *t, const struct power_port *ports,
              unsigned count, void (*on_run)(const char *top), struct power *p, struct error *e);

#endif

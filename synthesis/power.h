/*
 * power: energy and power of a netlist while its input ports change as in a run, by OpenSTA.
 *
 * OpenSTA propagates the ports' activities and duties through the gates, each input by itself. It does not
 * know that bits of a port change together, or that some values never occur together. There are no wires:
 * outputs drive four inverters each.
 *
 * The energy of logic does not transfer from one library to another. It is that of this library, to be
 * compared with other blocks in the same library.
 */
#ifndef SYNTHESIS_POWER_H
#define SYNTHESIS_POWER_H

#include "synthesis/netlist.h"

struct power_port {
    const char *name; /* name of the port without its suffix: "pc" of pc_i */
    double activity;  /* mean changes of a bit per cycle */
    double duty;      /* share of cycles in which a bit is 1 */
};

struct power {
    double dynamic_pj; /* energy per cycle */
    double leakage_mw;
};

/* Computes the power of a block's fastest netlist. Every input port except clk_i and rst_ni has a row.
 * Returns false with *e (EXIT_USER) if a tool refuses. */
bool power_of(const struct netlist_request *r, const struct technology *t, const struct power_port *ports,
              unsigned count, void (*on_run)(const char *top), struct power *p, struct error *e);

#endif

/*
 * verilated_ports: checks the ports of a module against its slot.
 */
#ifndef TB_VERILATED_PORTS_H
#define TB_VERILATED_PORTS_H

#include "tb/verilated/verilated_library.h"

/* Returns the module's signal with the same name and kind; NULL if none. */
const struct verilog_signal *verilated_ports_find(const struct verilog_module *m,
                                                  const struct twin_signal *s);

/* Checks our own module: the model has exactly its ports, with room for their bits. Returns false with *e
 * (EXIT_USER) otherwise. */
bool verilated_ports_check_own(const struct verilog_module *m, const struct verilated_request *r,
                               struct error *e);

/* Checks that a user's module has the slot's ports. Returns false with *e (EXIT_USER) otherwise, which names
 * every port that is missing, additional, or has another direction or width. clk_i and rst_ni are allowed in
 * addition to the slot's ports. */
bool verilated_ports_check(const struct verilog_module *m, const struct verilog_module *slot,
                           const struct verilated_request *r, struct error *e);

#endif

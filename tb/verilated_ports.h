/*
 * verilated_ports: do the ports of a module fit its slot?
 */
#ifndef TB_VERILATED_PORTS_H
#define TB_VERILATED_PORTS_H

#include "tb/verilated_library.h"

/* The module's signal of the same name and kind; NULL: none. */
const struct verilog_signal *verilated_ports_find(const struct verilog_module *m,
                                                  const struct twin_signal *s);

/* Our own module: has the model all its ports, with room for their bits, and no other? False and *e
 * (EXIT_USER).
 */
bool verilated_ports_check_own(const struct verilog_module *m, const struct verilated_request *r,
                               struct error *e);

/* A user's: has it the ports of the slot's? False and *e (EXIT_USER), which names every one that is missing,
 * not the slot's, of another direction or of another width. Beyond the slot's it may
 * have clk_i and rst_ni. */
bool verilated_ports_check(const struct verilog_module *m, const struct verilog_module *slot,
                           const struct verilated_request *r, struct error *e);

#endif

/*
 * verilog_module: the ports and flip-flops of a Verilog module, as Verilator reads them for given parameters.
 *
 * Inputs end in _i, outputs in _o, flip-flops in _q; clk_i and rst_ni (active low) are clock and reset. A
 * port that is an array of elements says so with a localparam: PC_BITS is the width of an element of pc_i.
 */
#ifndef TB_PORTS_VERILOG_MODULE_H
#define TB_PORTS_VERILOG_MODULE_H

#include "sim/error.h"

#define VERILOG_MAX_SIGNALS    64
#define VERILOG_MAX_PARAMETERS 16
#define VERILOG_MAX_NAME       64
#define VERILOG_MAX_ARRAY_BITS 4096 /* of a port that is an array */

enum verilog_kind { VERILOG_INPUT, VERILOG_OUTPUT, VERILOG_STATE };

struct verilog_signal {
    char name[VERILOG_MAX_NAME]; /* without its _i, _o or _q */
    enum verilog_kind kind;
    unsigned bits, element_bits; /* of the whole; of an element, `bits` if it is not an array */
};

struct verilog_setting {
    const char *name;
    unsigned value;
};

struct verilog_module {
    bool clocked, resettable; /* it has clk_i, rst_ni */
    unsigned parameter_count; /* of the settings, those that the module has */
    struct verilog_setting parameter[VERILOG_MAX_PARAMETERS];
    unsigned count;
    struct verilog_signal signal[VERILOG_MAX_SIGNALS]; /* inputs, outputs, flip-flops, each as declared */
};

/* Reads module `name` of a source file with the settings that it has parameters for (those without one are
 * left out). False and *e (EXIT_USER) if verilator is missing or refuses the file, or a signal is of a kind
 * that a twin cannot have. The names of the parameters point into `settings`. */
bool verilog_module_read(struct verilog_module *m, const char *source, const char *name,
                         const struct verilog_setting *settings, unsigned count, struct error *e);

#endif

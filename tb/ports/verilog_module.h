/*
 * verilog_module: the ports and flip-flops of a Verilog module, as Verilator reads them for given parameters.
 *
 * Inputs end in _i, outputs in _o, flip-flops in _q; clk_i and rst_ni (active low) are clock and reset. A
 * parameter makes a port or flip-flops an array of elements: PC_BITS is the width of an element of pc_i or
 * pc_q. A memory is an unpacked array, `name_q [0:ROWS-1]`; its rows may be such arrays.
 */
#ifndef TB_PORTS_VERILOG_MODULE_H
#define TB_PORTS_VERILOG_MODULE_H

#include "tb/ports/verilog_source.h"
#include "tb/ports/verilog_tree.h"

#define VERILOG_MAX_SIGNALS    80 /* limit for a block with a twin */
#define VERILOG_MAX_PARAMETERS 64
#define VERILOG_MAX_NAME       64
#define VERILOG_MAX_VALUE_BITS 128    /* limit for a port, flip-flops, or an element of an array */
#define VERILOG_MAX_ARRAY_BITS 524288 /* limit for an array: a port, flip-flops, or a row of a memory */

enum verilog_kind { VERILOG_INPUT, VERILOG_OUTPUT, VERILOG_STATE, VERILOG_MEMORY };

struct verilog_signal {
    char name[VERILOG_MAX_NAME];    /* name of the signal without _i, _o or _q */
    char mangled[VERILOG_MAX_NAME]; /* the whole name in Verilator's C++ */
    enum verilog_kind kind;
    unsigned rows;               /* rows of a memory; else 1 */
    unsigned bits, element_bits; /* bits of a row (0: not a packed vector); bits of an element, or `bits` */
};

/* A port whose suffix does not match its direction: any name, any width. */
struct verilog_stranger {
    char name[VERILOG_MAX_NAME];
    const char *direction; /* "input", "output", "inout" */
    unsigned bits;
};

struct verilog_setting {
    const char *name;
    unsigned value;
};

struct verilog_module {
    char mangled[VERILOG_MAX_NAME]; /* name in Verilator's C++ */
    bool clocked, resettable;       /* has clk_i; has rst_ni */
    unsigned parameter_count;       /* number of settings that are parameters of the module */
    struct verilog_setting parameter[VERILOG_MAX_PARAMETERS];
    unsigned count, strangers;
    struct verilog_signal *signal; /* inputs, outputs, flip-flops, memories, in source order */
    struct verilog_stranger *stranger;
    struct verilog_tree tree;
};

/* Reads the top module of a source with the settings for its parameters; other settings are ignored. Returns
 * false with *e (EXIT_USER) if verilator is missing or refuses it, or the source sets a parameter that the
 * module does not have, or one of the settings. Free it in either case. The names of the parameters point
 * into `settings`. */
bool verilog_module_read(struct verilog_module *m, const struct verilog_source *source,
                         const struct verilog_setting *settings, unsigned count, struct error *e);
void verilog_module_free(struct verilog_module *m);

/* Checks that a twin can have all its signals. Returns false with *e (EXIT_USER) otherwise. */
bool verilog_module_check(const struct verilog_module *m, const struct verilog_source *source,
                          struct error *e);

#endif

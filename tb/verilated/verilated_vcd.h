/*
 * verilated_vcd: signals and their values from the text of a VCD, piece by piece (IEEE 1800, 21.7).
 *
 * The first piece begins with the declarations. Signals outside of the scope of the top module (its ports,
 * which are inside, too), parameters and events are left out.
 */
#ifndef TB_VERILATED_VCD_H
#define TB_VERILATED_VCD_H

#include "tb/verilated/verilated_insides.h"

struct verilated_vcd {
    struct verilated_insides all; /* paths from the top module on, without its own name */
    uint32_t *now;                /* values, as words */
    struct verilated_vcd_code *code;
    unsigned codes;
    const struct verilated_inside_type *types;
    const char *top;

    unsigned depth, inside;
    char path[1024];
};

/* types: NULL: unknown. The texts `top` and `types` must outlive *v. */
void verilated_vcd_init(struct verilated_vcd *v, const char *top, const struct verilated_inside_type *types);
void verilated_vcd_free(struct verilated_vcd *v);

/* Reads a piece of whole lines. Returns false if it is not VCD by IEEE 1800; earlier values are kept. */
bool verilated_vcd_read(struct verilated_vcd *v, const char *text);

#endif

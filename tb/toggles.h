/*
 * toggles: how often the bits of a block's input ports change, and in how many cycles they are 1, as its
 * Verilog sees them in the cycles in which it is compared.
 *
 * Before the first cycle all inputs are 0. A cycle in which the twin rests has the inputs of the one before.
 */
#ifndef TB_TOGGLES_H
#define TB_TOGGLES_H

#include "tb/twin.h"

struct toggles_count {
    const char *port; /* "pc", whose port is pc_i */
    unsigned bits;
    uint64_t toggles; /* changes of all bits */
    uint64_t ones;    /* cycles in which a bit is 1, of all bits */
};

struct toggles;

/* Of the inputs of a twin, which must outlive it. */
struct toggles *toggles_create(const struct twin *t);
void toggles_free(struct toggles *g);

/* After each twin_cycle(). */
void toggles_note(struct toggles *g);

/* Adds what the n-th input port has done until now; false: there are not so many. */
bool toggles_add(const struct toggles *g, unsigned n, struct toggles_count *c);

#endif

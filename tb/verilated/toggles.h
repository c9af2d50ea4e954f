/*
 * toggles: the changes of the bits of a block's input ports, and the cycles in which they are 1, as its
 * Verilog sees them in compared cycles.
 *
 * Before the first cycle all inputs are 0. A cycle in which the twin rests has the inputs of the one before.
 */
#ifndef TB_TOGGLES_H
#define TB_TOGGLES_H

#include "tb/twins/twin.h"

struct toggles_count {
    const char *port; /* "pc" for port pc_i */
    unsigned bits;
    uint64_t toggles; /* changes of all bits */
    uint64_t ones;    /* cycles in which a bit is 1, of all bits */
};

struct toggles;

/* Counts the inputs of a twin, which must outlive the counts. */
struct toggles *toggles_create(const struct twin *t);
void toggles_free(struct toggles *g);

/* To be called after each twin_cycle(). */
void toggles_note(struct toggles *g);

/* Adds the counts of the n-th input port; returns false after the last. */
bool toggles_add(const struct toggles *g, unsigned n, struct toggles_count *c);

#endif

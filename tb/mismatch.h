/*
 * mismatch: what is said and shown when a C model and its Verilog differ, or Verilog breaks its slot's
 * contract.
 */
#ifndef TB_MISMATCH_H
#define TB_MISMATCH_H

#include "tb/twin.h"

#define MISMATCH_TWINS (CLUSTER_BLOCK_COUNT + 1)

struct mismatch {
    const struct machine
        *machine;      /* NULL: the block is alone, with random inputs; then a cycle is 1 ns, and */
    const char *where; /* this says what was run; else */
    const struct cluster *cluster;     /* of the block */
    struct twin *twin[MISMATCH_TWINS]; /* NULL: off; the last: of a block that has no slot */
    enum cluster_block block;
    const struct twin_port *port;     /* the first signal that differs; NULL: */
    const struct contract_rule *rule; /* this one is broken; NULL: the Verilog has stopped */
    const char *source;               /* the block's Verilog */
    bool drives;                      /* the Verilog drives the machine */
    const char *window;               /* path of the waveform to write */
    char *const *command;             /* replays it; NULL: not known */
    const char *ended;                /* what the launch had been stopped for before; NULL: nothing */
};

/* Writes the waveform of the last cycles, NAME.fst and NAME.gtkw beside it, and fills *e with one screen
 * (EXIT_TWINS_DISAGREE) that names them. */
void mismatch_report(const struct mismatch *m, struct error *e);

/* The waveform alone: scopes inputs, model, rtl (also what is inside a user's design) and diff (exclusive or;
 * of what is compared), marker A in the latest cycle; of a row that differs in the next, when it is written.
 * *inside: what is inside the designs that the users gave is in it. What differs first stands first in the
 * view, red. */
bool mismatch_write_window(const struct mismatch *m, bool *inside, struct error *e);

#endif

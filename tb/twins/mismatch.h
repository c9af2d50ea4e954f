/*
 * mismatch: messages and waves for a difference between a C model and its Verilog, or for a broken contract.
 */
#ifndef TB_MISMATCH_H
#define TB_MISMATCH_H

#include "tb/twins/twin.h"

#define MISMATCH_TWINS (CLUSTER_BLOCK_COUNT + 1)

struct mismatch {
    const struct machine *machine;     /* NULL: a block with a clock of its own; a cycle is then 1 ns */
    const char *where;                 /* description of the block's place, or of the test */
    struct twin *twin[MISMATCH_TWINS]; /* NULL: off; the last: block without a slot */
    enum cluster_block block;
    const struct twin_port *port;     /* first signal that differs; or NULL */
    const struct contract_rule *rule; /* broken rule; both NULL: the Verilog has stopped */
    const char *source;               /* the block's Verilog */
    bool drives;                      /* the Verilog drives the machine */
    const char *window;               /* path of the waveform to write */
    char *const *command;             /* command that replays it; NULL: unknown */
    const char *ended;                /* earlier error of the launch; NULL: none */
};

/* Writes the waveform of the last cycles, NAME.fst with NAME.gtkw, and fills *e with one screen
 * (EXIT_TWINS_DISAGREE) that names them. */
void mismatch_report(const struct mismatch *m, struct error *e);

/* Writes the waveform only, with scopes inputs, model, rtl (including the insides of a user's design) and
 * diff (exclusive or of compared signals). Marker A is at the latest cycle, or at the next if a memory row
 * differs. *inside: the insides of users' designs are included. The first difference is first in the view, in
 * red. */
bool mismatch_write_window(const struct mismatch *m, bool *inside, struct error *e);

#endif

/*
 * twin_insides: the insides of a twin's Verilog in its recorded cycles, for waveforms.
 *
 * Only a user's design has them (verilated_insides.h). While the trace of a run is written, they are read in
 * every traced cycle. For a mismatch they are recomputed, since keeping them would be slow: the state of the
 * design is kept every TWIN_STATE_CYCLES cycles, and the cycles since then are repeated with the recorded
 * inputs. If this does not give the same outputs and flip-flops (for example, the state of C functions is not
 * kept), there are no insides.
 */
#ifndef TB_TWIN_INSIDES_H
#define TB_TWIN_INSIDES_H

#include "tb/verilated/verilated_vcd.h"

#define TWIN_STATE_CYCLES 16 /* half of a twin's history */

struct twin;

struct twin_insides {
    void *reader;             /* NULL: not open */
    struct verilated_vcd vcd; /* values of the last look */
    char *state[2];           /* NULL: not kept */
    /* Record before which each state was kept; record before which the next one will be; states kept since
     * the last reset. */
    uint64_t before[2], next, kept;
    uint32_t *again; /* words of the repeated cycles, by record */
    bool looks;      /* read in every evaluated cycle, before its edge */
};

/* Returns the memories with too many rows, as text; NULL if none. */
const char *twin_left_out(const struct twin *t);

/* Opens the insides. Returns false if the twin has none. */
bool twin_insides_open(struct twin *t);
void twin_insides_free(struct twin *t);

/* Reads the values into vcd.now. */
void twin_insides_look(struct twin *t);

/* Keeps the state before the next record. */
void twin_insides_keep(struct twin *t);
/* Forgets kept states, which are not valid for the following cycles. */
void twin_insides_forget(struct twin *t);

/* Repeats the last cycles and leaves the twin unchanged. Returns their number, with words from
 * twin_insides_of(); 0 if it is not possible. */
unsigned twin_insides_repeat(struct twin *t);
const uint32_t *twin_insides_of(const struct twin *t, unsigned age);

#endif

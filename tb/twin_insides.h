/*
 * twin_insides: what is inside a twin's Verilog, in the cycles that it kept: for waveforms.
 *
 * Only a user's design has it (verilated_insides.h). While the trace of a run is written it is read in every
 * cycle that is traced. For a mismatch it is not kept, which would cost much, but made again: every
 * TWIN_STATE_CYCLES cycles the state of the design is kept, and from there the cycles are repeated with the
 * inputs of the records. If that does not give the same outputs and flip-flops (the state of C functions is
 * not kept, say), there are none.
 */
#ifndef TB_TWIN_INSIDES_H
#define TB_TWIN_INSIDES_H

#include "tb/verilated_insides.h"

#define TWIN_STATE_CYCLES 16 /* half of a twin's history */

struct twin;

struct twin_insides {
    void *reader; /* NULL: not open */
    struct verilated_insides all;
    uint32_t *now;                  /* words, as they were when last looked at */
    char *state[2];                 /* NULL: none has been kept */
    uint64_t before[2], next, kept; /* before: which record it was kept; next: the record to keep the next one
                                       before; kept: how many there are since the last reset */
    uint32_t *again;                /* of the cycles that were repeated, by their records */
    bool looks;                     /* in every cycle that is evaluated, before its edge */
};

/* Memories with too many rows to be among them, as words; NULL: none. */
const char *twin_left_out(const struct twin *t);

/* Makes them known. False: the twin has none. */
bool twin_insides_open(struct twin *t);
void twin_insides_free(struct twin *t);

/* Reads them into `now`. */
void twin_insides_look(struct twin *t);

/* Keeps the state before the next record. */
void twin_insides_keep(struct twin *t);
/* The states that were kept are of no use for what comes now. */
void twin_insides_forget(struct twin *t);

/* Repeats the last cycles, of which twin_insides_of() then has the words; leaves the twin as it was. How many
 * they are: 0: it cannot be done. */
unsigned twin_insides_repeat(struct twin *t);
const uint32_t *twin_insides_of(const struct twin *t, unsigned age);

#endif

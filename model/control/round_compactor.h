/*
 * round_compactor: the rounds that a warp instruction takes on lanes that execute side by side (lanes.md §2;
 * simt.compaction: round).
 *
 * Round n has the positions from n · lanes on. Rounds with an active thread remain, in ascending order. An
 * instruction without active threads takes round 0.
 *
 * The block gives one round a cycle (in, q → out, d); round_compactor_rounds() gives all rounds of an
 * instruction at once, for machines that compute ahead.
 */
#ifndef MODEL_CONTROL_ROUND_COMPACTOR_H
#define MODEL_CONTROL_ROUND_COMPACTOR_H

#include "generated/round_compactor_ports.h"

struct round_compactor_config { /* the parameters of rtl/round_compactor.sv */
    unsigned warp_size;         /* 1 to 64 */
    unsigned lanes;             /* 1 to 64 */
};

struct round_compactor {
    struct round_compactor_config cfg;
    struct round_compactor_in in; /* ports and flip-flops: rtl/round_compactor.sv */
    struct round_compactor_out out;
    struct round_compactor_state q, d;
};

void round_compactor_init(struct round_compactor *r, const struct round_compactor_config *config);
void round_compactor_eval(struct round_compactor *r);  /* in, q → out, d */
void round_compactor_clock(struct round_compactor *r); /* d → q: the edge */

/* Returns the rounds that remain for the threads `active`; bit n stands for round n. */
uint64_t round_compactor_rounds(unsigned lanes, uint64_t active);

#endif

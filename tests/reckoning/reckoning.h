/* reckoning: the inputs of a machine's blocks, computed a second time and compared in every cycle. Inputs
 * that C computes for a block are common to its C model and its Verilog, so a comparison of the two cannot
 * detect a fault there.
 *
 * A reckoning is attached in the place of a twin (block_twins.h) and sees the inputs of each evaluation. It
 * computes them from the instructions in flight and the states of threads, by the rules of the pages; it
 * calls no function of model/unit/, model/cluster/ or model/sm/. It uses outputs of blocks, which the twins
 * check. base_machine.c covers the base machine, sms.c GPU-like machines, shared.c the blocks outside
 * clusters and SMs. docs/proof.md §6 lists inputs that are not covered.
 *
 * The first difference ends the launch with EXIT_TWINS_DISAGREE: cycle, place, input, actual and computed
 * value. */
#ifndef TESTS_RECKONING_RECKONING_H
#define TESTS_RECKONING_RECKONING_H

#include "model/machine/machine.h"

struct reckoning;

/* Attaches a reckoning to a machine before its first launch. The machine must outlive it. */
struct reckoning *reckoning_attach(struct machine *m);
void reckoning_detach(struct reckoning *r);
/* Returns the number of inputs compared so far. */
uint64_t reckoning_comparisons(const struct reckoning *r);

#endif

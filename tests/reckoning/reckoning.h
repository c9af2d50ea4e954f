/*
 * reckoning: what the blocks of a machine are told, reckoned a second time and compared in every cycle. What
 * C computes for a block is an input of both its C model and its Verilog, so a comparison of the two cannot
 * detect a fault there.
 *
 * A reckoning is attached where a twin would be (block_twins.h) and sees the inputs of each evaluation. It
 * reckons them from what is in flight and from the states of threads, by the rules of the pages; it calls no
 * function of model/unit/, model/cluster/ or model/sm/. Of a block's outputs it makes use: they are the
 * block's own. base_machine.c has the base machine, sms.c GPU-like machines, shared.c the blocks outside
 * clusters and SMs. What is not reckoned is listed in docs/proof.md §6.
 *
 * The first difference ends the launch, with EXIT_TWINS_DISAGREE: cycle, place, input, what was said and what
 * was reckoned.
 */
#ifndef TESTS_RECKONING_RECKONING_H
#define TESTS_RECKONING_RECKONING_H

#include "model/machine/machine.h"

struct reckoning;

/* Attaches one to a machine that has run nothing yet; the machine must outlive it. */
struct reckoning *reckoning_attach(struct machine *m);
void reckoning_detach(struct reckoning *r);
/* Inputs compared so far. */
uint64_t reckoning_comparisons(const struct reckoning *r);

#endif

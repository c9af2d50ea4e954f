/* base_formed: the reckoning of a cluster of cores whose engine forms warps of threads from any warps
 * (divergence.md §4.10): inputs of warp_formation_table, harp_scheduler, subwarp_packer and barrier_table,
 * the threads of each flight, and the states of threads. The formation of warps is computed from the outputs
 * of the engine's block. Taken from the machine: when a flight has been written. */
#ifndef TESTS_RECKONING_BASE_FORMED_H
#define TESTS_RECKONING_BASE_FORMED_H

#include "tests/reckoning/base_shadow.h"

struct formed;

/* Makes the state of an engine that forms warps; NULL if the cluster's engine forms none. */
struct formed *base_formed_create(struct base_shadow *h);
/* Begins a stay in SIMT mode, whose threads are in h->warp[]. */
void base_formed_begin(struct base_shadow *h);
/* Checks a cycle of a block; for barriers, commits what is to be committed before. */
void base_formed_cycle(struct base_shadow *h, enum cluster_block block, uint64_t t);
/* Notes that the barrier opens in this cycle. */
void base_formed_released(struct base_shadow *h, uint64_t t);

#endif

/*
 * clocked_blocks: blocks of an SM's divergence engine that work cycle by cycle because they have a twin
 * (block_twins.h). Their operations are cycles of the block, none or several in a cycle of the SM.
 */
#ifndef MODEL_SM_CLOCKED_BLOCKS_H
#define MODEL_SM_CLOCKED_BLOCKS_H

#include "model/control/block_twins.h"

struct sm;

/* A block of a scheduler; if an SM has only one of its kind, it belongs to the first scheduler. */
struct sm_clocked_block {
    struct sm *sm;
    unsigned scheduler;
    enum cluster_block block;
    void *model;     /* model with ports; NULL: not created, without twin */
    uint64_t cycles; /* cycles compared with the twin */
};

/* Returns the model of a block, which from now on works cycle by cycle; NULL if the SM has none. */
void *sm_clocked_model(struct sm *s, unsigned scheduler, enum cluster_block b);
void sm_clocked_free(struct sm *s);

/* Compares a cycle, between a model's evaluation and its edge. `context`: its struct sm_clocked_block. */
void sm_clocked_cycle(void *context);

#endif

/*
 * beside: blocks of an SM's divergence engine that work cycle by cycle because something runs beside them
 * (block_twins.h): their operations are cycles of theirs, none or several in a cycle of the SM.
 */
#ifndef MODEL_SM_BESIDE_H
#define MODEL_SM_BESIDE_H

#include "model/control/block_twins.h"

struct sm;

/* A block of a scheduler, or, of those that an SM has one of, of its first. */
struct sm_beside {
    struct sm *sm;
    unsigned scheduler;
    enum cluster_block block;
    void *model;     /* with ports; NULL: nothing has been asked for, and nothing runs beside it */
    uint64_t cycles; /* in which something ran beside it */
};

/* The model of a block, which from now on works cycle by cycle; NULL: the SM has none. */
void *sm_beside_model(struct sm *s, unsigned scheduler, enum cluster_block b);
void sm_beside_free(struct sm *s);

/* Between a model's evaluation and its edge; `context`: its struct sm_beside. */
void sm_beside_cycle(void *context);

#endif

/*
 * loops: the natural loops of a function, how many turns each has, and how often each block is executed when
 * the function is called once: an estimate for mode auto (abi/kernel_features.h).
 */
#ifndef COMPILER_LOOPS_H
#define COMPILER_LOOPS_H

#include "compiler/flow.h"
#include "abi/kernel_features.h"

#define LOOPS_NONE ((size_t)-1)

/* A number of executions: a factor, and the arguments that it is multiplied with. */
struct loops_weight {
    double factor;
    unsigned offsets[FEATURES_ARGUMENTS]; /* of arguments in the argument block, in ascending order */
    unsigned count;
};

struct loop {
    size_t header, parent; /* parent: LOOPS_NONE if it is in no other loop */
    bool *body;            /* per block of the flow */
    size_t size, exits;    /* blocks of the body; edges that leave it */
    struct loops_weight turns;
};

struct loops {
    const struct flow *flow;
    struct loop *list; /* an inner loop stands before those around it */
    size_t count;
    size_t *innermost;            /* per block: the smallest loop around it; LOOPS_NONE */
    struct loops_weight *weights; /* per block: executions */
};

/* `entry`: the function is a kernel's entry, whose parameter is the address of the argument block. */
void loops_find(struct loops *l, const struct flow *f, bool entry);
void loops_free(struct loops *l);

/* An argument too many counts as FEATURES_TRIPS. */
void loops_multiply(struct loops_weight *w, const struct loops_weight *by);

#endif

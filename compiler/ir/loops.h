/*
 * loops: the natural loops of a function, their trip counts, and the executions of each block for one call of
 * the function: an estimate for mode auto (abi/kernel_features.h).
 */
#ifndef COMPILER_LOOPS_H
#define COMPILER_LOOPS_H

#include "compiler/ir/flow.h"
#include "abi/kernel_features.h"

#define LOOPS_NONE ((size_t)-1)

/* A number of executions: a factor times arguments. */
struct loops_weight {
    double factor;
    unsigned offsets[FEATURES_ARGUMENTS]; /* offsets of arguments in the argument block, ascending */
    unsigned count;
};

struct loop {
    size_t header, parent; /* parent: LOOPS_NONE for outermost loops */
    bool *body;            /* for each block of the flow */
    size_t size, exits;    /* blocks of the body; edges out of it */
    struct loops_weight turns;
};

struct loops {
    const struct flow *flow;
    struct loop *list; /* inner loops come before outer ones */
    size_t count;
    size_t *innermost;            /* for each block: innermost loop; LOOPS_NONE */
    struct loops_weight *weights; /* for each block: executions */
};

/* `entry`: the function is a kernel's entry, with the argument block's address as parameter. */
void loops_find(struct loops *l, const struct flow *f, bool entry);
void loops_free(struct loops *l);

/* Multiplies weights; an argument beyond the limit counts as FEATURES_TRIPS. */
void loops_multiply(struct loops_weight *w, const struct loops_weight *by);

#endif

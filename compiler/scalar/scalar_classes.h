/*
 * scalar_classes: classifies webs as vectors, with one value for each thread, or scalars, with one value for
 * all active threads of a warp (lanes.md §3): the least fixed point of "vector". An instruction is a vector
 * instruction if it reads or writes a vector.
 */
#ifndef COMPILER_SCALAR_CLASSES_H
#define COMPILER_SCALAR_CLASSES_H

#include "compiler/driver/compile.h"
#include "compiler/scalar/scalar_webs.h"

/* Reason for being a vector. */
enum scalar_why {
    SCALAR_IS_SCALAR,
    SCALAR_BY_RULE,     /* --scalarize=none */
    SCALAR_STACK,       /* the stack pointer */
    SCALAR_VARIES,      /* an id, the clock, an exclusive access, a flag that is not tracked */
    SCALAR_READS,       /* an instruction reads a vector: `web` */
    SCALAR_WRITES,      /* an instruction writes one: `web` */
    SCALAR_INSTRUCTION, /* a vector instruction writes it: `node` */
    SCALAR_PAIR,        /* the other half of an operand is one: `web` */
    SCALAR_REGION,      /* convergent: between a divergent branch, `node`, and where its threads meet */
    SCALAR_MEETING,     /* defined there, and read where they meet */
    SCALAR_SIDE,        /* defined there on one side, and read on another */
    SCALAR_BARRIER      /* defined there, and needed behind a barrier there */
};

struct scalar_reason {
    enum scalar_why why;
    size_t node, web;
};

struct scalar_classes {
    struct scalar_reason *webs;  /* SCALAR_IS_SCALAR: a scalar */
    struct scalar_reason *nodes; /* reasons of instructions */
    size_t *divergent;           /* branches at which threads may diverge */
    size_t divergent_count;
};

void scalar_classes_find(struct scalar_classes *k, const struct scalar_code *c, const struct scalar_webs *w,
                         enum compile_scalarize rule);
void scalar_classes_free(struct scalar_classes *k);

/* A side of a branch: the nodes reachable from one of its successors before its meeting. */
struct scalar_side {
    size_t *nodes;
    size_t count;
    uint64_t *defined; /* a bit for each web: defined on this side, including callees */
};

/* Finds the side of a branch's successor. `defined` has (web count + 63) / 64 words. */
void scalar_side_find(struct scalar_side *s, const struct scalar_code *c, const struct scalar_webs *w,
                      size_t branch, size_t successor);
void scalar_side_free(struct scalar_side *s);

/* Adds the webs that a function and its callees define. */
void scalar_side_add_function(uint64_t *defined, const struct scalar_code *c, const struct scalar_webs *w,
                              size_t function);

#endif

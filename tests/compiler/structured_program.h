/* structured_program: random kernels of nested statements, and a reference execution by warps that depends on
 * the source alone: the threads of a branch reconverge at its immediate post-dominator in the source's
 * control flow. It is independent of the compiler, whose code must have the same reconvergence
 * (docs/compiler.md, "Structured SIMT code").
 *
 * Work is a LEAF: a unique instruction that no pass may duplicate into both sides of a branch, remove or
 * merge. A kernel's parameters: __global uint *o. Work-item i writes its final x to o[i] unless it returns
 * early. */
#ifndef TESTS_COMPILER_STRUCTURED_PROGRAM_H
#define TESTS_COMPILER_STRUCTURED_PROGRAM_H

#include "sim/seed.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum {
    STRUCTURED_NODES = 1024,
    STRUCTURED_COUNTERS = 64, /* loop counters of a kernel */
    STRUCTURED_WARP = 32,
    STRUCTURED_UNWRITTEN = 0x5a5a5a5a /* contents of o[i] before the launch */
};

/* Forms of statements, for kernels that nest chosen ones. */
enum structured_form {
    STRUCTURED_IF,
    STRUCTURED_IF_ELSE,
    STRUCTURED_AND, /* a condition: if (a && leaf and b) … else … */
    STRUCTURED_OR,
    STRUCTURED_TERNARY, /* a value of ?: with leaves in its parts */
    STRUCTURED_FOR,
    STRUCTURED_WHILE,
    STRUCTURED_DO,
    STRUCTURED_ENDLESS, /* for (;;) with a break */
    STRUCTURED_FLAG,    /* a loop that ends by a flag set in it */
    STRUCTURED_TURN,    /* a loop that changes one of two counters in each iteration and may continue early */
    STRUCTURED_SIDE,    /* the same with an if with else */
    STRUCTURED_SWITCH,
    STRUCTURED_AGAIN, /* a label and a goto back to it */
    STRUCTURED_CALL,  /* a function with early returns */
    STRUCTURED_FORMS
};

enum structured_exit { /* possible exits at the innermost place, under a condition */
                       STRUCTURED_NO_EXIT,
                       STRUCTURED_BREAK,
                       STRUCTURED_CONTINUE,
                       STRUCTURED_RETURN,
                       STRUCTURED_GOTO, /* goto to a label at the kernel's end */
                       STRUCTURED_EXITS
};

struct structured_node {
    enum {
        NODE_NOTHING,
        NODE_LEAF,
        NODE_MIX,      /* arithmetic on x */
        NODE_SET,      /* a counter, from bits of x */
        NODE_DECREASE, /* a counter */
        NODE_CLEAR,    /* a counter that is a flag */
        NODE_RAISE,
        NODE_STORE,   /* o[i] = x */
        NODE_BIT,     /* branches on a bit of x */
        NODE_COUNTER, /* branches on a counter */
        NODE_PART     /* branches eight ways, on three bits of x */
    } kind;
    uint32_t number, shift; /* leaf, counter; the bits that a condition or a switch reads */
    uint32_t next[8];       /* successors of BIT and COUNTER: [0] if zero, [1] if not; of PART: by
                             * three bits */
};

struct structured_program {
    char name[16];
    uint32_t seed, count, leaves, counters;
    struct structured_node node[STRUCTURED_NODES];
    uint16_t meeting[STRUCTURED_NODES]; /* immediate post-dominators; of the end: itself */
};

/* Prints macros that the kernels use. A leaf has -DLENGTH=8 or 24 instructions: a piece of assembly, which
 * LLVM treats as convergent. With -DPLAIN it has 8 or 72 ordinary instructions. With -DBOUNDED the compiler
 * knows that loops have at most three iterations, and may copy their bodies. */
void structured_begin(FILE *source);
/* Adds a kernel of statements drawn at random. */
void structured_random(struct structured_program *p, FILE *source, unsigned number, struct seed *seed);
/* Adds one of three nested forms, the innermost with an exit; false: the exit has no target there. */
bool structured_nested(struct structured_program *p, FILE *source, unsigned number,
                       const enum structured_form form[3], enum structured_exit leave);

/* Executes warps of `items` work-items. Returns the number of leaves, each counted once for each warp that
 * executes it; *o receives the results. */
uint64_t structured_execute(const struct structured_program *p, uint32_t items, uint32_t *o);

#endif

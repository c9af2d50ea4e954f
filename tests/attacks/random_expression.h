/*
 * random_expression: random variables and expressions of OpenCL C, as text, for random_kernel.
 *
 * Expressions have no undefined behaviour and one value under any correct compilation: arithmetic is unsigned
 * where it may overflow, divisors are never 0, no index is out of bounds, and a NaN is made one pattern of
 * bits before its bits can be seen. A uniform expression has the same value in all work-items of a
 * work-group.
 */
#ifndef TESTS_ATTACKS_RANDOM_EXPRESSION_H
#define TESTS_ATTACKS_RANDOM_EXPRESSION_H

#include "tests/seed.h"

#include <stdbool.h>
#include <stdio.h>

enum random_type {
    RANDOM_CHAR,
    RANDOM_UCHAR,
    RANDOM_SHORT,
    RANDOM_USHORT,
    RANDOM_INT,
    RANDOM_UINT,
    RANDOM_LONG,
    RANDOM_ULONG,
    RANDOM_FLOAT,
    RANDOM_DOUBLE,
    RANDOM_INT4,
    RANDOM_FLOAT2,
    RANDOM_VALUES,                /* those above are the types of expressions */
    RANDOM_ARRAY = RANDOM_VALUES, /* uint[8] */
    RANDOM_STRUCT,                /* record: see random_expression_preamble */
    RANDOM_UNION,                 /* cell: likewise */
    RANDOM_POINTER,               /* uint *, to private memory */
    RANDOM_GLOBAL_POINTER,        /* const global uint *, with 32 words */
};
extern const char *const random_type_name[RANDOM_VALUES];

#define RANDOM_INPUT_WORDS 256u /* of the array `in`, which every function has */

struct random_variable {
    char name[12];
    enum random_type type;
    bool uniform, constant;
};

#define RANDOM_MOST_VARIABLES 256

struct random_text {
    struct seed seed;
    FILE *out;
    struct random_variable variable[RANDOM_MOST_VARIABLES]; /* those in scope */
    unsigned variables, named;                              /* in scope; named so far in this function */
    const char *shared; /* the local array that all may read now, indexed below `ls`; NULL: none */
};

/* What expressions use, at the start of a source. */
extern const char random_expression_preamble[];

unsigned random_below(struct random_text *t, unsigned below);
bool random_chance(struct random_text *t, unsigned percent);
void random_print(struct random_text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A variable in scope of one of the types from–to, NULL if there is none. uniform: of uniform ones only;
 * writable: not of constant ones, and of those that are not uniform unless `uniform` is. */
const struct random_variable *random_variable(struct random_text *t, enum random_type from,
                                              enum random_type to, bool uniform, bool writable);
/* Brings a new variable into scope; its declaration is the caller's. */
struct random_variable *random_variable_add(struct random_text *t, enum random_type type, bool uniform);

/* Prints a random element of a cell (what it names, before the dot) and returns its type, an integer one. */
enum random_type random_cell(struct random_text *t, const char *name);

/* Print an expression of a type, a condition, an uint expression of all the bits of some value. */
void random_expression(struct random_text *t, enum random_type type, unsigned depth, bool uniform);
void random_condition(struct random_text *t, unsigned depth, bool uniform);
void random_bits(struct random_text *t, unsigned depth);

#endif

/* random_expression: random variables and expressions of OpenCL C, as text, for random_kernel.
 *
 * Expressions have no undefined behaviour and the same value under every correct compilation. Arithmetic is
 * unsigned where it may overflow, divisors are never 0, indices are within bounds, and a NaN is replaced by
 * one bit pattern before its bits can be used. A uniform expression has the same value in all work-items of a
 * work-group. */
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
    RANDOM_VALUES,                /* end of the types that expressions have */
    RANDOM_ARRAY = RANDOM_VALUES, /* uint[8] */
    RANDOM_STRUCT,                /* record: see random_expression_preamble */
    RANDOM_UNION,                 /* cell: see random_expression_preamble */
    RANDOM_POINTER,               /* uint *, to private memory */
    RANDOM_GLOBAL_POINTER,        /* const global uint *, with 32 words */
};
extern const char *const random_type_name[RANDOM_VALUES];

#define RANDOM_INPUT_WORDS 256u /* length of the array `in`, which every function has */

struct random_variable {
    char name[12];
    enum random_type type;
    bool uniform, constant;
};

#define RANDOM_MOST_VARIABLES 256

struct random_text {
    struct seed seed;
    FILE *out;
    struct random_variable variable[RANDOM_MOST_VARIABLES]; /* variables in scope */
    unsigned variables, named;                              /* number in scope; number of names used in this
                                                             * function */
    const char *shared; /* local array that may be read at this point, indexed below `ls`; NULL: none */
};

/* Declarations that expressions use, at the start of a source. */
extern const char random_expression_preamble[];

unsigned random_below(struct random_text *t, unsigned below);
bool random_chance(struct random_text *t, unsigned percent);
void random_print(struct random_text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Returns a variable in scope of one of the types from–to, or NULL. uniform: only uniform ones; writable: no
 * constants and, unless `uniform`, only variables that may differ. */
const struct random_variable *random_variable(struct random_text *t, enum random_type from,
                                              enum random_type to, bool uniform, bool writable);
/* Adds a new variable to the scope. The caller prints its declaration. */
struct random_variable *random_variable_add(struct random_text *t, enum random_type type, bool uniform);

/* Prints a random element of the cell `name` and returns its type, which is an integer type. */
enum random_type random_cell(struct random_text *t, const char *name);

/* Print an expression of a type; a condition; an uint expression that depends on all bits of a value. */
void random_expression(struct random_text *t, enum random_type type, unsigned depth, bool uniform);
void random_condition(struct random_text *t, unsigned depth, bool uniform);
void random_bits(struct random_text *t, unsigned depth);

#endif

/*
 * kernel_slice: what of a kernel can be computed without its memory: variables, loops and loads of global
 * memory, and how addresses depend on local ids (scalar-unit.md §2). An expression is *computable* if it
 * depends on ids, arguments, constants and counters of the loops around it only.
 */
#ifndef COMPILER_KERNEL_SLICE_H
#define COMPILER_KERNEL_SLICE_H

#include "compiler/program.h"
#include "compiler/text.h"

#include <stdint.h>

#define SLICE_NONE       SIZE_MAX
#define SLICE_DIMENSIONS 3

#define SLICE_TURN    SLICE_DIMENSIONS /* behind them: from one turn of kernel_slice.turning to the next */
#define SLICE_STRIDES (SLICE_TURN + 1)

/* By how much a value grows from a work-item to its neighbour, for each dimension of the local id; not known:
 * by no constant. Of pointers: in bytes. */
struct slice_strides {
    bool known[SLICE_STRIDES];
    long by[SLICE_STRIDES];
};

enum slice_kind {
    SLICE_ONCE,    /* a parameter, or a variable that only its initialiser gives a value */
    SLICE_COUNTER, /* a loop adds the same to it in each turn */
    SLICE_CHANGED, /* otherwise: not computable */
};

struct slice_change { /* `variable op value` */
    CXCursor statement, value;
    char op[4];        /* "=", "+=", "++", … */
    size_t loop;       /* the innermost around it, or SLICE_NONE */
    bool conditional;  /* not in each turn of that loop */
    bool is_statement; /* its value is not used */
    bool has_value;
};

struct slice_variable {
    CXCursor declaration;
    char *name;
    bool parameter, has_initialiser, has_address; /* has_address: something may change it through a pointer */
    CXCursor initialiser;
    size_t loop; /* the innermost around the declaration */
    struct slice_change *changes;
    size_t change_count;
    enum slice_kind kind;
    size_t counts; /* a counter's loop */
    const struct slice_change *step;
};

struct slice_guard { /* an `if` around a loop or in front of a return */
    CXCursor condition;
    bool negated;
};

struct slice_loop {
    CXCursor statement, condition, body;
    bool has_condition, is_for, is_do;
    bool leaves; /* there are jumps out of it */
    size_t parent;
    struct slice_guard *guards; /* inside the parent loop */
    size_t guard_count;
};

struct slice_load {
    CXCursor expression; /* the lvalue that is read */
    size_t loop;
    char *reason; /* why it does not qualify; NULL: it does */
};

struct slice_return { /* `if (condition) return;` outside loops */
    CXCursor statement, condition;
};

struct kernel_slice {
    const struct program *program;
    const struct syntax *syntax;
    CXCursor kernel, body;
    struct slice_variable *variables; /* in the order of their declarations */
    size_t variable_count;
    struct slice_loop *loops; /* in the order of the source: parents first */
    size_t loop_count;
    struct slice_load *loads;
    size_t load_count;
    struct slice_return *returns;
    size_t return_count;
    size_t turning; /* the loop whose turns strides tell of; SLICE_NONE: they tell of none */
};

void kernel_slice_read(struct kernel_slice *s, const struct program *program, CXCursor kernel);
void kernel_slice_free(struct kernel_slice *s);

/* Whether an expression is computable inside a loop (SLICE_NONE: outside all); if not, *why says so. */
bool slice_computable(const struct kernel_slice *s, CXCursor expression, size_t loop, struct text *why);

/* Likewise the address of an lvalue. */
bool slice_address_computable(const struct kernel_slice *s, CXCursor lvalue, size_t loop, struct text *why);

/* Of a computable expression, and of the address of an lvalue. */
struct slice_strides slice_strides_of(const struct kernel_slice *s, CXCursor expression);
struct slice_strides slice_address_strides(const struct kernel_slice *s, CXCursor lvalue);

/* The same for all work-items of a group. */
bool slice_is_uniform(const struct slice_strides *g);

/* The variable that an expression names, without parentheses and conversions; NULL: none. */
struct slice_variable *slice_variable_of(const struct kernel_slice *s, CXCursor expression);

/* 1: its counter's step is positive, −1: it is negative, 0: that is not known. */
int slice_step_sign(const struct kernel_slice *s, const struct slice_variable *counter);

/* Whether a loop stands in another, or is it. SLICE_NONE: outside all loops. */
bool slice_loop_within(const struct kernel_slice *s, size_t loop, size_t outer);

/* The dimension that an id's call asks for; −1: it is no such call, or its dimension is no constant. */
int slice_id_dimension(CXCursor call);

#endif

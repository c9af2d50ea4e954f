/*
 * kernel_slice: the parts of a kernel that can be computed without its memory: variables, loops and loads of
 * global memory, and the dependence of addresses on local ids (scalar-unit.md §2). An expression is
 * *computable* if it depends only on ids, arguments, constants and counters of the loops around it.
 */
#ifndef COMPILER_KERNEL_SLICE_H
#define COMPILER_KERNEL_SLICE_H

#include "compiler/stages/program.h"
#include "compiler/driver/text.h"

#include <stdint.h>

#define SLICE_NONE       SIZE_MAX
#define SLICE_DIMENSIONS 3

#define SLICE_TURN    SLICE_DIMENSIONS /* index: iterations of kernel_slice.turning */
#define SLICE_STRIDES (SLICE_TURN + 1)

/* Difference of a value between neighbouring work-items, for each dimension of the local id; not known: not
 * constant. In bytes for pointers. */
struct slice_strides {
    bool known[SLICE_STRIDES];
    long by[SLICE_STRIDES];
};

enum slice_kind {
    SLICE_ONCE,    /* parameter, or variable set only by its initialiser */
    SLICE_COUNTER, /* incremented by the same amount in each iteration of a loop */
    SLICE_CHANGED, /* otherwise: not computable */
};

struct slice_change { /* `variable op value` */
    CXCursor statement, value;
    char op[4];        /* "=", "+=", "++", … */
    size_t loop;       /* innermost loop around it, or SLICE_NONE */
    bool conditional;  /* not in each iteration of that loop */
    bool is_statement; /* its value is not used */
    bool has_value;
};

struct slice_variable {
    CXCursor declaration;
    char *name;
    bool parameter, has_initialiser, has_address; /* has_address: may be changed through a pointer */
    CXCursor initialiser;
    size_t loop; /* innermost loop around the declaration */
    struct slice_change *changes;
    size_t change_count;
    enum slice_kind kind;
    size_t counts; /* loop of a counter */
    const struct slice_change *step;
};

struct slice_guard { /* an `if` around a loop or before a return */
    CXCursor condition;
    bool negated;
};

struct slice_loop {
    CXCursor statement, condition, body;
    bool has_condition, is_for, is_do;
    bool leaves; /* contains jumps out of the loop */
    size_t parent;
    struct slice_guard *guards; /* inside the parent loop */
    size_t guard_count;
};

struct slice_load {
    CXCursor expression; /* lvalue that is read */
    size_t loop;
    char *reason; /* why it does not qualify; NULL if it does */
};

struct slice_return { /* `if (condition) return;` outside loops */
    CXCursor statement, condition;
};

struct kernel_slice {
    const struct program *program;
    const struct syntax *syntax;
    CXCursor kernel, body;
    struct slice_variable *variables; /* sorted by declaration */
    size_t variable_count;
    struct slice_loop *loops; /* source order: parents first */
    size_t loop_count;
    struct slice_load *loads;
    size_t load_count;
    struct slice_return *returns;
    size_t return_count;
    size_t turning; /* loop whose iterations strides describe; SLICE_NONE: none */
};

void kernel_slice_read(struct kernel_slice *s, const struct program *program, CXCursor kernel);
void kernel_slice_free(struct kernel_slice *s);

/* Returns whether an expression is computable inside a loop (SLICE_NONE: outside all); if not, *why gets the
 * reason. */
bool slice_computable(const struct kernel_slice *s, CXCursor expression, size_t loop, struct text *why);

/* Returns the same for the address of an lvalue. */
bool slice_address_computable(const struct kernel_slice *s, CXCursor lvalue, size_t loop, struct text *why);

/* Return the strides of a computable expression, and of the address of an lvalue. */
struct slice_strides slice_strides_of(const struct kernel_slice *s, CXCursor expression);
struct slice_strides slice_address_strides(const struct kernel_slice *s, CXCursor lvalue);

/* Returns whether a value is equal for all work-items of a group. */
bool slice_is_uniform(const struct slice_strides *g);

/* Returns the variable that an expression names, ignoring parentheses and conversions; NULL if none. */
struct slice_variable *slice_variable_of(const struct kernel_slice *s, CXCursor expression);

/* Returns 1 if the counter's step is positive, −1 if negative, 0 if unknown. */
int slice_step_sign(const struct kernel_slice *s, const struct slice_variable *counter);

/* Returns whether a loop is `outer` or inside it. SLICE_NONE: outside all loops. */
bool slice_loop_within(const struct kernel_slice *s, size_t loop, size_t outer);

/* Returns the dimension in a call for an id; −1 if it is not such a call, or the dimension is not
 * constant. */
int slice_id_dimension(CXCursor call);

#endif

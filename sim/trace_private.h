/* trace_private: what trace.c (the FST file) and trace_view.c (the GTKWave view) share. */
#ifndef SIM_TRACE_PRIVATE_H
#define SIM_TRACE_PRIVATE_H

#include "sim/trace.h"

#include <stddef.h>

/* What trace_value() touches: small, apart from the declarations. */
struct trace_state {
    uint64_t value, written; /* now, and in the file */
    uint32_t handle;         /* fstapi's */
    uint8_t width;
    bool known;   /* `written` holds a value */
    bool pending; /* has changed at the present time: written when time moves on */
};

/* In order of declaration. */
struct trace_item {
    enum trace_item_kind { TRACE_SCOPE, TRACE_UPSCOPE, TRACE_VARIABLE } kind;
    char *path; /* "a.b.name" */
    char *name; /* the last part of it */
    trace_variable variable;
};

struct trace_declaration {
    size_t item;
    enum trace_format format;
    unsigned width;
    uint64_t count;          /* of the names of an enumeration */
    char *current, *written; /* strings: the value now, and the one in the file */
    size_t capacity;         /* of both */
    bool hidden;
};

struct trace_enum {
    char *type;
    unsigned count;
    uint32_t handle;
};

struct trace {
    char *path, *part;
    void *writer;
    struct trace_state *states;
    struct trace_declaration *declarations;
    size_t variable_count, variable_capacity;
    struct trace_item *items;
    size_t item_count, item_capacity;
    struct trace_enum *enums;
    size_t enum_count, enum_capacity;
    char *scope;             /* path of the current scope, "" at the top */
    trace_variable *pending; /* variables that changed at the present time */
    size_t pending_count;
    bool marked; /* the view has a marker at `mark` */
    sim_time mark;
    bool started; /* a value has been emitted: no more declarations */
    sim_time now;
    uint64_t changes, next_flush;
};

#endif

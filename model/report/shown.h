/*
 * shown: a variable of a trace and its last value: most variables do not change in most cycles.
 */
#ifndef MODEL_REPORT_SHOWN_H
#define MODEL_REPORT_SHOWN_H

#include "sim/trace.h"

struct shown {
    trace_variable variable;
    uint64_t value;
};

static inline struct shown shown_declare(struct trace *t, const char *name, unsigned width,
                                         enum trace_format format) {
    return (struct shown){trace_declare(t, name, width, format), ~UINT64_C(0)};
}

static inline struct shown shown_declare_enum(struct trace *t, const char *name, const char *type,
                                              unsigned count, const char *const *names) {
    return (struct shown){trace_declare_enum(t, name, type, count, names), ~UINT64_C(0)};
}

static inline void shown_value(struct trace *t, struct shown *s, sim_time at, uint64_t value) {
    if (s->value == value) return;
    s->value = value;
    trace_value(t, s->variable, at, value);
}

#endif

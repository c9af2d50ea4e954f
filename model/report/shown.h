/*
 * shown: a variable of a trace and its last value: most variables do not change in most cycles.
 */
#ifndef MODEL_REPORT_SHOWN_H
#define MODEL_REPORT_SHOWN_H

#include "model/report/text.h"
#include "sim/trace.h"

#include <stdio.h>

struct shown {
    struct trace *trace;
    trace_variable variable;
    uint64_t value;
};

static inline struct shown shown_declare(struct trace *t, const char *name, unsigned width,
                                         enum trace_format format) {
    return (struct shown){t, trace_declare(t, name, width, format), ~UINT64_C(0)};
}

static inline struct shown shown_declare_enum(struct trace *t, const char *name, const char *type,
                                              unsigned count, const char *const *names) {
    return (struct shown){t, trace_declare_enum(t, name, type, count, names), ~UINT64_C(0)};
}

static inline void show(struct shown *s, sim_time at, uint64_t value) {
    if (s->value == value) return;
    s->value = value;
    trace_value(s->trace, s->variable, at, value);
}

/* --- numbers of warps or threads --- */

#define SHOWN_MOST_NUMBERS 128
struct shown_numbers {
    const char *type;
    unsigned none; /* number of warps or threads: the value shown as "none" */
    char name[SHOWN_MOST_NUMBERS][12];
    const char *names[SHOWN_MOST_NUMBERS + 1];
};

static inline void shown_name_numbers(struct shown_numbers *n, const char *type, unsigned count) {
    n->type = type;
    n->none = count;
    for (unsigned k = 0; k < count; ++k) {
        snprintf(n->name[k], sizeof n->name[k], "%u", k);
        n->names[k] = n->name[k];
    }
    n->names[count] = "none";
}

static inline struct shown shown_declare_number(struct trace *t, const char *name,
                                                const struct shown_numbers *n) {
    return shown_declare_enum(t, name, n->type, n->none + 1, n->names);
}

/* --- instructions, as PC and text --- */

struct shown_instruction {
    struct shown pc;
    trace_variable text;
};

static inline struct shown_instruction shown_declare_instruction(struct trace *t) {
    const struct shown pc = shown_declare(t, "pc", 32, TRACE_HEX);
    return (struct shown_instruction){pc, trace_declare(t, "instruction", 0, TRACE_STRING)};
}

static inline void show_instruction(struct shown_instruction *i, sim_time at, const struct machine_code *code,
                                    uint32_t pc) {
    char text[128];
    struct text out = {text, sizeof text};
    if (i->pc.value == pc) return;
    text_instruction(&out, code, pc);
    trace_string(i->pc.trace, i->text, at, text);
    show(&i->pc, at, pc);
}

#endif

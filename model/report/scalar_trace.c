/*
 * The waves of the scalar units: a unit's issue, or the reason for none, from the edge of cycle t; the wait
 * reason of each thread after it from the edge of t + 1.
 */
#include "model/report/shown.h"
#include "model/report/text.h"
#include "model/sm/scalar_parts.h"

#include "sim/error.h"

#include <stdio.h>
#include <stdlib.h>

struct scalar_trace {
    struct trace *trace;
    const struct sm *sm;
    struct unit_shown {
        struct shown thread, pc, cause;
        trace_variable instruction;
    } unit[SCALAR_MAX_UNITS];
    struct thread_shown {
        struct shown state, pc, in_memory;
    } * thread;
    char (*name)[12];
    const char **names;
};

static void declare_units(struct scalar_trace *v) {
    const struct scalar_units *u = v->sm->scalar;
    for (unsigned n = 0; n < u->units; ++n) {
        char name[24];
        snprintf(name, sizeof name, "scalar%u", n);
        trace_scope(v->trace, name);
        v->unit[n].thread = shown_declare_enum(v->trace, "thread", "scalar_thread", u->threads + 1, v->names);
        v->unit[n].pc = shown_declare(v->trace, "pc", 32, TRACE_HEX);
        v->unit[n].instruction = trace_declare(v->trace, "instruction", 0, TRACE_STRING);
        v->unit[n].cause =
            shown_declare_enum(v->trace, "cause", "scalar_cause", SCALAR_CAUSE_COUNT, scalar_cause_name);
        trace_upscope(v->trace);
    }
}

static void declare_threads(struct scalar_trace *v) {
    for (unsigned slot = 0; slot < v->sm->scalar->threads; ++slot) {
        char name[24];
        snprintf(name, sizeof name, "scalar_thread%u", slot);
        trace_scope(v->trace, name);
        v->thread[slot].state =
            shown_declare_enum(v->trace, "waits", "scalar_waits", SCALAR_CAUSE_COUNT, scalar_cause_name);
        v->thread[slot].pc = shown_declare(v->trace, "pc", 32, TRACE_HEX);
        v->thread[slot].in_memory = shown_declare(v->trace, "in_memory", 8, TRACE_DECIMAL);
        trace_upscope(v->trace);
    }
}

struct scalar_trace *scalar_trace_create(const struct sm *s, struct trace *t) {
    const struct scalar_units *u = s->scalar;
    if (!u) return NULL;
    struct scalar_trace *v = calloc(1, sizeof *v);
    require_memory(v);
    v->trace = t;
    v->sm = s;
    v->thread = calloc(u->threads, sizeof *v->thread);
    v->name = calloc(u->threads, sizeof *v->name);
    v->names = calloc(u->threads + 1, sizeof *v->names);
    require_memory(v->thread && v->name && v->names ? v : NULL);
    for (unsigned n = 0; n < u->threads; ++n) {
        snprintf(v->name[n], sizeof v->name[n], "%u", n);
        v->names[n] = v->name[n];
    }
    v->names[u->threads] = "none";
    declare_units(v);
    declare_threads(v);
    return v;
}

void scalar_trace_free(struct scalar_trace *v) {
    if (!v) return;
    free(v->names);
    free(v->name);
    free(v->thread);
    free(v);
}

static void show_issue(struct scalar_trace *v, struct unit_shown *o, uint32_t pc, sim_time at) {
    if (o->pc.value != pc) {
        char text[128];
        struct text out = {text, sizeof text};
        text_instruction(&out, v->sm->launch->code, pc);
        trace_string(v->trace, o->instruction, at, text);
    }
    shown_value(v->trace, &o->pc, at, pc);
}

void scalar_trace_stages(struct scalar_trace *v, uint64_t t, sim_time at) {
    const struct scalar_units *u = v->sm->scalar;
    if (t & (u->divisor - 1)) return; /* values of the units last for one of their cycles */
    for (unsigned n = 0; n < u->units; ++n) {
        uint32_t pc;
        const struct scalar_unit *x = &u->unit[n];
        const bool issues = x->issue_cycle == t;
        shown_value(v->trace, &v->unit[n].thread, at, issues ? x->issue_slot : u->threads);
        shown_value(v->trace, &v->unit[n].cause, at,
                    x->cause_cycle == t ? x->cause : scalar_units_idle_cause(v->sm, n, t, &pc));
        if (issues) show_issue(v, &v->unit[n], x->issue_pc, at);
    }
}

void scalar_trace_registers(struct scalar_trace *v, uint64_t t, sim_time at) {
    const struct scalar_units *u = v->sm->scalar;
    for (unsigned slot = 0; slot < u->threads; ++slot) {
        const struct scalar_thread *h = &u->thread[slot];
        struct thread_shown *o = &v->thread[slot];
        shown_value(v->trace, &o->state, at, scalar_thread_cause(v->sm, slot, t));
        shown_value(v->trace, &o->in_memory, at, h->live ? h->in_memory : 0);
        if (h->live) shown_value(v->trace, &o->pc, at, h->pc);
    }
}

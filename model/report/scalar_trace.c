/*
 * The waves of the scalar units: a unit's issue, or the reason for none, from the edge of cycle t; the wait
 * reason of each thread after it from the edge of t + 1.
 */
#include "model/report/shown.h"
#include "model/sm/scalar_parts.h"

#include "sim/error.h"

#include <stdlib.h>

struct scalar_trace {
    struct trace *trace;
    const struct sm *sm;
    struct unit_shown {
        struct shown thread, cause;
        struct shown_instruction issued;
    } unit[SCALAR_MAX_UNITS];
    struct thread_shown {
        struct shown state, pc, in_memory;
    } * thread;
    struct shown_numbers threads;
};

static void declare_units(struct scalar_trace *v) {
    const struct scalar_units *u = v->sm->scalar;
    for (unsigned n = 0; n < u->units; ++n) {
        char name[24];
        snprintf(name, sizeof name, "scalar%u", n);
        trace_scope(v->trace, name);
        v->unit[n].thread = shown_declare_number(v->trace, "thread", &v->threads);
        v->unit[n].issued = shown_declare_instruction(v->trace);
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
    require_memory(v->thread);
    shown_name_numbers(&v->threads, "scalar_thread", u->threads);
    declare_units(v);
    declare_threads(v);
    return v;
}

void scalar_trace_free(struct scalar_trace *v) {
    if (!v) return;
    free(v->thread);
    free(v);
}

void scalar_trace_stages(struct scalar_trace *v, uint64_t t, sim_time at) {
    const struct scalar_units *u = v->sm->scalar;
    if (t & (u->divisor - 1)) return; /* values of the units last for one of their cycles */
    for (unsigned n = 0; n < u->units; ++n) {
        uint32_t pc;
        const struct scalar_unit *x = &u->unit[n];
        const bool issues = x->issue_cycle == t;
        show(&v->unit[n].thread, at, issues ? x->issue_slot : u->threads);
        show(&v->unit[n].cause, at,
             x->cause_cycle == t ? x->cause : scalar_units_idle_cause(v->sm, n, t, &pc));
        if (issues) show_instruction(&v->unit[n].issued, at, v->sm->launch->code, x->issue_pc);
    }
}

void scalar_trace_registers(struct scalar_trace *v, uint64_t t, sim_time at) {
    const struct scalar_units *u = v->sm->scalar;
    for (unsigned slot = 0; slot < u->threads; ++slot) {
        const struct scalar_thread *h = &u->thread[slot];
        struct thread_shown *o = &v->thread[slot];
        show(&o->state, at, scalar_thread_cause(v->sm, slot, t));
        show(&o->in_memory, at, h->live ? h->in_memory : 0);
        if (h->live) show(&o->pc, at, h->pc);
    }
}

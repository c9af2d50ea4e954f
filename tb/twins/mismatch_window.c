/* The waveform of a mismatch: the recorded cycles of model, Verilog and their difference. */
#include "tb/twins/mismatch.h"

#include "model/machine/machine.h"
#include "tb/twins/twin_waves.h"

#include <stdio.h>
#include <stdlib.h>

/* Inputs appear once, since both sides have the same. */
enum scope { SCOPE_INPUTS, SCOPE_MODEL, SCOPE_RTL, SCOPE_DIFF, SCOPE_COUNT };
static const char *const scope_name[] = {"inputs", "model", "rtl", "diff"};

#define CYCLE_PS 1000 /* duration of a cycle without a machine */

/* Returns the time at which a cycle began. */
static sim_time time_of(const struct mismatch *m, uint64_t cycle) {
    return m->machine ? machine_time_of(m->machine, cycle) : cycle * CYCLE_PS;
}

struct window {
    const struct mismatch *mismatch;
    struct trace *trace;
    uint64_t begin, clocked; /* first cycle shown; first cycle whose clock has not been shown */
    trace_variable clock;
    trace_variable first[SCOPE_COUNT][MISMATCH_TWINS]; /* first variable of the twin's elements in
                                                        * that scope */
    trace_variable row[SCOPE_COUNT];                   /* first variable of the elements of the
                                                        * differing row */
    trace_variable *inside[MISMATCH_TWINS];            /* variables of the Verilog's insides; NULL: unknown */
    unsigned insides[MISMATCH_TWINS];                  /* number of the latest records that have them */
};

static enum trace_format format_of(unsigned bits) {
    return bits == 1 ? TRACE_BINARY : TRACE_HEX;
}

/* Returns whether an element is shown first: it differs in the latest cycle, or in the row. */
static bool differs(const struct mismatch *m, const struct twin *t, const struct twin_port *p, unsigned n) {
    const struct twin_record *r = twin_history(t, 0);
    if (p != m->port) return false;
    if (p->signal->kind == VERILOG_MEMORY)
        return twin_row_value(t, p, n, false) != twin_row_value(t, p, n, true);
    return r->model[p->slot + n] != r->verilog[p->slot + n];
}

static void declare_port(struct window *w, const struct twin *t, const struct twin_port *p,
                         trace_variable *first) {
    char name[VERILOG_MAX_NAME + 32];
    int length = snprintf(name, sizeof name, "%s%s", p->signal->name, twin_suffix[p->signal->kind]);
    if (p->signal->kind == VERILOG_MEMORY)
        length += snprintf(name + length, sizeof name - (size_t)length, "_%u", t->in_memory.row);
    for (unsigned n = 0; n < p->elements; ++n) {
        if (p->elements > 1) snprintf(name + length, sizeof name - (size_t)length, "_%u", n);
        const trace_variable v = trace_declare(w->trace, name, p->element_bits, format_of(p->element_bits));
        if (p->elements > 1) trace_hide(w->trace, v);
        if (*first == UINT32_MAX) *first = v;
        if (differs(w->mismatch, t, p, n)) trace_highlight(w->trace, v, "differs");
    }
}

/* Returns the first port of a scope. The difference omits inputs, which are equal. */
static unsigned first_of(enum scope scope, const struct twin *t) {
    return scope == SCOPE_INPUTS ? 0 : t->inputs;
}

static unsigned end_of(enum scope scope, const struct twin *t) {
    return scope == SCOPE_INPUTS ? t->inputs : scope == SCOPE_DIFF ? t->compared : t->ports;
}

static bool in_memory(const struct mismatch *m) {
    return m->port && m->port->signal->kind == VERILOG_MEMORY;
}

static void declare(struct window *w, enum scope scope) {
    trace_scope(w->trace, scope_name[scope]);
    w->row[scope] = UINT32_MAX;
    for (enum cluster_block b = 0; b < MISMATCH_TWINS; ++b) {
        const struct twin *t = w->mismatch->twin[b];
        w->first[scope][b] = UINT32_MAX;
        if (!t) continue;
        trace_scope(w->trace, t->block->name);
        for (unsigned i = first_of(scope, t); i < end_of(scope, t); ++i)
            declare_port(w, t, &t->port[i], &w->first[scope][b]);
        if (scope != SCOPE_INPUTS && b == w->mismatch->block && in_memory(w->mismatch))
            for (unsigned i = t->ports; i < t->ports + t->memories; ++i)
                declare_port(w, t, &t->port[i], &w->row[scope]);
        if (scope == SCOPE_RTL && w->insides[b]) twin_waves_declare(w->trace, t, true, &w->inside[b]);
        trace_upscope(w->trace);
    }
    trace_upscope(w->trace);
}

static twin_value value_in(enum scope scope, const struct twin_record *r, const struct twin_port *p,
                           unsigned n) {
    if (p->signal->kind == VERILOG_INPUT) return r->model[p->slot + n];
    if (scope == SCOPE_MODEL) return r->model[p->slot + n];
    if (scope == SCOPE_RTL) return r->verilog[p->slot + n];
    return r->model[p->slot + n] ^ r->verilog[p->slot + n];
}

static void show(struct window *w, enum cluster_block b, unsigned age) {
    const struct twin *t = w->mismatch->twin[b];
    const struct twin_record *r = twin_history(t, age);
    const sim_time at = time_of(w->mismatch, r->cycle > w->begin ? r->cycle : w->begin);
    for (enum scope scope = 0; scope < SCOPE_COUNT; ++scope) {
        trace_variable v = w->first[scope][b];
        for (unsigned i = first_of(scope, t); i < end_of(scope, t); ++i)
            for (unsigned n = 0; n < t->port[i].elements; ++n)
                twin_trace(w->trace, v++, at, value_in(scope, r, &t->port[i], n));
    }
    if (age < w->insides[b]) twin_waves_show(w->trace, t, w->inside[b], at, twin_insides_of(t, age));
}

/* Shows the row that differs. Memories are compared after the cycle's edge. */
static void show_row(struct window *w, sim_time at) {
    const struct twin *t = w->mismatch->twin[w->mismatch->block];
    for (enum scope scope = SCOPE_MODEL; scope < SCOPE_COUNT; ++scope) {
        trace_variable v = w->row[scope];
        for (unsigned i = t->ports; i < t->ports + t->memories; ++i)
            for (unsigned n = 0; n < t->port[i].elements; ++n) {
                const twin_value model = twin_row_value(t, &t->port[i], n, false),
                                 verilog = twin_row_value(t, &t->port[i], n, true);
                twin_trace(w->trace, v++, at,
                           scope == SCOPE_MODEL ? model
                           : scope == SCOPE_RTL ? verilog
                                                : model ^ verilog);
            }
    }
}

/* Shows the clock of cycles before `end`. The clock is high in the first half of a cycle. */
static void show_clock(struct window *w, uint64_t end) {
    for (; w->clocked < end; ++w->clocked) {
        const sim_time at = time_of(w->mismatch, w->clocked), next = time_of(w->mismatch, w->clocked + 1);
        trace_value(w->trace, w->clock, at, 1);
        trace_value(w->trace, w->clock, at + (next - at) / 2, 0);
    }
}

/* Returns the next record of a twin to be shown. A record may stand for many cycles, some of them before the
 * window. */
static const struct twin_record *next_record(const struct window *w, enum cluster_block b, unsigned *age) {
    for (; *age > 0; --*age) {
        const struct twin_record *r = twin_history(w->mismatch->twin[b], *age - 1);
        if (r && r->last >= w->begin) return r;
    }
    return NULL;
}

/* Shows the records of all twins, in the order of their cycles. */
static void show_history(struct window *w) {
    unsigned age[MISMATCH_TWINS];
    for (enum cluster_block b = 0; b < MISMATCH_TWINS; ++b) age[b] = TWIN_HISTORY;
    for (;;) {
        enum cluster_block next = MISMATCH_TWINS;
        const struct twin_record *earliest = NULL;
        for (enum cluster_block b = 0; b < MISMATCH_TWINS; ++b) {
            if (!w->mismatch->twin[b]) continue;
            const struct twin_record *r = next_record(w, b, &age[b]);
            if (!r || (earliest && earliest->cycle <= r->cycle)) continue;
            earliest = r;
            next = b;
        }
        if (!earliest) return;
        show_clock(w, earliest->cycle);
        show(w, next, --age[next]);
    }
}

/* Repeats the insides. Returns whether all designs with insides have them. */
static bool repeat_insides(struct window *w) {
    bool all = true;
    for (enum cluster_block b = 0; b < MISMATCH_TWINS; ++b) {
        struct twin *t = w->mismatch->twin[b];
        if (!t || !t->library.inside_open) continue;
        w->insides[b] = twin_insides_repeat(t);
        all &= w->insides[b] > 0;
    }
    return all;
}

bool mismatch_write_window(const struct mismatch *m, bool *inside, struct error *e) {
    const uint64_t last = twin_history(m->twin[m->block], 0)->last,
                   begin = last < TWIN_HISTORY ? 0 : last + 1 - TWIN_HISTORY, end = last + 1 + in_memory(m);
    struct window w = {
        .mismatch = m, .trace = trace_open(m->window, NULL, e), .begin = begin, .clocked = begin};
    if (!w.trace) return false;
    *inside = repeat_insides(&w);
    w.clock = trace_declare(w.trace, "clock", 1, TRACE_BINARY);
    for (enum scope scope = 0; scope < SCOPE_COUNT; ++scope) declare(&w, scope);
    show_history(&w);
    show_clock(&w, last + 1);
    if (in_memory(m)) show_row(&w, time_of(m, last + 1));
    show_clock(&w, end);
    trace_value(w.trace, w.clock, time_of(m, end), 1); /* gives the last cycle its duration */
    trace_mark(w.trace, time_of(m, end - 1));
    const bool viewed = trace_write_view(w.trace, time_of(m, begin), time_of(m, end), e);
    for (enum cluster_block b = 0; b < MISMATCH_TWINS; ++b) free(w.inside[b]);
    return trace_close(w.trace, e) && viewed;
}

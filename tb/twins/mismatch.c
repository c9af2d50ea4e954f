#include "tb/twins/mismatch.h"

#include "model/report/text.h"

#include <inttypes.h>
#include <string.h>

#define SHOWN_CYCLES 8

/* --- signals --- */

/* Hexadecimal. */
static void put_value(struct text *s, twin_value value) {
    const uint64_t high = (uint64_t)(value >> 64), low = (uint64_t)value;
    if (high)
        text_put(s, "%" PRIx64 "%016" PRIx64, high, low);
    else
        text_put(s, "%" PRIx64, low);
}

/* Prints an array as runs of equal elements that are not 0: name[0..7]=10040 name[8]=10044. */
static void put_array(struct text *s, const struct twin_port *p, const twin_value *value) {
    for (unsigned n = 0, end; n < p->elements; n = end) {
        for (end = n + 1; end < p->elements && value[end] == value[n];) ++end;
        if (!value[n]) continue;
        if (end == n + 1)
            text_put(s, " %s_i[%u]=", p->signal->name, n);
        else
            text_put(s, " %s_i[%u..%u]=", p->signal->name, n, end - 1);
        put_value(s, value[n]);
    }
}

static void put_inputs(struct text *s, const struct twin *t) {
    text_put(s, "\n  inputs     (hexadecimal, values that are not 0; arrays in the last cycle only)");
    for (unsigned age = SHOWN_CYCLES; age-- > 0;) {
        const struct twin_record *r = twin_history(t, age);
        if (!r) continue;
        text_put(s, "\n    cycle %" PRIu64, r->cycle);
        if (r->last != r->cycle) text_put(s, " to %" PRIu64, r->last);
        text_put(s, ":");
        for (unsigned i = 0; i < t->inputs; ++i) {
            const struct twin_port *p = &t->port[i];
            if (p->elements == 1 && r->model[p->slot]) {
                text_put(s, " %s_i=", p->signal->name);
                put_value(s, r->model[p->slot]);
            } else if (p->elements > 1 && age == 0) {
                put_array(s, p, &r->model[p->slot]);
            }
        }
    }
}

static void put_outputs(struct text *s, const struct twin *t) {
    const struct twin_record *r = twin_history(t, 0);
    text_put(s, "\n  outputs   ");
    for (unsigned i = t->inputs; i < t->ports; ++i) {
        if (!t->port[i].output) continue;
        text_put(s, " %s_o=", t->port[i].signal->name);
        put_value(s, r->verilog[t->port[i].slot]);
    }
}

static void put_values(struct text *s, const struct twin *t, const struct twin_port *p, const char *ours,
                       const char *theirs) {
    const struct twin_difference d = twin_difference(t, p);
    char name[TWIN_MAX_NAME];
    twin_name(p, d, name);
    text_put(s, "%s%s0x", name, ours);
    put_value(s, d.model);
    text_put(s, "%s0x", theirs);
    put_value(s, d.verilog);
}

static void put_others(struct text *s, const struct twin *t, const struct twin_port *first) {
    const struct twin_record *r = twin_history(t, 0);
    const char *before = "\n  also       ";
    for (unsigned i = t->inputs; i < t->compared; ++i) {
        const struct twin_port *p = &t->port[i];
        if (p == first || twin_different_element(r, p) == p->elements) continue;
        text_put(s, "%s", before);
        put_values(s, t, p, ": C ", ", Verilog ");
        before = "; ";
    }
}

/* Prints a word as the shell expects it. */
static void put_word(struct text *s, const char *word) {
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_./=:,+@%";
    if (*word && strspn(word, plain) == strlen(word)) {
        text_put(s, " %s", word);
        return;
    }
    text_put(s, " '");
    for (; *word; ++word) text_put(s, *word == '\'' ? "'\\''" : "%c", *word);
    text_put(s, "'");
}

static void put_difference(struct text *s, const struct mismatch *m) {
    const struct twin *t = m->twin[m->block];
    text_put(s, "%s and its Verilog disagree in cycle %" PRIu64 ": ", t->block->name,
             twin_history(t, 0)->last);
    put_values(s, t, m->port, " is ", " in the C model, ");
    text_put(s, " in the Verilog%s", m->drives ? " (which drives)" : "");
    put_others(s, t, m->port);
}

/* Prints the counts of each work-group. */
static void put_groups(struct text *s, const struct contract_state *c) {
    for (uint64_t rest = c->used; rest; rest &= rest - 1) {
        const struct contract_group *g = &c->group[__builtin_ctzll(rest)];
        if (!g->live) continue;
        text_put(s, "\n  counted    ");
        if (c->used != 1) text_put(s, "in slot %u ", (unsigned)__builtin_ctzll(rest));
        text_put(s, "%u live threads, of which %u wait%s", g->live, g->waiting,
                 g->mixed ? ", at different barriers" : "");
    }
}

static void put_broken(struct text *s, const struct mismatch *m) {
    const struct twin *t = m->twin[m->block];
    text_put(s, "the Verilog of %s breaks the slot's contract in cycle %" PRIu64 ": %s: %s", t->block->name,
             twin_history(t, 0)->last, m->rule->name, m->rule->broken);
    put_outputs(s, t);
    if (t->block->slot == CLUSTER_BLOCK_BARRIERS) put_groups(s, &t->state);
}

static void put_stopped(struct text *s, const struct mismatch *m) {
    const struct twin *t = m->twin[m->block];
    text_put(s, "the Verilog of %s stopped in cycle %" PRIu64 ": %s", t->block->name,
             twin_history(t, 0)->last, t->stopped);
}

static void put_window(struct text *s, const struct mismatch *m) {
    struct error no_window = {0};
    bool inside = true;
    if (!mismatch_write_window(m, &inside, &no_window)) {
        text_put(s, "\n  window     none: %s", no_window.message);
        return;
    }
    text_put(s, "\n  window     %s: marker A in the last cycle; gtkwave %s %.*s.gtkw", m->window, m->window,
             (int)strlen(m->window) - 4, m->window);
    const char *left_out = twin_left_out(m->twin[m->block]);
    if (!inside)
        text_put(s, "; what is inside the design is not in it: its last cycles cannot be repeated");
    else if (left_out)
        text_put(s, "; not in it, since it has at most %s rows of a memory: %s", VERILATED_INSIDES_ROWS,
                 left_out);
}

void mismatch_report(const struct mismatch *m, struct error *e) {
    char screen[3000];
    struct text s = {screen, sizeof screen};
    if (m->port)
        put_difference(&s, m);
    else if (m->rule)
        put_broken(&s, m);
    else
        put_stopped(&s, m);
    text_put(&s, "\n  where      %s", m->where);
    text_put(&s, "\n  Verilog    %s", m->source);
    if (m->ended) text_put(&s, "\n  found      when the launch had ended: %s", m->ended);
    put_window(&s, m);
    if (m->command) text_put(&s, "\n  replay     %s", m->command[0]);
    for (unsigned n = 1; m->command && m->command[n]; ++n) put_word(&s, m->command[n]);
    put_inputs(&s, m->twin[m->block]); /* last, since they may be truncated for a large machine */
    error_set(e, EXIT_TWINS_DISAGREE, "%s", screen);
}

#include "model/report/sm_trace_places.h"

#include "model/report/text.h"
#include "sim/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 8192, MOST_TABLES = 8 };

/* A table with the present and the last shown text of its entries. */
struct table {
    trace_variable variable;
    char text[TEXT], shown[TEXT];
    struct text at;
};

struct sm_trace_places {
    struct trace *trace;
    const struct sm *sm;
    unsigned scheduler;
    trace_variable state[PLACE_STATES];
    unsigned count[PLACE_STATES], counted[PLACE_STATES];
    unsigned tables;
    struct table table[MOST_TABLES];
};

struct sm_trace_places *sm_trace_places_create(const struct sm *s, unsigned scheduler, struct trace *t) {
    static const char *const names[PLACE_STATES] = {"threads_ready",     "threads_in_flight",
                                                    "threads_in_memory", "threads_inactive",
                                                    "threads_to_meet",   "threads_at_barrier"};
    struct sm_trace_places *v = calloc(1, sizeof *v);
    require_memory(v);
    v->trace = t;
    v->sm = s;
    v->scheduler = scheduler;
    for (unsigned n = 0; n < PLACE_STATES; ++n) {
        v->state[n] = trace_declare(t, names[n], 12, TRACE_DECIMAL);
        v->counted[n] = ~0u;
    }
    for (const char *const *name = sm_place_tables(s); *name; ++name) {
        invariant(v->tables < MOST_TABLES, "an engine of more than %d tables", MOST_TABLES);
        v->table[v->tables].shown[0] = '?'; /* differs from the beginning of any text */
        v->table[v->tables++].variable = trace_declare(t, *name, 0, TRACE_STRING);
    }
    return v;
}

void sm_trace_places_free(struct sm_trace_places *v) {
    free(v);
}

/* Appends the threads; adjacent threads of a warp are joined. */
static void put_threads(struct text *out, const struct thread_place *p, unsigned size) {
    for (unsigned n = 0; n < p->count;) {
        unsigned last = n;
        while (last + 1 < p->count && p->thread[last + 1] == p->thread[last] + 1 &&
               p->thread[last + 1] / size == p->thread[n] / size)
            ++last;
        text_put(out, "%s%u:%u", n ? "," : "", p->thread[n] / size, p->thread[n] % size);
        if (last > n) text_put(out, "-%u", p->thread[last] % size);
        n = last + 1;
    }
}

static void add(void *context, const struct thread_place *p) {
    struct sm_trace_places *v = context;
    unsigned n = 0;
    while (strcmp(sm_place_tables(v->sm)[n], p->table) != 0) ++n;
    struct text *out = &v->table[n].at;
    v->count[p->state] += p->count;
    text_put(out, "%s", v->table[n].text[0] ? " " : "");
    if (p->warp >= 0) text_put(out, "%d", p->warp);
    text_put(out, "[%u] 0x%x ", p->entry, p->pc);
    put_threads(out, p, v->sm->warp_size);
}

void sm_trace_places_show(struct sm_trace_places *v, sim_time at) {
    memset(v->count, 0, sizeof v->count);
    for (unsigned n = 0; n < v->tables; ++n) {
        v->table[n].text[0] = '\0';
        v->table[n].at = (struct text){v->table[n].text, TEXT};
    }
    if (v->sm->scheduler[v->scheduler].live) v->sm->divergence->places(v->sm, v->scheduler, add, v);
    for (unsigned n = 0; n < PLACE_STATES; ++n) {
        if (v->count[n] == v->counted[n]) continue;
        v->counted[n] = v->count[n];
        trace_value(v->trace, v->state[n], at, v->count[n]);
    }
    for (unsigned n = 0; n < v->tables; ++n) {
        struct table *t = &v->table[n];
        if (strcmp(t->text, t->shown) == 0) continue;
        memcpy(t->shown, t->text, sizeof t->shown);
        trace_string(v->trace, t->variable, at, t->text);
    }
}

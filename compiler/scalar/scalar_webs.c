#include "compiler/scalar/scalar_webs.h"

#include "compiler/driver/trouble.h"

#include <stdlib.h>
#include <string.h>

#define REGISTERS SCALAR_NOTE_ARCHITECTURAL

/* --- liveness --- */

struct liveness {
    const struct scalar_code *code;
    struct scalar_webs *webs;
    uint64_t *results; /* for each function: registers that a caller reads after it */
};

/* Returns the registers given to a function: only registers that a call passes. */
static uint64_t arguments(const struct liveness *l, size_t function) {
    return l->webs->live_in[l->code->functions[function].begin] & SCALAR_CALL_KILLS;
}

/* Returns the registers live before a node, from those after it; tells a callee which results are read. */
static uint64_t live_before(const struct liveness *l, const struct scalar_node *n, uint64_t out,
                            bool *changed) {
    if (n->callee == SCALAR_NONE) return (n->reads & ~SCALAR_SP) | (out & ~(n->writes & ~n->keeps));
    const uint64_t results = out & SCALAR_CALL_KILLS & ~SCALAR_LR;
    *changed |= (l->results[n->callee] | results) != l->results[n->callee];
    l->results[n->callee] |= results;
    return (arguments(l, n->callee) & (n->tail_call ? ~UINT64_C(0) : ~SCALAR_LR)) |
           (out & ~SCALAR_CALL_KILLS);
}

static bool live_in_function(const struct liveness *l, const struct scalar_function *f, size_t function) {
    bool changed = false;
    for (size_t n = f->limit; n-- > f->begin;) {
        const struct scalar_node *s = &l->code->nodes[n];
        uint64_t out = n == f->end ? l->results[function] : 0;
        for (size_t i = 0; i < s->successors && !s->ends_thread; i++)
            out |= l->webs->live_in[l->code->successors[s->successor + i]];
        l->webs->live_out[n] = out;
        const uint64_t in = live_before(l, s, out, &changed);
        changed |= in != l->webs->live_in[n];
        l->webs->live_in[n] = in;
    }
    return changed;
}

static void find_live(const struct scalar_code *c, struct scalar_webs *w) {
    struct liveness l = {c, w, allocate(NULL, (c->function_count + 1) * sizeof *l.results)};
    memset(l.results, 0, (c->function_count + 1) * sizeof *l.results);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < c->ordered; i++)
            while (live_in_function(&l, &c->functions[c->order[i]], c->order[i])) changed = true;
    }
    free(l.results);
}

/* --- webs: a value read at a node is item 2k, one written item 2k + 1 --- */

static size_t item_in(size_t node, unsigned r) {
    return 2 * (node * REGISTERS + r);
}

static size_t item_out(size_t node, unsigned r) {
    return item_in(node, r) + 1;
}

static size_t find_root(size_t *parent, size_t item) {
    while (parent[item] != item) item = parent[item] = parent[parent[item]];
    return item;
}

static void join(size_t *parent, size_t a, size_t b) {
    const size_t x = find_root(parent, a), y = find_root(parent, b);
    parent[x > y ? x : y] = x > y ? y : x;
}

static void join_flow(const struct scalar_code *c, const struct scalar_webs *w, size_t *parent, size_t node) {
    const struct scalar_node *n = &c->nodes[node];
    for (size_t i = 0; i < n->successors && !n->ends_thread; i++) {
        const size_t to = c->successors[n->successor + i];
        SCALAR_FOR_EACH(r, w->live_in[to])
        join(parent, w->writes[node] >> r & 1 ? item_out(node, r) : item_in(node, r), item_in(to, r));
    }
    SCALAR_FOR_EACH(r, n->keeps & w->live_out[node]) join(parent, item_in(node, r), item_out(node, r));
}

/* Joins the webs of a call's arguments with the callee's at its beginning, and of its results with the
 * callee's at its end. */
static void join_call(const struct scalar_code *c, const struct scalar_webs *w, size_t *parent, size_t node) {
    const struct scalar_node *n = &c->nodes[node];
    const struct scalar_function *g = &c->functions[n->callee];
    SCALAR_FOR_EACH(r, w->live_in[g->begin] & SCALAR_CALL_KILLS) {
        const bool link = r == 14 && !n->tail_call; /* LR is written by the call itself */
        join(parent, link ? item_out(node, r) : item_in(node, r), item_in(g->begin, r));
    }
    SCALAR_FOR_EACH(r, w->live_out[node] & SCALAR_CALL_KILLS & ~SCALAR_LR)
    join(parent, item_out(node, r), item_in(g->end, r));
}

static void join_all(const struct scalar_code *c, struct scalar_webs *w, size_t *parent) {
    for (size_t i = 0; i < c->ordered; i++) {
        const struct scalar_function *f = &c->functions[c->order[i]];
        for (size_t n = f->begin; n < f->limit; n++) {
            join_flow(c, w, parent, n);
            if (c->nodes[n].callee != SCALAR_NONE) join_call(c, w, parent, n);
        }
    }
}

static size_t number(struct scalar_webs *w, size_t *of, size_t root, uint32_t address) {
    if (of[root] != SCALAR_NONE) return of[root];
    w->address = grow(w->address, w->count, sizeof *w->address);
    w->address[w->count] = address;
    return of[root] = w->count++;
}

/* Returns the web of the stack pointer, which has one value at a time and is preserved by functions: a single
 * web. */
static size_t number_sp(struct scalar_webs *w, uint32_t address) {
    if (w->sp != SCALAR_NONE) return w->sp;
    w->address = grow(w->address, w->count, sizeof *w->address);
    w->address[w->count] = address;
    return w->sp = w->count++;
}

static void number_node(const struct scalar_code *c, struct scalar_webs *w, size_t *parent, size_t *of,
                        size_t node) {
    const struct scalar_node *n = &c->nodes[node];
    const size_t at = node * REGISTERS;
    SCALAR_FOR_EACH(r, w->live_in[node])
    w->in[at + r] = number(w, of, find_root(parent, item_in(node, r)), n->address);
    SCALAR_FOR_EACH(r, w->writes[node] & ~SCALAR_SP)
    w->out[at + r] = number(w, of, find_root(parent, item_out(node, r)), n->address);
    if (n->reads & SCALAR_SP) w->in[at + 13] = number_sp(w, n->address);
    if (n->writes & SCALAR_SP) w->out[at + 13] = number_sp(w, n->address);
}

void scalar_webs_find(struct scalar_webs *w, const struct scalar_code *c) {
    const size_t items = 2 * c->node_count * REGISTERS;
    size_t *parent = allocate(NULL, (items + 1) * sizeof *parent),
           *of = allocate(NULL, (items + 1) * sizeof *of);
    *w = (struct scalar_webs){.sp = SCALAR_NONE};
    uint64_t **const sets[] = {&w->live_in, &w->live_out, &w->writes};
    for (size_t i = 0; i < 3; i++) {
        *sets[i] = allocate(NULL, (c->node_count + 1) * sizeof **sets[i]);
        memset(*sets[i], 0, (c->node_count + 1) * sizeof **sets[i]);
    }
    w->in = allocate(NULL, (items + 1) * sizeof *w->in);
    w->out = allocate(NULL, (items + 1) * sizeof *w->out);
    for (size_t i = 0; i < items; i++) {
        parent[i] = i;
        of[i] = w->in[i] = w->out[i] = SCALAR_NONE;
    }
    find_live(c, w);
    for (size_t n = 0; n < c->node_count; n++) {
        w->writes[n] = c->nodes[n].writes;
        if (c->nodes[n].callee != SCALAR_NONE)
            w->writes[n] |= w->live_out[n] & SCALAR_CALL_KILLS & ~SCALAR_LR;
    }
    join_all(c, w, parent);
    for (size_t i = 0; i < c->ordered; i++) {
        const struct scalar_function *f = &c->functions[c->order[i]];
        for (size_t n = f->begin; n < f->limit; n++) number_node(c, w, parent, of, n);
    }
    free(parent);
    free(of);
}

void scalar_webs_free(struct scalar_webs *w) {
    free(w->in);
    free(w->out);
    free(w->live_in);
    free(w->live_out);
    free(w->writes);
    free(w->address);
    *w = (struct scalar_webs){0};
}

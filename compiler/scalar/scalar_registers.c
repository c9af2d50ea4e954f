#include "compiler/scalar/scalar_registers.h"

#include "compiler/driver/trouble.h"

#include <stdlib.h>
#include <string.h>

/* Interference of webs: a row of bits for each, and for each function the needs of its callers. */
struct interference {
    const struct scalar_code *code;
    const struct scalar_webs *webs;
    const struct scalar_classes *classes;
    size_t words;
    uint64_t *rows, *across, *scalars;
};

static void add(uint64_t *set, size_t web) {
    set[web / 64] |= UINT64_C(1) << web % 64;
}

static bool has(const uint64_t *set, size_t web) {
    return set[web / 64] >> web % 64 & 1;
}

static void add_all(uint64_t *to, const uint64_t *from, size_t words) {
    for (size_t i = 0; i < words; i++) to[i] |= from[i];
}

static uint64_t *row(const struct interference *x, size_t web) {
    return x->rows + web * x->words;
}

static uint64_t *across(const struct interference *x, size_t function) {
    return x->across + function * x->words;
}

static void *zeros(size_t size) {
    return memset(allocate(NULL, size), 0, size);
}

/* --- what is needed at a node --- */

/* Finds the webs live after a node, including its own definitions. */
static void live_behind(const struct interference *x, size_t node, uint64_t *set) {
    const struct scalar_webs *w = x->webs;
    memset(set, 0, x->words * sizeof *set);
    SCALAR_FOR_EACH(r, w->live_out[node])
    add(set, w->writes[node] >> r & 1 ? scalar_web_out(w, node, r) : scalar_web_in(w, node, r));
    SCALAR_FOR_EACH(r, w->writes[node]) add(set, scalar_web_out(w, node, r));
}

static void live_before(const struct interference *x, size_t node, uint64_t *set) {
    memset(set, 0, x->words * sizeof *set);
    SCALAR_FOR_EACH(r, x->webs->live_in[node]) add(set, scalar_web_in(x->webs, node, r));
}

/* A caller's values that are live after a call, except the call's results, are live in the whole callee. */
static void hand_across(const struct interference *x, size_t node, uint64_t *set) {
    const struct scalar_node *n = &x->code->nodes[node];
    uint64_t *to = across(x, n->callee);
    memset(set, 0, x->words * sizeof *set);
    SCALAR_FOR_EACH(r, x->webs->live_out[node] & ~x->webs->writes[node])
    add(set, scalar_web_in(x->webs, node, r));
    add_all(to, set, x->words);
    add_all(to, across(x, n->function), x->words);
}

static void interfere_in_function(const struct interference *x, size_t function, uint64_t *set) {
    const struct scalar_function *f = &x->code->functions[function];
    live_before(x, f->begin, set);
    add_all(set, across(x, function), x->words);
    SCALAR_FOR_EACH(r, x->webs->live_in[f->begin])
    add_all(row(x, scalar_web_in(x->webs, f->begin, r)), set, x->words);
    for (size_t n = f->begin; n < f->limit; n++) {
        if (!x->webs->writes[n] && x->code->nodes[n].callee == SCALAR_NONE) continue;
        live_behind(x, n, set);
        add_all(set, across(x, function), x->words);
        SCALAR_FOR_EACH(r, x->webs->writes[n])
        add_all(row(x, scalar_web_out(x->webs, n, r)), set, x->words);
        if (x->code->nodes[n].callee != SCALAR_NONE) hand_across(x, n, set);
    }
}

/* --- the stack pointer: a function needs it if it, one that it calls, or one that calls it uses it --- */

static void add_users(const struct interference *x, const struct scalar_function *f, uint64_t *set) {
    for (size_t n = f->begin; n < f->limit; n++) {
        SCALAR_FOR_EACH(r, x->webs->writes[n]) add(set, scalar_web_out(x->webs, n, r));
        SCALAR_FOR_EACH(r, x->webs->live_in[n]) add(set, scalar_web_in(x->webs, n, r));
    }
}

static bool uses_sp(const struct interference *x, const struct scalar_function *f) {
    for (size_t n = f->begin; n < f->limit; n++)
        if ((x->code->nodes[n].reads | x->code->nodes[n].writes) & SCALAR_SP) return true;
    return false;
}

static void interfere_sp(const struct interference *x) {
    for (size_t i = 0; x->webs->sp != SCALAR_NONE && i < x->code->ordered; i++) {
        const struct scalar_function *f = &x->code->functions[x->code->order[i]];
        if (!uses_sp(x, f)) continue;
        for (size_t g = 0; g < x->code->function_count; g++) {
            const struct scalar_function *other = &x->code->functions[g];
            if (other->reached && (f->calls[g] || other->calls[x->code->order[i]]))
                add_users(x, other, row(x, x->webs->sp));
        }
    }
}

/* --- scalars that wait --- */

/* Values that one side of a divergent branch still needs must not be overwritten by another side's
 * definitions. */
static void interfere_sides(const struct interference *x, size_t branch, uint64_t *set) {
    const struct scalar_node *n = &x->code->nodes[branch];
    for (size_t k = 0; k < n->successors; k++) {
        struct scalar_side side;
        scalar_side_find(&side, x->code, x->webs, branch, x->code->successors[n->successor + k]);
        for (size_t j = 0; j < n->successors; j++) {
            const size_t start = x->code->successors[n->successor + j];
            if (j == k || start == n->meeting) continue;
            live_before(x, start, set);
            for (size_t web = 0; web < x->webs->count; web++)
                if (has(side.defined, web) && has(x->scalars, web)) add_all(row(x, web), set, x->words);
        }
        scalar_side_free(&side);
    }
}

static void make_symmetric(const struct interference *x) {
    for (size_t a = 0; a < x->webs->count; a++)
        for (size_t i = 0; i < x->words; i++)
            for (uint64_t rest = row(x, a)[i]; rest; rest &= rest - 1)
                add(row(x, 64 * i + (size_t)__builtin_ctzll(rest)), a);
}

static void find_interference(struct interference *x) {
    uint64_t *set = allocate(NULL, x->words * sizeof *set);
    for (size_t i = 0; i < x->code->ordered; i++) interfere_in_function(x, x->code->order[i], set);
    interfere_sp(x);
    for (size_t i = 0; i < x->classes->divergent_count; i++)
        interfere_sides(x, x->classes->divergent[i], set);
    make_symmetric(x);
    /* Interference counts only within a class. */
    for (size_t web = 0; web < x->webs->count; web++)
        for (size_t i = 0; i < x->words; i++)
            row(x, web)[i] &= has(x->scalars, web) ? x->scalars[i] : ~x->scalars[i];
    free(set);
}

/* --- colours --- */

struct vertex {
    size_t web, degree;
    uint32_t address;
};

static int compare(const void *a, const void *b) {
    const struct vertex *x = a, *y = b;
    if (x->degree != y->degree) return x->degree < y->degree ? 1 : -1;
    if (x->address != y->address) return x->address < y->address ? -1 : 1;
    return (x->web > y->web) - (x->web < y->web);
}

static void colour(const struct interference *x, unsigned *number) {
    const size_t count = x->webs->count;
    struct vertex *v = allocate(NULL, (count + 1) * sizeof *v);
    bool *taken = allocate(NULL, count + 2);
    for (size_t web = 0; web < count; web++) {
        v[web] = (struct vertex){web, 0, x->webs->address[web]};
        for (size_t i = 0; i < x->words; i++) v[web].degree += (size_t)__builtin_popcountll(row(x, web)[i]);
        number[web] = UINT32_MAX;
    }
    if (count) qsort(v, count, sizeof *v, compare);
    for (size_t n = 0; n < count; n++) {
        memset(taken, 0, count + 2);
        for (size_t i = 0; i < x->words; i++)
            for (uint64_t rest = row(x, v[n].web)[i]; rest; rest &= rest - 1) {
                const size_t other = 64 * i + (size_t)__builtin_ctzll(rest);
                if (other != v[n].web && number[other] != UINT32_MAX) taken[number[other]] = true;
            }
        unsigned free_one = 0;
        while (taken[free_one]) free_one++;
        number[v[n].web] = free_one;
    }
    free(taken);
    free(v);
}

static void count_web(struct scalar_registers *r, const struct interference *x, size_t kernel, size_t web) {
    unsigned *most = has(x->scalars, web) ? &r->scalars[kernel] : &r->vectors[kernel];
    if (r->number[web] + 1 > *most) *most = r->number[web] + 1;
}

/* Counts the registers of the operands in all functions that the kernel reaches. */
static void count_kernel(struct scalar_registers *r, const struct interference *x, size_t kernel) {
    const struct scalar_function *thunk = &x->code->functions[x->code->thunks[kernel]];
    for (size_t g = 0; g < x->code->function_count; g++) {
        const struct scalar_function *f = &x->code->functions[g];
        for (size_t n = f->begin; thunk->calls[g] && n < f->limit; n++) {
            SCALAR_FOR_EACH(i, x->code->nodes[n].reads) count_web(r, x, kernel, scalar_web_in(x->webs, n, i));
            SCALAR_FOR_EACH(i, x->webs->writes[n]) count_web(r, x, kernel, scalar_web_out(x->webs, n, i));
        }
    }
}

void scalar_registers_find(struct scalar_registers *r, const struct scalar_code *c,
                           const struct scalar_webs *w, const struct scalar_classes *k) {
    struct interference x = {.code = c, .webs = w, .classes = k, .words = w->count / 64 + 1};
    x.rows = zeros((w->count + 1) * x.words * sizeof *x.rows);
    x.across = zeros((c->function_count + 1) * x.words * sizeof *x.across);
    x.scalars = zeros(x.words * sizeof *x.scalars);
    for (size_t web = 0; web < w->count; web++)
        if (k->webs[web].why == SCALAR_IS_SCALAR) add(x.scalars, web);
    find_interference(&x);
    *r = (struct scalar_registers){allocate(NULL, (w->count + 1) * sizeof *r->number),
                                   zeros((c->thunk_count + 1) * sizeof *r->vectors),
                                   zeros((c->thunk_count + 1) * sizeof *r->scalars)};
    colour(&x, r->number);
    for (size_t kernel = 0; kernel < c->thunk_count; kernel++) count_kernel(r, &x, kernel);
    free(x.rows);
    free(x.across);
    free(x.scalars);
}

void scalar_registers_free(struct scalar_registers *r) {
    free(r->number);
    free(r->vectors);
    free(r->scalars);
    *r = (struct scalar_registers){0};
}

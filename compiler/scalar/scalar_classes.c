#include "compiler/scalar/scalar_classes.h"

#include "compiler/driver/trouble.h"

#include <stdlib.h>
#include <string.h>

/* State of the analysis. */
struct analysis {
    const struct scalar_code *code;
    const struct scalar_webs *webs;
    struct scalar_classes *classes;
    enum compile_scalarize rule;
    bool *known;        /* for each node: a branch whose region has been handled */
    bool *parted;       /* for each function: called between a divergent branch and its meeting */
    bool *parted_known; /* its barriers have been handled, too */
    bool changed;
};

static bool is_vector(const struct analysis *a, size_t web) {
    if (web >= a->webs->count) defect("an operand without a web");
    return a->classes->webs[web].why != SCALAR_IS_SCALAR;
}

static void make_vector(struct analysis *a, size_t web, enum scalar_why why, size_t node, size_t other) {
    if (is_vector(a, web)) return;
    a->classes->webs[web] = (struct scalar_reason){why, node, other};
    a->changed = true;
}

static void make_vector_instruction(struct analysis *a, size_t node, enum scalar_why why, size_t at,
                                    size_t web) {
    if (a->classes->nodes[node].why != SCALAR_IS_SCALAR) return;
    a->classes->nodes[node] = (struct scalar_reason){why, at, web};
    a->changed = true;
}

/* --- rules 1 to 3: operands --- */

/* Gives the halves of one operand one class. */
static void join_pairs(struct analysis *a, size_t node) {
    SCALAR_FOR_EACH(r, a->code->nodes[node].pairs) {
        const size_t low = scalar_web_in(a->webs, node, r), high = scalar_web_in(a->webs, node, r + 1);
        if (is_vector(a, low)) make_vector(a, high, SCALAR_PAIR, node, low);
        if (is_vector(a, high)) make_vector(a, low, SCALAR_PAIR, node, high);
    }
}

static void apply_operands(struct analysis *a, size_t node) {
    const struct scalar_node *n = &a->code->nodes[node];
    join_pairs(a, node);
    if (n->varies) make_vector_instruction(a, node, SCALAR_VARIES, node, SCALAR_NONE);
    SCALAR_FOR_EACH(r, n->reads) {
        const size_t web = scalar_web_in(a->webs, node, r);
        if (is_vector(a, web)) make_vector_instruction(a, node, SCALAR_READS, node, web);
    }
    SCALAR_FOR_EACH(r, n->writes) {
        const size_t web = scalar_web_out(a->webs, node, r);
        if (is_vector(a, web)) make_vector_instruction(a, node, SCALAR_WRITES, node, web);
    }
    if (a->classes->nodes[node].why == SCALAR_IS_SCALAR) return;
    SCALAR_FOR_EACH(r, n->writes)
    make_vector(a, scalar_web_out(a->webs, node, r), SCALAR_INSTRUCTION, node, SCALAR_NONE);
}

/* --- rule 4: control --- */

/* Returns whether a node is a branch with a vector condition, or a jump through a table with a vector index.
 * Returns go to the place of their call. */
static bool is_divergent(const struct analysis *a, size_t node) {
    const struct scalar_node *n = &a->code->nodes[node];
    if (n->successors < 2) return false;
    if (n->table_jump) return a->classes->nodes[node].why != SCALAR_IS_SCALAR;
    return is_vector(a, scalar_web_in(a->webs, node, SCALAR_NOTE_NZCV));
}

static bool has(const uint64_t *set, size_t web) {
    return set[web / 64] >> web % 64 & 1;
}

/* Makes the side's definitions that are live before a node vectors. */
static void make_live_vectors(struct analysis *a, const uint64_t *defined, size_t node, enum scalar_why why,
                              size_t branch) {
    SCALAR_FOR_EACH(r, a->webs->live_in[node]) {
        const size_t web = scalar_web_in(a->webs, node, r);
        if (has(defined, web)) make_vector(a, web, why, branch, SCALAR_NONE);
    }
}

/* Applies the barriers on a side, including callees: there threads of other sides execute. */
static void apply_barriers(struct analysis *a, const struct scalar_side *s, const uint64_t *defined,
                           size_t branch) {
    for (size_t i = 0; i < s->count; i++) {
        const struct scalar_node *n = &a->code->nodes[s->nodes[i]];
        const bool inside = n->callee != SCALAR_NONE && a->code->functions[n->callee].has_barrier;
        if (n->barrier || inside)
            for (size_t e = 0; e < n->successors; e++)
                make_live_vectors(a, defined, a->code->successors[n->successor + e], SCALAR_BARRIER, branch);
        if (n->callee == SCALAR_NONE) continue;
        for (size_t g = 0; g < a->code->function_count; g++)
            a->parted[g] |= a->code->functions[n->callee].calls[g];
    }
}

/* Applies the barriers of a function that only some threads call, to the values that it defines before
 * them. */
static void apply_parted(struct analysis *a, size_t function) {
    const struct scalar_function *f = &a->code->functions[function];
    struct scalar_side s = {.nodes = allocate(NULL, (f->limit - f->begin) * sizeof *s.nodes),
                            .defined = allocate(NULL, (a->webs->count / 64 + 1) * sizeof *s.defined)};
    memset(s.defined, 0, (a->webs->count / 64 + 1) * sizeof *s.defined);
    scalar_side_add_function(s.defined, a->code, a->webs, function);
    for (size_t n = f->begin; n < f->limit; n++) s.nodes[s.count++] = n;
    apply_barriers(a, &s, s.defined, f->begin);
    scalar_side_free(&s);
}

/* Lee et al.: all values between a divergent branch and its meeting, including callees, are vectors. */
static void apply_convergent(struct analysis *a, const struct scalar_side *s, size_t branch) {
    for (size_t i = 0; i < s->count; i++) {
        const size_t callee = a->code->nodes[s->nodes[i]].callee;
        make_vector_instruction(a, s->nodes[i], SCALAR_REGION, branch, SCALAR_NONE);
        for (size_t g = 0; callee != SCALAR_NONE && g < a->code->function_count; g++)
            for (size_t n = a->code->functions[g].begin;
                 a->code->functions[callee].calls[g] && n < a->code->functions[g].limit; n++)
                make_vector_instruction(a, n, SCALAR_REGION, branch, SCALAR_NONE);
    }
}

/* Lucas et al.: values defined there are vectors if they are read where the threads meet, or on another side
 * by threads that wait for this one. */
static void apply_wide(struct analysis *a, const struct scalar_side *sides, size_t count, size_t branch) {
    const struct scalar_node *n = &a->code->nodes[branch];
    for (size_t k = 0; k < count; k++) {
        make_live_vectors(a, sides[k].defined, n->meeting, SCALAR_MEETING, branch);
        for (size_t j = 0; j < count; j++) {
            const size_t start = a->code->successors[n->successor + j];
            if (j != k) make_live_vectors(a, sides[k].defined, start, SCALAR_SIDE, branch);
        }
        for (size_t j = 0; j < count; j++) apply_barriers(a, &sides[j], sides[k].defined, branch);
    }
}

static void apply_region(struct analysis *a, size_t branch) {
    const struct scalar_node *n = &a->code->nodes[branch];
    struct scalar_side *sides = allocate(NULL, n->successors * sizeof *sides);
    for (size_t k = 0; k < n->successors; k++)
        scalar_side_find(&sides[k], a->code, a->webs, branch, a->code->successors[n->successor + k]);
    if (a->rule == SCALARIZE_CONVERGENT)
        for (size_t k = 0; k < n->successors; k++) apply_convergent(a, &sides[k], branch);
    else
        apply_wide(a, sides, n->successors, branch);
    for (size_t k = 0; k < n->successors; k++) scalar_side_free(&sides[k]);
    free(sides);
    a->changed = true;
}

/* --- the fixed point --- */

static void apply_function(struct analysis *a, size_t function) {
    const struct scalar_function *f = &a->code->functions[function];
    for (size_t n = f->begin; n < f->limit; n++) {
        if (a->rule == SCALARIZE_NONE && a->code->nodes[n].address)
            make_vector_instruction(a, n, SCALAR_BY_RULE, n, SCALAR_NONE);
        apply_operands(a, n);
        if (a->known[n] || !is_divergent(a, n)) continue;
        a->known[n] = true;
        a->classes->divergent =
            grow(a->classes->divergent, a->classes->divergent_count, sizeof *a->classes->divergent);
        a->classes->divergent[a->classes->divergent_count++] = n;
        apply_region(a, n);
    }
    if (!a->parted[function] || a->parted_known[function]) return;
    a->parted_known[function] = true;
    apply_parted(a, function);
}

static void *zeros(size_t count, size_t size) {
    void *p = allocate(NULL, (count + 1) * size);
    return memset(p, 0, (count + 1) * size);
}

void scalar_classes_find(struct scalar_classes *k, const struct scalar_code *c, const struct scalar_webs *w,
                         enum compile_scalarize rule) {
    struct analysis a = {.code = c,
                         .webs = w,
                         .classes = k,
                         .rule = rule,
                         .known = zeros(c->node_count, sizeof *a.known),
                         .parted = zeros(c->function_count, sizeof *a.parted),
                         .parted_known = zeros(c->function_count, sizeof *a.parted_known),
                         .changed = true};
    *k = (struct scalar_classes){.webs = zeros(w->count, sizeof *k->webs),
                                 .nodes = zeros(c->node_count, sizeof *k->nodes)};
    if (rule == SCALARIZE_NONE)
        for (size_t web = 0; web < w->count; web++) make_vector(&a, web, SCALAR_BY_RULE, 0, SCALAR_NONE);
    if (w->sp != SCALAR_NONE) make_vector(&a, w->sp, SCALAR_STACK, 0, SCALAR_NONE);
    while (a.changed) {
        a.changed = false;
        for (size_t i = 0; i < c->ordered; i++) apply_function(&a, c->order[i]);
    }
    free(a.known);
    free(a.parted);
    free(a.parted_known);
}

void scalar_classes_free(struct scalar_classes *k) {
    free(k->webs);
    free(k->nodes);
    free(k->divergent);
    *k = (struct scalar_classes){0};
}

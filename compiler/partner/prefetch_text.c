/* Writes the prefetching scalar kernel as OpenCL C (prefetch.h). */
#include "compiler/partner/prefetch_parts.h"
#include "compiler/partner/kernel_slice_parts.h"
#include "compiler/partner/partner_parts.h"

#include "compiler/driver/trouble.h"

#include <stdlib.h>
#include <string.h>

static void line(struct emission *e, const char *text) {
    text_printf(e->t, "%*s%s\n", (int)(4 * e->indent), "", text);
}

static void declare(struct emission *e, const struct slice_variable *v) {
    struct text t = {0};
    prefetch_put_declaration(e, v, &t);
    text_add(&t, ";");
    line(e, t.data);
    text_free(&t);
}

/* --- loads --- */

/* Returns whether a value fits one register; else only one byte of it is loaded. */
static bool fits_register(CXCursor expression) {
    CXType type = clang_getCanonicalType(clang_getCursorType(expression));
    return type.kind == CXType_Float || type.kind == CXType_Enum ||
           (type.kind >= CXType_Bool && type.kind <= CXType_LongLong && clang_Type_getSizeOf(type) <= 4);
}

/* An empty assembly uses the value, so that the compiler keeps the load. The scalar thread does not wait for
 * it. */
static void put_load(struct emission *e, CXCursor expression, struct text *t) {
    text_printf(t, "__asm__ volatile(\"\" ::\"r\"(%s",
                fits_register(expression) ? "" : "*(__global const uchar *)&");
    prefetch_put(e, expression, fits_register(expression), t);
    text_add(t, "));");
}

/* Marks the variables whose values are recomputed for each local id. */
static void mark_anew(const struct kernel_slice *s, CXCursor cursor, bool *anew) {
    const struct slice_variable *v = slice_variable_of(s, cursor);
    if (v) {
        const struct slice_strides g = prefetch_variable_strides(s, v);
        if (prefetch_strides_known(&g)) return;
        anew[v - s->variables] = true;
        mark_anew(s, v->initialiser, anew);
        return;
    }
    struct children c = syntax_children(cursor);
    for (size_t i = 0; i < c.count; i++) mark_anew(s, c.list[i], anew);
    children_free(&c);
}

/* A load and the following ones over the same local ids: they share a loop. */
struct together {
    const struct prefetch_load *first;
    bool *anew;
    struct text loads; /* one line each */
    unsigned count;
};

static void add_load(struct emission *e, struct together *g, const struct prefetch_load *l) {
    struct text load = {0};
    put_load(e, e->p->s->loads[l->load].expression, &load);
    text_add(&load, "\n");
    if (!g->loads.size || !strstr(g->loads.data, load.data)) {
        text_add(&g->loads, load.data);
        g->count++;
    }
    text_free(&load);
}

static void open_id_loops(struct emission *e, const struct together *g, bool braces) {
    unsigned inner = 0;
    while (inner + 1 < SLICE_DIMENSIONS && !g->first->step[inner]) inner++;
    for (unsigned d = SLICE_DIMENSIONS; d-- > 0;) {
        struct text head = {0};
        if (!g->first->step[d]) continue;
        const char *i = e->index[d];
        text_printf(&head, "for (int %s = 0; %s < ", i, i);
        prefetch_put_size(e, d, &head);
        text_printf(&head, "; %s", i);
        if (g->first->step[d] > 1)
            text_printf(&head, " += %u)", g->first->step[d]);
        else
            text_add(&head, "++)");
        if (d == inner && braces) text_add(&head, " {");
        line(e, head.data);
        text_free(&head);
        e->indent++;
    }
}

static void put_together(struct emission *e, struct together *g) {
    unsigned declared = 0;
    const unsigned indent = e->indent;
    const bool loop = g->first->step[0] || g->first->step[1] || g->first->step[2];
    for (size_t i = 0; i < e->p->s->variable_count; i++) declared += g->anew[i];
    const bool braces = declared + g->count > 1 && loop;
    open_id_loops(e, g, braces);
    for (size_t i = 0; i < e->p->s->variable_count; i++)
        if (g->anew[i]) declare(e, &e->p->s->variables[i]);
    for (char *next, *at = g->loads.data; *at; at = next + 1) {
        next = strchr(at, '\n');
        *next = 0;
        line(e, at);
    }
    if (braces) e->indent--;
    if (braces) line(e, "}");
    e->indent = indent;
}

static bool same_ids(const struct emission *e, const struct together *g, const struct prefetch_load *l,
                     const bool *anew) {
    return !memcmp(g->first->step, l->step, sizeof l->step) &&
           !memcmp(g->anew, anew, e->p->s->variable_count);
}

static void put_loads(struct emission *e, size_t loop) {
    const size_t variables = e->p->s->variable_count;
    struct together g = {0};
    for (size_t i = 0; i <= e->p->load_count; i++) {
        const struct prefetch_load *l = i < e->p->load_count ? &e->p->loads[i] : NULL;
        if (l && e->p->s->loads[l->load].loop != loop) continue;
        bool *anew = allocate(NULL, variables + 1);
        memset(anew, 0, variables + 1);
        if (l) mark_anew(e->p->s, e->p->s->loads[l->load].expression, anew);
        if (g.first && (!l || !same_ids(e, &g, l, anew))) {
            e->load = g.first;
            put_together(e, &g);
            e->load = NULL;
            free(g.anew);
            text_free(&g.loads);
            g = (struct together){0};
        }
        if (!g.first) {
            g.first = l;
            g.anew = anew;
        } else {
            free(anew);
        }
        e->load = l;
        if (l) add_load(e, &g, l);
        e->load = NULL;
    }
    free(g.anew);
}

/* --- loops --- */

/* A part of a loop's or the kernel's body, in source order. */
struct item {
    size_t offset;
    enum { ITEM_VARIABLE, ITEM_RETURN, ITEM_LOADS, ITEM_LOOP, ITEM_STEP } kind;
    size_t number;
};

static int compare_items(const void *a, const void *b) {
    const struct item *x = a, *y = b;
    if (x->offset != y->offset) return x->offset < y->offset ? -1 : 1;
    return (int)x->kind - (int)y->kind;
}

static bool is_in_head(const struct kernel_slice *s, size_t offset, size_t loop) {
    const struct slice_loop *l = &s->loops[loop];
    return l->is_for && offset >= syntax_begin(l->statement) && offset < syntax_begin(l->body);
}

static bool is_declared_in_head(const struct kernel_slice *s, const struct slice_variable *v) {
    return v->kind == SLICE_COUNTER && is_in_head(s, syntax_begin(v->declaration), v->counts);
}

static void put_level(struct emission *e, size_t loop);

/* Returns whether all work-items of a group evaluate a guard alike. */
static bool is_group_guard(const struct kernel_slice *s, CXCursor condition, size_t loop) {
    if (!slice_computable(s, condition, loop, NULL)) return false;
    const struct slice_strides g = slice_strides_of(s, condition);
    return slice_is_uniform(&g);
}

static void put_guards(const struct emission *e, size_t loop, struct text *t) {
    const struct slice_loop *l = &e->p->s->loops[loop];
    for (size_t i = 0; i < l->guard_count; i++) {
        if (!is_group_guard(e->p->s, l->guards[i].condition, l->parent)) continue;
        text_add(t, l->guards[i].negated ? "if (!(" : "if (");
        prefetch_put(e, l->guards[i].condition, true, t);
        text_add(t, l->guards[i].negated ? ")) " : ") ");
    }
}

static void put_condition(const struct emission *e, size_t loop, struct text *t) {
    struct prefetch_condition c;
    prefetch_condition(e->p->s, loop, &c);
    for (size_t i = 0; i < c.count; i++) {
        text_add(t, i ? " && " : "");
        prefetch_put(e, c.parts[i], true, t);
    }
    if (!c.check_step) return;
    CXCursor value;
    bool minus;
    slice_step_value(e->p->s, c.counter, c.counter->step, &value, &minus);
    text_add(t, " && ");
    prefetch_put_operand(e, value, t);
    text_add(t, " > 0");
}

/* Writes the counters' initial values in the head of a `for`, and their steps; counters of other types than
 * the first are declared before it. */
static void put_head(struct emission *e, size_t loop, struct text *before, struct text *start,
                     struct text *steps) {
    const struct kernel_slice *s = e->p->s;
    for (size_t i = 0; i < s->variable_count; i++) {
        const struct slice_variable *v = &s->variables[i];
        if (!e->p->outside[i] || v->kind != SLICE_COUNTER || v->counts != loop) continue;
        if (is_declared_in_head(s, v)) {
            struct text *to = start->size ? before : start;
            prefetch_put_declaration(e, v, to);
            text_add(to, start == to ? "" : "; ");
        }
        if (!is_in_head(s, syntax_begin(v->step->statement), loop)) continue;
        if (steps->size) text_add(steps, ", ");
        prefetch_put_step(e, v, e->p->skips[loop], steps);
    }
}

static void put_loop(struct emission *e, size_t loop) {
    const struct slice_loop *l = &e->p->s->loops[loop];
    struct text head = {0}, before = {0}, start = {0}, steps = {0}, condition = {0};
    if (l->parent == SLICE_NONE && e->skipped) text_printf(&head, "%s = 2;", e->skip);
    if (head.size) line(e, head.data);
    text_free(&head);
    put_guards(e, loop, &head);
    if (head.size) text_add(&head, "{ ");
    const bool guarded = head.size > 0;
    put_head(e, loop, &before, &start, &steps);
    put_condition(e, loop, &condition);
    if (before.size && !guarded) text_add(&head, "{ ");
    text_add(&head, text_string(&before));
    if (l->is_for)
        text_printf(&head, "for (%s; %s; %s) {", text_string(&start), condition.data, text_string(&steps));
    else if (l->is_do)
        text_add(&head, "do {");
    else
        text_printf(&head, "while (%s) {", condition.data);
    line(e, head.data);
    e->indent++;
    put_level(e, loop);
    e->indent--;
    text_free(&head);
    text_add(&head, "}");
    if (l->is_do) text_printf(&head, " while (%s);", condition.data);
    if (guarded || before.size) text_add(&head, " }");
    line(e, head.data);
    e->skipped |= e->p->skips[loop] || e->skipped;
    text_free(&head);
    text_free(&before);
    text_free(&start);
    text_free(&steps);
    text_free(&condition);
}

static void put_loads_of_loop(struct emission *e, size_t loop) {
    struct text t = {0};
    const bool skips = loop != SLICE_NONE && e->p->skips[loop];
    text_printf(&t, "const ulong %s = lockstep_clock();", e->clocks[0]);
    if (skips) line(e, t.data);
    put_loads(e, loop);
    text_free(&t);
    text_printf(&t, "const ulong %s = lockstep_clock();", e->clocks[1]);
    if (skips) line(e, t.data);
    text_free(&t);
    text_printf(&t, "if (%s - %s < %u) %s++;", e->clocks[1], e->clocks[0], e->p->options.latency_cycles,
                e->skip);
    if (skips) line(e, t.data);
    text_free(&t);
}

static void put_return(struct emission *e, CXCursor condition) {
    struct text t = {0};
    text_add(&t, "if (");
    prefetch_put(e, condition, true, &t);
    text_add(&t, ") return;");
    line(e, t.data);
    text_free(&t);
}

static void put_statement_of_step(struct emission *e, const struct slice_variable *v) {
    struct text t = {0};
    prefetch_put_step(e, v, e->p->skips[v->counts], &t);
    text_add(&t, ";");
    line(e, t.data);
    text_free(&t);
}

static void put_item(struct emission *e, const struct item *i, size_t loop) {
    const struct kernel_slice *s = e->p->s;
    switch (i->kind) {
    case ITEM_VARIABLE: declare(e, &s->variables[i->number]); break;
    case ITEM_RETURN: put_return(e, s->returns[i->number].condition); break;
    case ITEM_LOADS: put_loads_of_loop(e, loop); break;
    case ITEM_LOOP: put_loop(e, i->number); break;
    case ITEM_STEP: put_statement_of_step(e, &s->variables[i->number]); break;
    }
}

static void add_item(struct item **list, size_t *count, struct item item) {
    *list = grow(*list, *count, sizeof **list);
    (*list)[(*count)++] = item;
}

static void add_variable_items(const struct emission *e, size_t loop, struct item **list, size_t *count) {
    const struct kernel_slice *s = e->p->s;
    for (size_t i = 0; i < s->variable_count; i++) {
        const struct slice_variable *v = &s->variables[i];
        if (!e->p->outside[i]) continue;
        if (v->loop == loop && !v->parameter && !is_declared_in_head(s, v))
            add_item(list, count, (struct item){syntax_begin(v->declaration), ITEM_VARIABLE, i});
        if (v->kind == SLICE_COUNTER && v->counts == loop &&
            !is_in_head(s, syntax_begin(v->step->statement), loop))
            add_item(list, count, (struct item){syntax_begin(v->step->statement), ITEM_STEP, i});
    }
}

static void put_level(struct emission *e, size_t loop) {
    const struct kernel_slice *s = e->p->s;
    struct item *list = NULL;
    size_t count = 0, last = SLICE_NONE;
    add_variable_items(e, loop, &list, &count);
    for (size_t i = 0; i < s->loop_count; i++)
        if (e->p->loops[i] && s->loops[i].parent == loop)
            add_item(&list, &count, (struct item){syntax_begin(s->loops[i].statement), ITEM_LOOP, i});
    for (size_t i = 0; i < s->return_count && loop == SLICE_NONE && !e->p->ahead; i++)
        if (is_group_guard(s, s->returns[i].condition, SLICE_NONE))
            add_item(&list, &count, (struct item){syntax_begin(s->returns[i].statement), ITEM_RETURN, i});
    for (size_t i = 0; i < e->p->load_count; i++)
        if (s->loads[e->p->loads[i].load].loop == loop)
            last = syntax_begin(s->loads[e->p->loads[i].load].expression);
    if (last != SLICE_NONE) add_item(&list, &count, (struct item){last, ITEM_LOADS, 0});
    if (count) qsort(list, count, sizeof *list, compare_items);
    for (size_t i = 0; i < count; i++) put_item(e, &list[i], loop);
    free(list);
}

/* --- the kernel --- */

/* Computes the work-group that follows in the place of this one. */
static void put_ahead(struct emission *e) {
    struct text t = {0}, groups = {0};
    text_printf(&t, "const uint %s = get_group_id(0)", e->group);
    text_add(&groups, "get_num_groups(0)");
    for (unsigned d = 1; d < e->dimensions; d++) {
        text_printf(&t, " + %s * get_group_id(%u)", groups.data, d);
        text_printf(&groups, " * get_num_groups(%u)", d);
    }
    text_add(&t, " + lockstep_groups_in_flight();");
    line(e, t.data);
    text_free(&t);
    text_printf(&t, "if (%s >= %s) return;", e->group, groups.data);
    line(e, t.data);
    text_free(&groups);
    for (unsigned d = 0; e->dimensions > 1 && d < e->dimensions; d++) {
        text_free(&t);
        text_printf(&t, "const uint %s%u = %s", e->group, d, e->group);
        for (unsigned k = 0; k < d; k++) text_printf(&t, " / get_num_groups(%u)", k);
        if (d + 1 < e->dimensions) text_printf(&t, " %% get_num_groups(%u)", d);
        text_add(&t, ";");
        line(e, t.data);
    }
    text_free(&t);
}

void prefetch_text(const struct prefetch *p, const char *name, struct text *t) {
    struct text body = {0}, skip = {0};
    struct emission e = {
        .p = p, .t = &body, .indent = 1, .dimensions = prefetch_most_dimension(p->s->kernel) + 1};
    prefetch_choose_names(&e);
    put_level(&e, SLICE_NONE);
    text_printf(&skip, "lockstep_note(%s);", e.skip);
    if (e.skipped) line(&e, skip.data);
    text_free(&skip);
    text_printf(t, "__kernel void %s(", name);
    partner_put_parameters(p->s, t);
    text_add(t, ") {\n");
    e.t = t;
    if (p->ahead) put_ahead(&e);
    text_printf(&skip, "int %s = 2;", e.skip);
    if (e.skipped) line(&e, skip.data);
    text_printf(t, "%s}\n", text_string(&body));
    prefetch_free_names(&e);
    text_free(&skip);
    text_free(&body);
}

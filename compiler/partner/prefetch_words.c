/* Writes expressions and variables of the prefetching scalar kernel (prefetch.h). */
#include "compiler/partner/prefetch_parts.h"
#include "compiler/partner/kernel_slice_parts.h"
#include "compiler/partner/partner_parts.h"

#include "compiler/driver/trouble.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* --- names --- */

static bool is_word_at(const char *text, size_t begin, size_t end, size_t at, size_t length) {
    const bool left = at > begin && (isalnum((unsigned char)text[at - 1]) || text[at - 1] == '_');
    const char next = at + length < end ? text[at + length] : ' ';
    return !left && !isalnum((unsigned char)next) && next != '_';
}

/* Returns a name that the kernel does not use. */
static char *fresh(const struct kernel_slice *s, const char *wanted) {
    const char *text = s->syntax->text->data;
    const size_t begin = syntax_begin(s->kernel), end = syntax_end(s->kernel);
    struct text name = {0};
    text_add(&name, wanted);
    for (bool taken = true; taken;) {
        taken = false;
        for (size_t at = begin; at + name.size <= end && !taken; at++)
            taken = !memcmp(text + at, name.data, name.size) && is_word_at(text, begin, end, at, name.size);
        if (taken) text_add(&name, "_");
    }
    return name.data;
}

void prefetch_choose_names(struct emission *e) {
    static const char *const index[] = {"i", "j", "l"}, *const clocks[] = {"c0", "c1"};
    const struct kernel_slice *s = e->p->s;
    e->group = fresh(s, "group");
    e->skip = fresh(s, "SKIP");
    for (unsigned n = 0; n < SLICE_DIMENSIONS; n++) e->index[n] = fresh(s, index[n]);
    for (unsigned n = 0; n < 2; n++) e->clocks[n] = fresh(s, clocks[n]);
}

void prefetch_free_names(struct emission *e) {
    for (unsigned n = 0; n < SLICE_DIMENSIONS; n++) free(e->index[n]);
    for (unsigned n = 0; n < 2; n++) free(e->clocks[n]);
    free(e->group);
    free(e->skip);
}

/* Appends a variable's name. Variables with one name in different blocks may end up in one block: each gets
 * its own name. */
static void put_name(const struct emission *e, const struct slice_variable *v, struct text *t) {
    const struct kernel_slice *s = e->p->s;
    unsigned same = 1;
    for (const struct slice_variable *w = s->variables; w < v; w++) same += !strcmp(w->name, v->name);
    struct text name = {0};
    text_add(&name, v->name);
    if (same > 1) text_printf(&name, "_%u", same);
    char *unused = same > 1 ? fresh(s, name.data) : copy_string(name.data);
    text_add(t, unused);
    free(unused);
    text_free(&name);
}

unsigned prefetch_most_dimension(CXCursor cursor) {
    struct children c = syntax_children(cursor);
    unsigned most = 0;
    if (clang_getCursorKind(cursor) == CXCursor_CallExpr && slice_id_dimension(cursor) > 0)
        most = (unsigned)slice_id_dimension(cursor);
    for (size_t i = 0; i < c.count; i++) {
        const unsigned inner = prefetch_most_dimension(c.list[i]);
        most = inner > most ? inner : most;
    }
    children_free(&c);
    return most;
}

/* --- expressions --- */

void prefetch_put_size(const struct emission *e, unsigned dimension, struct text *t) {
    char *size = partner_group_size(e->p->s, dimension);
    const bool number = size && size[strspn(size, "0123456789")] == 0;
    if (size)
        text_printf(t, number ? "%s" : "(%s)", size);
    else
        text_printf(t, "get_local_size(%u)", dimension);
    free(size);
}

static void put_group(const struct emission *e, unsigned d, struct text *t) {
    text_add(t, e->group);
    if (e->dimensions > 1) text_printf(t, "%u", d);
}

/* Appends " + 4 * i": the distance of the work-item from the first. */
static bool put_distance(const struct emission *e, const struct slice_strides *g, struct text *t) {
    bool any = false;
    for (unsigned d = 0; d < SLICE_DIMENSIONS; d++) {
        if (!g->by[d]) continue;
        any = true;
        text_add(t, g->by[d] < 0 ? " - " : " + ");
        if (labs(g->by[d]) != 1) text_printf(t, "%ld * ", labs(g->by[d]));
        text_add(t, e->index[d]);
    }
    return any;
}

static void put_variable(const struct emission *e, const struct slice_variable *v, bool bare,
                         struct text *t) {
    const struct slice_strides g = prefetch_variable_strides(e->p->s, v);
    struct text distance = {0};
    const bool apart = e->load && prefetch_strides_known(&g) && put_distance(e, &g, &distance);
    if (apart && !bare) text_add(t, "(");
    put_name(e, v, t);
    if (apart) text_add(t, distance.data);
    if (apart && !bare) text_add(t, ")");
    text_free(&distance);
}

/* Appends ids of another work-group or work-item. Returns false if the call does not change. */
static bool put_id(const struct emission *e, CXCursor call, bool bare, struct text *t) {
    const int dimension = slice_id_dimension(call);
    const unsigned d = dimension < 0 ? 0 : (unsigned)dimension;
    const bool moved = e->load && e->load->step[d];
    CXString spelling = clang_getCursorSpelling(call);
    const char *name = clang_getCString(spelling);
    bool done = dimension >= 0;
    if (done && !strcmp(name, "get_local_id") && moved) {
        text_add(t, e->index[d]);
    } else if (done && !strcmp(name, "get_group_id") && e->p->ahead) {
        put_group(e, d, t);
    } else if (done && !strcmp(name, "get_global_id") && (moved || e->p->ahead)) {
        if (!bare) text_add(t, "(");
        if (e->p->ahead) {
            put_group(e, d, t);
            text_add(t, " * ");
            prefetch_put_size(e, d, t);
            text_printf(t, " + get_global_offset(%u)", d);
        } else {
            text_printf(t, "get_global_id(%u)", d);
        }
        if (moved) text_printf(t, " + %s", e->index[d]);
        if (!bare) text_add(t, ")");
    } else {
        done = false;
    }
    clang_disposeString(spelling);
    return done;
}

void prefetch_put(const struct emission *e, CXCursor cursor, bool bare, struct text *t) {
    const struct kernel_slice *s = e->p->s;
    const enum CXCursorKind kind = clang_getCursorKind(cursor);
    const struct slice_variable *v = kind == CXCursor_DeclRefExpr ? slice_variable_of(s, cursor) : NULL;
    if (v) {
        put_variable(e, v, bare, t);
        return;
    }
    if (kind == CXCursor_CallExpr && put_id(e, cursor, bare, t)) return;
    struct children c = syntax_children(cursor);
    size_t at = syntax_begin(cursor);
    const size_t end = syntax_end(cursor);
    for (size_t i = 0; i < c.count; i++) {
        const size_t begin = syntax_begin(c.list[i]);
        if (begin < at || syntax_end(c.list[i]) > end) continue; /* implied by a macro or conversion */
        syntax_words(s->syntax, at, begin, t);
        prefetch_put(e, c.list[i],
                     (kind == CXCursor_ArraySubscriptExpr && i == 1) ||
                         (bare && kind == CXCursor_UnexposedExpr) || kind == CXCursor_ParenExpr,
                     t);
        at = syntax_end(c.list[i]);
    }
    syntax_words(s->syntax, at, end, t);
    children_free(&c);
}

void prefetch_put_operand(const struct emission *e, CXCursor cursor, struct text *t) {
    const enum CXCursorKind kind = clang_getCursorKind(syntax_strip(cursor));
    const bool paren = (kind == CXCursor_BinaryOperator || kind == CXCursor_ConditionalOperator) &&
                       clang_getCursorKind(cursor) != CXCursor_ParenExpr;
    if (paren) text_add(t, "(");
    prefetch_put(e, cursor, paren, t);
    if (paren) text_add(t, ")");
}

/* --- variables --- */

void prefetch_put_declaration(const struct emission *e, const struct slice_variable *v, struct text *t) {
    syntax_type(clang_getCursorType(v->declaration), t);
    if (t->data[t->size - 1] != '*') text_add(t, " ");
    put_name(e, v, t);
    text_add(t, " = ");
    prefetch_put(e, v->initialiser, true, t);
}

void prefetch_put_step(const struct emission *e, const struct slice_variable *v, bool skips, struct text *t) {
    CXCursor value;
    bool minus;
    slice_step_value(e->p->s, v, v->step, &value, &minus);
    put_name(e, v, t);
    if (!v->step->has_value && !skips) {
        text_add(t, minus ? "--" : "++");
        return;
    }
    text_add(t, minus ? " -= " : " += ");
    if (skips) text_add(t, e->skip);
    if (skips && e->p->turns[v->counts] > 1) text_printf(t, " * %u", e->p->turns[v->counts]);
    if (skips && v->step->has_value) text_add(t, " * ");
    if (v->step->has_value && skips) prefetch_put_operand(e, value, t);
    if (v->step->has_value && !skips) prefetch_put(e, value, true, t);
}

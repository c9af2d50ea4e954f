#include "compiler/source/split_conditions.h"

#include "compiler/driver/trouble.h"

#include <stdlib.h>
#include <string.h>

#define SPLIT "__lockstep_split();"

struct splitting {
    const struct program *program;
    struct edits *edits;
    bool *waits; /* for each function: it or a callee has a barrier */
};

static bool is_barrier(CXCursor call) {
    CXString name = clang_getCursorSpelling(call);
    const char *spelling = clang_getCString(name);
    bool barrier = !strcmp(spelling, "barrier") || !strcmp(spelling, "wait_group_events");
    clang_disposeString(name);
    return barrier;
}

/* Returns whether a statement or its callees contain a barrier. */
static bool waits(const struct splitting *x, CXCursor cursor) {
    bool found = false;
    if (clang_getCursorKind(cursor) == CXCursor_CallExpr) {
        CXCursor callee = clang_getCursorDefinition(clang_getCursorReferenced(cursor));
        found = is_barrier(cursor);
        for (size_t i = 0; i < x->program->count && !found; i++)
            found = x->waits[i] && clang_equalCursors(x->program->functions[i].cursor, callee);
    }
    struct children c = syntax_children(cursor);
    for (size_t i = 0; i < c.count && !found; i++) found = waits(x, c.list[i]);
    children_free(&c);
    return found;
}

/* Returns whether a statement has a condition that can be a region. */
static bool has_head(CXCursor statement) {
    enum CXCursorKind kind = clang_getCursorKind(statement);
    return kind == CXCursor_IfStmt || kind == CXCursor_ForStmt || kind == CXCursor_WhileStmt ||
           kind == CXCursor_DoStmt;
}

static bool is_split(const struct splitting *x, CXCursor statement) {
    return has_head(statement) && waits(x, statement);
}

static void find_waiting(struct splitting *x) {
    const struct program *p = x->program;
    x->waits = allocate(NULL, p->count * sizeof *x->waits);
    memset(x->waits, 0, p->count * sizeof *x->waits);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < p->count; i++)
            if (!x->waits[i] && waits(x, p->functions[i].cursor)) x->waits[i] = changed = true;
    }
}

/* --- the parts of a statement's head --- */

static bool is_blank(const char *text, size_t begin, size_t end) {
    while (begin < end && strchr(" \t\r\n", text[begin])) begin++;
    return begin == end;
}

static void split_expression(struct splitting *x, size_t begin, size_t end) {
    if (is_blank(x->program->syntax->text->data, begin, end)) return;
    edits_insert(x->edits, begin, "({" SPLIT " ");
    edits_insert(x->edits, end, ";})");
}

/* The condition of an `if`, a `while` or, behind its body, a `do`. */
static void split_condition(struct splitting *x, size_t statement) {
    const char *text = x->program->syntax->text->data;
    size_t open = syntax_find_outside(text, statement, '(') + 1;
    split_expression(x, open, syntax_find_outside(text, open, ')'));
}

/* The condition and the increment of a `for`. */
static void split_head(struct splitting *x, size_t loop) {
    const char *text = x->program->syntax->text->data;
    size_t open = syntax_find_outside(text, loop, '(') + 1;
    size_t condition = syntax_find_outside(text, open, ';') + 1,
           step = syntax_find_outside(text, condition, ';') + 1;
    split_expression(x, condition, step - 1);
    split_expression(x, step, syntax_find_outside(text, step, ')'));
}

static void walk(struct splitting *x, CXCursor cursor, CXCursor attributed);

static void walk_children(struct splitting *x, CXCursor cursor) {
    struct children c = syntax_children(cursor);
    bool attributes = clang_getCursorKind(cursor) == CXCursor_UnexposedStmt;
    for (size_t i = 0; i < c.count; i++) walk(x, c.list[i], attributes ? cursor : c.list[i]);
    children_free(&c);
}

/* A statement that is the body of another: braces, with a region that begins in front of it. */
static void walk_body(struct splitting *x, CXCursor body) {
    const struct syntax *s = x->program->syntax;
    struct children c = syntax_children(body);
    bool attributes = clang_getCursorKind(body) == CXCursor_UnexposedStmt && c.count;
    CXCursor statement = attributes ? c.list[c.count - 1] : body;
    size_t begin = syntax_statement_begin(s, body, statement);
    children_free(&c);
    if (is_split(x, statement)) /* also handles a pragma there */
        edits_insert(x->edits, begin, "{" SPLIT " ");
    else
        edits_open(x->edits, s->text, begin, "{" SPLIT " ");
    walk(x, statement, body);
    edits_insert(x->edits, syntax_statement_end(s, body), "}");
}

/* The children are a loop's head and body, of a `do` in this order; or an if's condition, body and else. */
static void walk_parts(struct splitting *x, CXCursor statement) {
    struct children c = syntax_children(statement);
    enum CXCursorKind kind = clang_getCursorKind(statement);
    bool is_if = kind == CXCursor_IfStmt, is_do = kind == CXCursor_DoStmt;
    if (is_do)
        split_condition(x, syntax_statement_end(x->program->syntax, c.list[0]));
    else if (kind == CXCursor_ForStmt)
        split_head(x, syntax_begin(statement));
    else
        split_condition(x, syntax_begin(statement));
    for (size_t i = 0; i < c.count; i++) {
        bool body = is_if ? i > 0 : i == (is_do ? 0 : c.count - 1);
        if (body)
            walk_body(x, c.list[i]);
        else
            walk(x, c.list[i], c.list[i]);
    }
    children_free(&c);
}

static void walk(struct splitting *x, CXCursor cursor, CXCursor attributed) {
    const struct syntax *s = x->program->syntax;
    if (!is_split(x, cursor)) {
        if (!has_head(cursor)) walk_children(x, cursor);
        return;
    }
    edits_open(x->edits, s->text, syntax_statement_begin(s, attributed, cursor), "{");
    walk_parts(x, cursor);
    edits_insert(x->edits, syntax_statement_end(s, cursor), " " SPLIT "}");
}

void split_conditions(const struct program *p, struct edits *edits) {
    struct splitting x = {.program = p, .edits = edits};
    find_waiting(&x);
    for (size_t i = 0; i < p->count; i++)
        if (x.waits[i]) walk_children(&x, p->functions[i].cursor);
    free(x.waits);
}

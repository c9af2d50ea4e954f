#include "compiler/split_loops.h"

#include "compiler/trouble.h"

#include <stdlib.h>
#include <string.h>

#define SPLIT "__lockstep_split();"

struct splitting {
    const struct program *program;
    struct edits *edits;
    bool *waits; /* by function: it has a barrier, or one that it calls has */
};

static bool is_barrier(CXCursor call) {
    CXString name = clang_getCursorSpelling(call);
    const char *spelling = clang_getCString(name);
    bool barrier = !strcmp(spelling, "barrier") || !strcmp(spelling, "wait_group_events");
    clang_disposeString(name);
    return barrier;
}

/* Whether a barrier stands in a statement or in what it calls. */
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

/* --- the parts of a loop's head --- */

static size_t skip_quoted(const char *text, size_t at) {
    char quote = text[at++];
    while (text[at] && text[at] != quote) at += text[at] == '\\' && text[at + 1] ? 2 : 1;
    return at;
}

/* The next of `wanted` outside quotes and brackets. */
static size_t find_outside(const char *text, size_t at, char wanted) {
    for (int depth = 0; text[at]; at++) {
        char c = text[at];
        if (depth == 0 && c == wanted) return at;
        if (c == '"' || c == '\'') at = skip_quoted(text, at);
        depth += (c == '(' || c == '[' || c == '{') - (c == ')' || c == ']' || c == '}');
    }
    defect("a loop without its '%c'", wanted);
}

static bool is_blank(const char *text, size_t begin, size_t end) {
    while (begin < end && strchr(" \t\r\n", text[begin])) begin++;
    return begin == end;
}

static void split_expression(struct splitting *x, size_t begin, size_t end) {
    if (is_blank(x->program->syntax->text->data, begin, end)) return;
    edits_insert(x->edits, begin, "({" SPLIT " ");
    edits_insert(x->edits, end, ";})");
}

static void split_head(struct splitting *x, CXCursor loop) {
    const char *text = x->program->syntax->text->data;
    size_t open = find_outside(text, syntax_begin(loop), '(') + 1;
    if (clang_getCursorKind(loop) == CXCursor_WhileStmt) {
        split_expression(x, open, find_outside(text, open, ')'));
        return;
    }
    size_t condition = find_outside(text, open, ';') + 1, step = find_outside(text, condition, ';') + 1;
    split_expression(x, condition, step - 1);
    split_expression(x, step, find_outside(text, step, ')'));
}

static void walk(struct splitting *x, CXCursor cursor, CXCursor attributed);

static void walk_children(struct splitting *x, CXCursor cursor) {
    struct children c = syntax_children(cursor);
    bool attributes = clang_getCursorKind(cursor) == CXCursor_UnexposedStmt;
    for (size_t i = 0; i < c.count; i++) walk(x, c.list[i], attributes ? cursor : c.list[i]);
    children_free(&c);
}

static void walk_loop(struct splitting *x, CXCursor loop, CXCursor attributed) {
    const struct syntax *s = x->program->syntax;
    bool is_do = clang_getCursorKind(loop) == CXCursor_DoStmt;
    size_t begin = syntax_statement_begin(s, attributed, loop);
    bool pragma = s->text->data[begin] == '#'; /* its line must stay in front of the loop */
    struct children c = syntax_children(loop);
    CXCursor body = c.list[is_do ? 0 : c.count - 1];
    size_t body_end = syntax_statement_end(s, body);
    if (!pragma) edits_insert(x->edits, begin, "{");
    if (!is_do) split_head(x, loop);
    edits_insert(x->edits, syntax_begin(body), "{" SPLIT " ");
    walk_children(x, loop);
    edits_insert(x->edits, body_end, "}");
    if (is_do) {
        size_t open = find_outside(s->text->data, body_end, '(') + 1;
        split_expression(x, open, find_outside(s->text->data, open, ')'));
    }
    if (!pragma) edits_insert(x->edits, syntax_statement_end(s, loop), " " SPLIT "}");
    children_free(&c);
}

static void walk(struct splitting *x, CXCursor cursor, CXCursor attributed) {
    switch (clang_getCursorKind(cursor)) {
    case CXCursor_ForStmt:
    case CXCursor_WhileStmt:
    case CXCursor_DoStmt:
        if (waits(x, cursor)) {
            walk_loop(x, cursor, attributed);
            break;
        }
        return;
    default: walk_children(x, cursor);
    }
}

void split_loops(const struct program *p, struct edits *edits) {
    struct splitting x = {.program = p, .edits = edits};
    find_waiting(&x);
    for (size_t i = 0; i < p->count; i++)
        if (x.waits[i]) walk_children(&x, p->functions[i].cursor);
    free(x.waits);
}

#include "compiler/source/statements.h"

#include "compiler/driver/trouble.h"

#include <stdlib.h>

bool statement_is_conditional(const struct statement *s) {
    return s->kind == CXCursor_IfStmt || s->kind == CXCursor_ForStmt || s->kind == CXCursor_WhileStmt ||
           s->kind == CXCursor_DoStmt || s->kind == CXCursor_SwitchStmt;
}

bool statement_is_case(const struct statement *s) {
    return s->kind == CXCursor_CaseStmt || s->kind == CXCursor_DefaultStmt;
}

bool statement_is_label(const struct statement *s) {
    return s->kind == CXCursor_LabelStmt || statement_is_case(s);
}

/* --- reading --- */

static void read_statement(struct statements *s, CXCursor cursor, CXCursor attributed, size_t parent);

static size_t add_statement(struct statements *s, CXCursor cursor, CXCursor attributed, size_t parent) {
    size_t number = s->count;
    s->list = grow(s->list, number, sizeof *s->list);
    s->list[s->count++] = (struct statement){.cursor = cursor,
                                             .attributed = attributed,
                                             .kind = clang_getCursorKind(cursor),
                                             .parent = parent,
                                             .body = NO_STATEMENT,
                                             .otherwise = NO_STATEMENT};
    if (parent == NO_STATEMENT) return number;
    struct statement *p = &s->list[parent];
    s->list[number].position = p->child_count;
    p->children = grow(p->children, p->child_count, sizeof *p->children);
    p->children[p->child_count++] = number;
    return number;
}

/* A compound statement, or a lone one in its place. */
static size_t read_list(struct statements *s, CXCursor cursor, size_t parent) {
    size_t number = add_statement(s, cursor, cursor, parent);
    s->list[number].list = true;
    s->list[number].bare = s->list[number].kind != CXCursor_CompoundStmt;
    s->list[number].kind = CXCursor_CompoundStmt;
    if (s->list[number].bare) {
        read_statement(s, cursor, cursor, number);
        return number;
    }
    struct children c = syntax_children(cursor);
    for (size_t i = 0; i < c.count; i++) read_statement(s, c.list[i], c.list[i], number);
    children_free(&c);
    return number;
}

/* Threads would stand at any label then, at whatever level, and LLVM copies no function with one, which twins
 * need. */
static _Noreturn void refuse_computed_goto(CXCursor cursor) {
    char file[4096];
    unsigned line;
    syntax_position(cursor, file, sizeof file, &line);
    refuse("%s:%u: error: a computed goto, which OpenCL C does not have; use a switch", file, line);
}

/* The statements in an expression or a declaration. */
static void read_expression(struct statements *s, CXCursor cursor, size_t parent) {
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    if (kind == CXCursor_AddrLabelExpr) refuse_computed_goto(cursor);
    if (kind == CXCursor_CompoundStmt) {
        read_list(s, cursor, parent);
        return;
    }
    struct children c = syntax_children(cursor);
    for (size_t i = 0; i < c.count; i++) read_expression(s, c.list[i], parent);
    children_free(&c);
}

static void read_conditional(struct statements *s, CXCursor cursor, CXCursor attributed, size_t parent) {
    size_t number = add_statement(s, cursor, attributed, parent);
    enum CXCursorKind kind = s->list[number].kind;
    struct children c = syntax_children(cursor);
    for (size_t i = 0; i < c.count; i++) {
        bool body = kind == CXCursor_IfStmt ? i > 0 : kind == CXCursor_DoStmt ? i == 0 : i + 1 == c.count;
        if (!body) {
            read_expression(s, c.list[i], number);
            continue;
        }
        size_t list = read_list(s, c.list[i], number);
        *(i == 2 && kind == CXCursor_IfStmt ? &s->list[number].otherwise : &s->list[number].body) = list;
    }
    children_free(&c);
}

/* Anything else: its last child if it is a label or has attributes, and statements in its expressions. */
static void read_other(struct statements *s, CXCursor cursor, CXCursor attributed, size_t parent) {
    struct children c = syntax_children(cursor);
    if (clang_getCursorKind(cursor) == CXCursor_UnexposedStmt && c.count) {
        read_statement(s, c.list[c.count - 1], cursor, parent);
        children_free(&c);
        return;
    }
    size_t number = add_statement(s, cursor, attributed, parent);
    bool label = statement_is_label(&s->list[number]);
    for (size_t i = 0; i < c.count; i++)
        if (label && i + 1 == c.count)
            read_statement(s, c.list[i], c.list[i], number);
        else
            read_expression(s, c.list[i], number);
    children_free(&c);
}

static void read_statement(struct statements *s, CXCursor cursor, CXCursor attributed, size_t parent) {
    switch (clang_getCursorKind(cursor)) {
    case CXCursor_CompoundStmt: read_list(s, cursor, parent); break;
    case CXCursor_IfStmt:
    case CXCursor_ForStmt:
    case CXCursor_WhileStmt:
    case CXCursor_DoStmt:
    case CXCursor_SwitchStmt: read_conditional(s, cursor, attributed, parent); break;
    case CXCursor_IndirectGotoStmt: refuse_computed_goto(cursor);
    default: read_other(s, cursor, attributed, parent);
    }
}

void statements_read(struct statements *s, const struct syntax *syntax, CXCursor function) {
    struct children c = syntax_children(function);
    *s = (struct statements){.syntax = syntax};
    read_list(s, c.list[c.count - 1], NO_STATEMENT);
    children_free(&c);
}

void statements_free(struct statements *s) {
    for (size_t n = 0; n < s->count; n++) free(s->list[n].children);
    free(s->list);
    *s = (struct statements){0};
}

/* --- asking --- */

size_t statements_list_of(const struct statements *s, size_t statement, size_t *position) {
    size_t parent = s->list[statement].parent;
    while (parent != NO_STATEMENT && statement_is_label(&s->list[parent])) {
        statement = parent;
        parent = s->list[statement].parent;
    }
    *position = s->list[statement].position;
    return parent != NO_STATEMENT && s->list[parent].list ? parent : NO_STATEMENT;
}

size_t statements_element(const struct statements *s, size_t list, size_t statement) {
    while (statement != NO_STATEMENT && s->list[statement].parent != list)
        statement = s->list[statement].parent;
    return statement == NO_STATEMENT ? NO_STATEMENT : s->list[statement].position;
}

bool statements_has_case(const struct statements *s, size_t list, size_t position) {
    const struct statement *n = &s->list[s->list[list].children[position]];
    for (; statement_is_label(n); n = &s->list[n->children[n->child_count - 1]])
        if (statement_is_case(n)) return true;
    return false;
}

size_t statements_around(const struct statements *s, size_t statement, bool loop) {
    for (size_t n = s->list[statement].parent; n != NO_STATEMENT; n = s->list[n].parent) {
        enum CXCursorKind kind = s->list[n].kind;
        if (statement_is_conditional(&s->list[n]) && kind != CXCursor_IfStmt &&
            (!loop || kind != CXCursor_SwitchStmt))
            return n;
    }
    return NO_STATEMENT;
}

size_t statements_switch_of(const struct statements *s, size_t label) {
    while (s->list[label].kind != CXCursor_SwitchStmt) label = s->list[label].parent;
    return label;
}

/* A label in a list may be jumped to, whatever stands in front of it. */
static bool list_reaches_end(const struct statements *s, const struct statement *list) {
    bool reached = true;
    for (size_t i = 0; i < list->child_count; i++) {
        size_t element = list->children[i];
        reached |= statement_is_label(&s->list[element]);
        reached = reached && statements_reach_end(s, element);
    }
    return reached;
}

bool statements_reach_end(const struct statements *s, size_t statement) {
    const struct statement *n = &s->list[statement];
    switch (n->kind) {
    case CXCursor_BreakStmt:
    case CXCursor_ContinueStmt:
    case CXCursor_GotoStmt:
    case CXCursor_ReturnStmt: return false;
    case CXCursor_CompoundStmt: return list_reaches_end(s, n);
    case CXCursor_IfStmt:
        return statements_reach_end(s, n->body) || n->otherwise == NO_STATEMENT ||
               statements_reach_end(s, n->otherwise);
    case CXCursor_LabelStmt:
    case CXCursor_CaseStmt:
    case CXCursor_DefaultStmt: return statements_reach_end(s, n->children[n->child_count - 1]);
    default: return true;
    }
}

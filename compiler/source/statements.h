/*
 * statements: the statements of a function as a numbered tree, with facts that libclang's cursors lack: the
 * surrounding statement, the order of two statements, whether control reaches a statement's end. Expressions
 * appear only if they contain statements (statement expressions).
 */
#ifndef COMPILER_STATEMENTS_H
#define COMPILER_STATEMENTS_H

#include "compiler/source/syntax.h"

#include <stdint.h>

#define NO_STATEMENT SIZE_MAX

struct statement {
    CXCursor cursor;     /* clang's cursor; of a list without braces the cursor of its only statement */
    CXCursor attributed; /* surrounding attributed statement, or the statement itself */
    enum CXCursorKind kind;
    size_t parent, position; /* position among the parent's children */
    size_t *children, child_count;
    size_t body, otherwise; /* conditional statements: their lists; otherwise: after `else` */
    bool list;              /* the children are executed one after the other */
    bool bare;              /* a list without braces: one statement where a list could be */
};

struct statements {
    const struct syntax *syntax;
    struct statement *list; /* 0: the function's body */
    size_t count;
};

/* Refuses computed gotos. */
void statements_read(struct statements *s, const struct syntax *syntax, CXCursor function);
void statements_free(struct statements *s);

bool statement_is_conditional(const struct statement *s);
/* Returns whether the statement is a label, a case label or `default`, with the labelled statement as only
 * child. */
bool statement_is_label(const struct statement *s);
bool statement_is_case(const struct statement *s);

/* Returns the list that has a statement, with its labels, as an element; *position is its index.
 * NO_STATEMENT: none. */
size_t statements_list_of(const struct statements *s, size_t statement, size_t *position);

/* Returns the list's element that is or contains a statement; NO_STATEMENT: none. */
size_t statements_element(const struct statements *s, size_t list, size_t statement);

/* Returns whether a list's element has a case label. */
bool statements_has_case(const struct statements *s, size_t list, size_t position);

/* Returns the innermost loop or switch (`loop`: loop) around a statement, or NO_STATEMENT. */
size_t statements_around(const struct statements *s, size_t statement, bool loop);

/* Returns the switch of a case label, or of a label before one. */
size_t statements_switch_of(const struct statements *s, size_t label);

/* Returns false only if control certainly never leaves a statement at its end. */
bool statements_reach_end(const struct statements *s, size_t statement);

#endif

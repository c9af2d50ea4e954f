/*
 * statements: the statements of a function as a numbered tree, with what libclang's cursors do not tell: what
 * surrounds a statement, which of two stands first, whether control comes to its end. Expressions appear only
 * where they hold statements (statement expressions).
 */
#ifndef COMPILER_STATEMENTS_H
#define COMPILER_STATEMENTS_H

#include "compiler/syntax.h"

#include <stdint.h>

#define NO_STATEMENT SIZE_MAX

struct statement {
    CXCursor cursor;     /* of a bare list: its only statement's */
    CXCursor attributed; /* the attributed statement around it, or itself */
    enum CXCursorKind kind;
    size_t parent, position; /* position: among the parent's children */
    size_t *children, child_count;
    size_t body, otherwise; /* of a conditional statement: its lists; otherwise: after `else` */
    bool list;              /* its children stand one behind the other */
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
/* A label, a case label or `default`, which stands in front of its only child. */
bool statement_is_label(const struct statement *s);
bool statement_is_case(const struct statement *s);

/* The list of which a statement is an element, labels in front of it included; *position is which one.
 * NO_STATEMENT: of none. */
size_t statements_list_of(const struct statements *s, size_t statement, size_t *position);

/* A list's element that a statement stands in or is; NO_STATEMENT: none. */
size_t statements_element(const struct statements *s, size_t list, size_t statement);

/* Whether a case label stands in front of a list's element. */
bool statements_has_case(const struct statements *s, size_t list, size_t position);

/* The innermost loop or switch (`loop`: loop) around a statement, or NO_STATEMENT. */
size_t statements_around(const struct statements *s, size_t statement, bool loop);

/* The switch that a case label, or a label in front of one, belongs to. */
size_t statements_switch_of(const struct statements *s, size_t label);

/* False only if control certainly never comes from a statement to what stands behind it. */
bool statements_reach_end(const struct statements *s, size_t statement);

#endif

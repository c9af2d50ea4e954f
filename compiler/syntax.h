/*
 * syntax: the syntax tree of a preprocessed source as libclang gives it, with what libclang's C interface
 * leaves out: where a statement really ends (its semicolon), which operator an expression has, and where a
 * loop's pragmas begin. Offsets are bytes into the text that was parsed.
 */
#ifndef COMPILER_SYNTAX_H
#define COMPILER_SYNTAX_H

#include "compiler/process.h"

#include <clang-c/Index.h>

struct syntax {
    const struct text *text;
    CXIndex index;
    CXTranslationUnit unit;
    bool diagnosed; /* there are errors or warnings */
};

/* Parses. False if the source has errors; *messages then has libclang's text about them. */
bool syntax_parse(struct syntax *s, const struct text *preprocessed, const struct arguments *clang_options,
                  struct text *messages);
void syntax_free(struct syntax *s);

struct children {
    CXCursor *list;
    size_t count;
};
struct children syntax_children(CXCursor cursor);
void children_free(struct children *c);

size_t syntax_begin(CXCursor cursor);
/* End of the cursor's last token. */
size_t syntax_end(CXCursor cursor);
/* Just after the brace that opens a compound statement. */
size_t syntax_body_begin(const struct syntax *s, CXCursor body);
/* Just after the whole statement, its semicolon included. */
size_t syntax_statement_end(const struct syntax *s, CXCursor statement);

/* Just after the colon of a label, a case label or `default`. */
size_t syntax_label_end(const struct syntax *s, CXCursor label);

/* Does it stand directly above the statement, "#pragma ..."? */
bool syntax_has_pragma(const struct syntax *s, CXCursor statement, const char *pragma);

/* Start of a statement together with the attributes, loop pragmas included, that belong to it. `attributed`
 * is the attributed statement around it, or the statement itself. */
size_t syntax_statement_begin(const struct syntax *s, CXCursor attributed, CXCursor statement);

/* The end of the line at an offset: the position of its newline, or the end of the text. */
size_t syntax_line_end(const struct syntax *s, size_t offset);

/* The text between two offsets on one line: one blank for blanks, newlines and line markers. */
void syntax_words(const struct syntax *s, size_t begin, size_t end, struct text *words);

/* A type as OpenCL C writes it, without the private address space. */
void syntax_type(CXType type, struct text *t);

void syntax_binary_operator(const struct syntax *s, CXCursor left, CXCursor right, char op[8]);
void syntax_unary_operator(const struct syntax *s, CXCursor expression, CXCursor operand, char op[16]);

/* The next of `wanted` in a statement's text outside quotes and brackets, from an offset on. */
size_t syntax_find_outside(const char *text, size_t at, char wanted);

/* Without parentheses and implicit conversions. */
CXCursor syntax_strip(CXCursor expression);

/* Position as the user knows it. */
void syntax_position(CXCursor cursor, char *file, size_t size, unsigned *line);

#endif

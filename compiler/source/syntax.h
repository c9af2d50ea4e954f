/*
 * syntax: the syntax tree of a preprocessed source by libclang, with facts missing in libclang's C interface:
 * the real end of a statement (its semicolon), the operator of an expression, and the beginning of a loop's
 * pragmas. Offsets are bytes in the parsed text.
 */
#ifndef COMPILER_SYNTAX_H
#define COMPILER_SYNTAX_H

#include "compiler/driver/process.h"

#include <clang-c/Index.h>

struct syntax {
    const struct text *text;
    CXIndex index;
    CXTranslationUnit unit;
    bool diagnosed; /* there are errors or warnings */
};

/* Parses a source. Returns false if it has errors; *messages then has libclang's text about them. */
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
/* Returns the end of the cursor's last token. */
size_t syntax_end(CXCursor cursor);
/* Returns the offset after the opening brace of a compound statement. */
size_t syntax_body_begin(const struct syntax *s, CXCursor body);
/* Returns the offset after the whole statement, including its semicolon. */
size_t syntax_statement_end(const struct syntax *s, CXCursor statement);

/* Returns the offset after the colon of a label, a case label or `default`. */
size_t syntax_label_end(const struct syntax *s, CXCursor label);

/* Returns whether "#pragma ..." is directly above the statement. */
bool syntax_has_pragma(const struct syntax *s, CXCursor statement, const char *pragma);

/* Returns the start of a statement including its attributes and loop pragmas. `attributed` is the attributed
 * statement around it, or the statement itself. */
size_t syntax_statement_begin(const struct syntax *s, CXCursor attributed, CXCursor statement);

/* Returns the end of the line at an offset: its newline, or the end of the text. */
size_t syntax_line_end(const struct syntax *s, size_t offset);

/* Appends the text between two offsets as one line, with one blank for blanks, newlines and line markers. */
void syntax_words(const struct syntax *s, size_t begin, size_t end, struct text *words);

/* Appends a type in OpenCL C, without the private address space. */
void syntax_type(CXType type, struct text *t);

void syntax_binary_operator(const struct syntax *s, CXCursor left, CXCursor right, char op[8]);
void syntax_unary_operator(const struct syntax *s, CXCursor expression, CXCursor operand, char op[16]);

/* Returns the next `wanted` in a statement's text outside quotes and brackets, from an offset on. */
size_t syntax_find_outside(const char *text, size_t at, char wanted);

/* Returns the expression without parentheses and implicit conversions. */
CXCursor syntax_strip(CXCursor expression);

/* Returns the position in the user's source. */
void syntax_position(CXCursor cursor, char *file, size_t size, unsigned *line);

#endif

#include "compiler/source/syntax.h"

#include "compiler/driver/trouble.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void syntax_add_error(CXDiagnostic diagnostic, struct text *messages) {
    CXString file, what = clang_getDiagnosticSpelling(diagnostic);
    unsigned line, column;
    clang_getPresumedLocation(clang_getDiagnosticLocation(diagnostic), &file, &line, &column);
    text_printf(messages, "%s%s:%u:%u: error: %s", messages->size ? "\n" : "", clang_getCString(file), line,
                column, clang_getCString(what));
    clang_disposeString(file);
    clang_disposeString(what);
}

static void syntax_errors(CXTranslationUnit unit, struct text *messages) {
    for (unsigned i = 0; i < clang_getNumDiagnostics(unit); i++) {
        CXDiagnostic d = clang_getDiagnostic(unit, i);
        if (clang_getDiagnosticSeverity(d) >= CXDiagnostic_Error) syntax_add_error(d, messages);
        clang_disposeDiagnostic(d);
    }
}

bool syntax_parse(struct syntax *s, const struct text *preprocessed, const struct arguments *clang_options,
                  struct text *messages) {
    static const char name[] = "program.cl";
    struct CXUnsavedFile file = {name, text_string(preprocessed), preprocessed->size};
    *s = (struct syntax){.text = preprocessed, .index = clang_createIndex(0, 0)};
    enum CXErrorCode error =
        clang_parseTranslationUnit2(s->index, name, (const char *const *)clang_options->strings,
                                    (int)clang_options->count, &file, 1, CXTranslationUnit_None, &s->unit);
    if (error == CXError_Crashed) {
        text_printf(messages,
                    "%serror: clang crashes on this source, a defect of clang's: write it otherwise",
                    messages->size ? "\n" : "");
        return false;
    }
    if (error != CXError_Success) trouble("libclang cannot parse the source (error %d)", (int)error);
    size_t before = messages->size;
    s->diagnosed = clang_getNumDiagnostics(s->unit) > 0;
    syntax_errors(s->unit, messages);
    return messages->size == before;
}

void syntax_free(struct syntax *s) {
    clang_disposeTranslationUnit(s->unit);
    clang_disposeIndex(s->index);
}

static enum CXChildVisitResult children_visit(CXCursor cursor, CXCursor parent, CXClientData data) {
    struct children *c = data;
    (void)parent;
    c->list = grow(c->list, c->count, sizeof *c->list);
    c->list[c->count++] = cursor;
    return CXChildVisit_Continue;
}

struct children syntax_children(CXCursor cursor) {
    struct children c = {0};
    clang_visitChildren(cursor, children_visit, &c);
    return c;
}

void children_free(struct children *c) {
    free(c->list);
    *c = (struct children){0};
}

static size_t syntax_offset(CXSourceLocation location) {
    unsigned offset;
    clang_getFileLocation(location, NULL, NULL, NULL, &offset);
    return offset;
}

size_t syntax_begin(CXCursor cursor) {
    return syntax_offset(clang_getRangeStart(clang_getCursorExtent(cursor)));
}

size_t syntax_end(CXCursor cursor) {
    return syntax_offset(clang_getRangeEnd(clang_getCursorExtent(cursor)));
}

size_t syntax_body_begin(const struct syntax *s, CXCursor body) {
    static const char digraph[] = "<%";
    size_t begin = syntax_begin(body), length = strlen(digraph);
    return begin + (strncmp(s->text->data + begin, digraph, length) ? 1 : length);
}

size_t syntax_line_end(const struct syntax *s, size_t offset) {
    while (offset < s->text->size && s->text->data[offset] != '\n') offset++;
    return offset;
}

static size_t syntax_line_begin(const struct syntax *s, size_t offset) {
    while (offset > 0 && s->text->data[offset - 1] != '\n') offset--;
    return offset;
}

/* Blanks, newlines and directive lines: all that can stand between two tokens of preprocessed text. */
static size_t syntax_skip_blank(const struct syntax *s, size_t offset, size_t end) {
    bool at_line_begin = false;
    for (; offset < end; offset++) {
        char c = s->text->data[offset];
        if (c == '#' && at_line_begin)
            offset = syntax_line_end(s, offset) - 1;
        else if (!isspace((unsigned char)c))
            break;
        else if (c == '\n')
            at_line_begin = true;
    }
    return offset < end ? offset : end;
}

static size_t syntax_after_semicolon(const struct syntax *s, size_t offset) {
    if (offset > 0 && s->text->data[offset - 1] == ';') return offset;
    size_t at = offset;
    /* Clang 14 ends an OpenCL vector literal with one element, (float2)(x), before its last parenthesis. */
    while ((at = syntax_skip_blank(s, at, s->text->size)) < s->text->size && s->text->data[at] == ')') at++;
    if (at >= s->text->size || s->text->data[at] != ';')
        defect("a statement without a semicolon at offset %zu of the preprocessed source", offset);
    return at + 1;
}

size_t syntax_statement_end(const struct syntax *s, CXCursor statement) {
    size_t end = syntax_end(statement);
    switch (clang_getCursorKind(statement)) {
    case CXCursor_CompoundStmt:
    case CXCursor_NullStmt: return end;
    case CXCursor_IfStmt:
    case CXCursor_ForStmt:
    case CXCursor_WhileStmt:
    case CXCursor_SwitchStmt:
    case CXCursor_LabelStmt:
    case CXCursor_CaseStmt:
    case CXCursor_DefaultStmt:
    case CXCursor_UnexposedStmt: {
        struct children c = syntax_children(statement);
        if (c.count) end = syntax_statement_end(s, c.list[c.count - 1]);
        children_free(&c);
        return end;
    }
    default: return syntax_after_semicolon(s, end);
    }
}

size_t syntax_label_end(const struct syntax *s, CXCursor label) {
    struct children c = syntax_children(label);
    size_t at = c.count > 1 ? syntax_end(c.list[c.count - 2]) : syntax_begin(label);
    children_free(&c);
    while ((at = syntax_skip_blank(s, at, s->text->size)) < s->text->size && s->text->data[at] != ':') at++;
    return at + 1;
}

static bool syntax_is_loop_pragma(const char *line) {
    static const char *const names[] = {"unroll", "nounroll", "clang loop", "GCC unroll", "GCC ivdep"};
    if (strncmp(line, "#pragma ", 8)) return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strncmp(line + 8, names[i], strlen(names[i]))) return true;
    return false;
}

bool syntax_has_pragma(const struct syntax *s, CXCursor statement, const char *pragma) {
    size_t line = syntax_line_begin(s, syntax_begin(statement));
    if (syntax_skip_blank(s, line, syntax_begin(statement)) < syntax_begin(statement)) return false;
    while (line > 0) {
        const size_t above = syntax_line_begin(s, line - 1);
        const char *text = s->text->data + above;
        if (!strncmp(text, pragma, strlen(pragma)) && text[strlen(pragma)] == '\n') return true;
        if (*text != '#' && syntax_skip_blank(s, above, line) < line) return false;
        line = above;
    }
    return false;
}

size_t syntax_statement_begin(const struct syntax *s, CXCursor attributed, CXCursor statement) {
    size_t begin = syntax_begin(statement), first = syntax_begin(attributed);
    size_t line = syntax_line_begin(s, begin);
    if (first < begin && s->text->data[syntax_line_begin(s, first)] != '#') begin = first;
    if (syntax_skip_blank(s, line, begin) < begin) return begin;
    /* Upwards over blank lines and directives to the topmost loop pragma. */
    while (line > 0) {
        size_t above = syntax_line_begin(s, line - 1);
        bool directive = s->text->data[above] == '#';
        if (!directive && syntax_skip_blank(s, above, line) < line) break;
        if (directive && syntax_is_loop_pragma(s->text->data + above)) begin = above;
        line = above;
    }
    return begin;
}

/* Copies the text between two offsets without blanks, newlines and line markers: an operator, a keyword.
 * Texts that do not fit are cut. */
static void copy_text(const struct syntax *s, size_t begin, size_t end, char *copy, size_t size) {
    size_t n = 0;
    while ((begin = syntax_skip_blank(s, begin, end)) < end && n + 1 < size)
        copy[n++] = s->text->data[begin++];
    copy[n] = 0;
}

void syntax_words(const struct syntax *s, size_t begin, size_t end, struct text *words) {
    /* A statement with a pragma begins at that's name. */
    if (begin < end && s->text->data[syntax_line_begin(s, begin)] == '#') begin = syntax_line_end(s, begin);
    while (begin < end) {
        const size_t at = syntax_skip_blank(s, begin, end);
        if (at > begin) text_add(words, " ");
        if (at < end) text_append(words, s->text->data + at, 1);
        begin = at + 1;
    }
}

void syntax_type(CXType type, struct text *t) {
    static const char qualifier[] = "__private";
    CXString spelling = clang_getTypeSpelling(type);
    for (const char *p = clang_getCString(spelling); *p;) {
        if (!strncmp(p, qualifier, strlen(qualifier)))
            p += strlen(qualifier) + (p[strlen(qualifier)] == ' ');
        else
            text_append(t, p++, 1);
    }
    clang_disposeString(spelling);
}

void syntax_binary_operator(const struct syntax *s, CXCursor left, CXCursor right, char op[8]) {
    size_t begin = syntax_end(left), end = syntax_begin(right);
    while ((begin = syntax_skip_blank(s, begin, end)) < end && s->text->data[begin] == ')') begin++;
    copy_text(s, begin, end, op, 8);
}

void syntax_unary_operator(const struct syntax *s, CXCursor expression, CXCursor operand, char op[16]) {
    size_t begin = syntax_begin(expression), inner = syntax_begin(operand);
    if (begin < inner)
        copy_text(s, begin, inner, op, 16);
    else
        copy_text(s, syntax_end(operand), syntax_end(expression), op, 16);
}

static size_t skip_quoted(const char *text, size_t at) {
    char quote = text[at++];
    while (text[at] && text[at] != quote) at += text[at] == '\\' && text[at + 1] ? 2 : 1;
    return at;
}

size_t syntax_find_outside(const char *text, size_t at, char wanted) {
    for (int depth = 0; text[at]; at++) {
        char c = text[at];
        if (depth == 0 && c == wanted) return at;
        if (c == '"' || c == '\'') at = skip_quoted(text, at);
        depth += (c == '(' || c == '[' || c == '{') - (c == ')' || c == ']' || c == '}');
    }
    defect("a loop or an if without its '%c'", wanted);
}

CXCursor syntax_strip(CXCursor expression) {
    for (;;) {
        enum CXCursorKind kind = clang_getCursorKind(expression);
        if (kind != CXCursor_ParenExpr && kind != CXCursor_UnexposedExpr) return expression;
        struct children c = syntax_children(expression);
        /* A vector component (v.x) is unexposed too, but longer than what it is a part of. */
        bool same = c.count == 1 &&
                    (kind == CXCursor_ParenExpr || (syntax_begin(c.list[0]) == syntax_begin(expression) &&
                                                    syntax_end(c.list[0]) == syntax_end(expression)));
        if (same) expression = c.list[0];
        children_free(&c);
        if (!same) return expression;
    }
}

void syntax_position(CXCursor cursor, char *file, size_t size, unsigned *line) {
    CXString name;
    clang_getPresumedLocation(clang_getCursorLocation(cursor), &name, line, NULL);
    snprintf(file, size, "%s", clang_getCString(name));
    clang_disposeString(name);
}

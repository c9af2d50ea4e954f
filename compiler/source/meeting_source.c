#include "compiler/source/meeting_source.h"

#include "compiler/source/statements.h"
#include "compiler/driver/trouble.h"

#include <stdlib.h>
#include <string.h>

/* --- positions --- */

/* A line of the preprocessed text with its position by the line markers. */
struct text_line {
    size_t begin; /* offset */
    const char *file;
    unsigned number;
};

struct text_lines {
    struct text_line *list;
    size_t count;
};

static const char *keep_file(struct meeting_source *s, const char *name, size_t size) {
    for (size_t i = s->file_count; i-- > 0;)
        if (strlen(s->files[i]) == size && !memcmp(s->files[i], name, size)) return s->files[i];
    s->files = grow(s->files, s->file_count, sizeof *s->files);
    s->files[s->file_count] = strndup(name, size);
    if (!s->files[s->file_count]) trouble("out of memory");
    return s->files[s->file_count++];
}

/* `# 12 "file.cl" 2` */
static bool read_marker(struct meeting_source *s, const char *line, struct text_line *next) {
    char *end;
    if (strncmp(line, "# ", 2) != 0 || line[2] < '0' || line[2] > '9') return false;
    next->number = (unsigned)strtoul(line + 2, &end, 10);
    if (strncmp(end, " \"", 2) == 0) next->file = keep_file(s, end + 2, strcspn(end + 2, "\"\n"));
    return true;
}

static void read_lines(struct meeting_source *s, const struct text *text, struct text_lines *lines) {
    struct text_line next = {.file = keep_file(s, "", 0), .number = 1};
    for (const char *line = text_string(text); *line;) {
        const size_t size = strcspn(line, "\n");
        next.begin = (size_t)(line - text->data);
        if (!read_marker(s, line, &next)) {
            lines->list = grow(lines->list, lines->count, sizeof *lines->list);
            lines->list[lines->count++] = next;
            next.number++;
        }
        line += size + (line[size] == '\n');
    }
}

/* Returns the bytes that edits add to a line before an offset; including those at the offset if `at`. */
static size_t added(const struct edits *e, size_t line, size_t offset, bool at) {
    size_t bytes = 0;
    for (size_t i = 0; i < e->count; i++) {
        const struct edit *edit = &e->list[i];
        if (edit->offset < line || edit->offset > offset || (edit->offset == offset && !at)) continue;
        bytes += strlen(edit->inserted) - edit->removed;
    }
    return bytes;
}

static struct meeting_place place_of(const struct text_lines *l, const struct edits *e, size_t offset,
                                     bool at) {
    size_t low = 0, high = l->count;
    while (high - low > 1) {
        const size_t middle = (low + high) / 2;
        *(l->list[middle].begin <= offset ? &low : &high) = middle;
    }
    if (l->count == 0) return (struct meeting_place){0};
    const struct text_line *line = &l->list[low];
    return (struct meeting_place){line->file, line->number,
                                  (unsigned)(offset - line->begin + added(e, line->begin, offset, at)) + 1};
}

/* --- statements --- */

static const char *word_of(enum CXCursorKind kind) {
    switch (kind) {
    case CXCursor_IfStmt: return "if";
    case CXCursor_ForStmt: return "for";
    case CXCursor_WhileStmt: return "while";
    case CXCursor_DoStmt: return "do";
    case CXCursor_SwitchStmt: return "switch";
    case CXCursor_CompoundStmt: return "block";
    default: return "statement";
    }
}

static bool contains(const struct statements *s, size_t outer, size_t statement) {
    while (statement != NO_STATEMENT && statement != outer) statement = s->list[statement].parent;
    return statement == outer;
}

/* Returns the label of a goto. */
static size_t label_of(const struct statements *s, size_t jump) {
    struct children c = syntax_children(s->list[jump].cursor);
    size_t label = NO_STATEMENT;
    for (size_t n = 0; n < s->count && c.count; n++) {
        if (s->list[n].kind != CXCursor_LabelStmt) continue;
        if (clang_equalCursors(s->list[n].cursor, clang_getCursorReferenced(c.list[0]))) label = n;
    }
    children_free(&c);
    return label;
}

/* Returns the statement that a jump ends: the loop or switch of a break, the body of a continue's loop, the
 * function, the innermost statement around a goto and its label. NO_STATEMENT if it is not a jump. */
static size_t left_by(const struct statements *s, size_t jump) {
    size_t around, label;
    switch (s->list[jump].kind) {
    case CXCursor_BreakStmt: return statements_around(s, jump, false);
    case CXCursor_ContinueStmt:
        around = statements_around(s, jump, true);
        return around == NO_STATEMENT ? NO_STATEMENT : s->list[around].body;
    case CXCursor_ReturnStmt: return 0;
    case CXCursor_GotoStmt:
        label = label_of(s, jump);
        for (around = s->list[jump].parent; around != NO_STATEMENT && label != NO_STATEMENT;
             around = s->list[around].parent)
            if (contains(s, around, label)) return around;
        return 0;
    default: return NO_STATEMENT;
    }
}

/* Returns the outermost of the statements left by jumps inside a statement, and by jumps in these. */
static size_t meeting_of(const struct statements *s, const size_t *left, size_t statement) {
    for (size_t n = statement; n < s->count && contains(s, statement, n); n++)
        if (left[n] != NO_STATEMENT && !contains(s, statement, left[n])) {
            statement = left[n];
            n = statement; /* restart at its beginning */
        }
    return statement;
}

static size_t begin_of(const struct statement *n) {
    return syntax_begin(n->cursor);
}

/* Returns whether a statement branches: all but expressions without ?:, && and ||. */
static bool branches(const struct syntax *syntax, const struct statement *n) {
    const char *const text = syntax->text->data;
    const size_t end = syntax_statement_end(syntax, n->cursor);
    if (strcmp(word_of(n->kind), "statement") != 0) return true;
    for (size_t at = begin_of(n); at < end; at++)
        if (text[at] == '?' || ((text[at] == '&' || text[at] == '|') && text[at + 1] == text[at]))
            return true;
    return false;
}

static void read_function(struct meeting_source *m, const struct syntax *syntax, CXCursor function,
                          const struct text_lines *lines, const struct edits *edits) {
    struct statements s;
    const size_t first = m->count;
    statements_read(&s, syntax, function);
    size_t *left = allocate(NULL, s.count * sizeof *left);
    for (size_t n = 0; n < s.count; n++) left[n] = left_by(&s, n);
    for (size_t n = 0; n < s.count; n++) {
        const struct statement *statement = &s.list[n];
        m->statements = grow(m->statements, m->count, sizeof *m->statements);
        m->statements[m->count++] = (struct meeting_statement){
            .begin = place_of(lines, edits, begin_of(statement), true),
            .end = place_of(lines, edits, syntax_statement_end(syntax, statement->cursor), false),
            .meeting = first + meeting_of(&s, left, n),
            .word = word_of(statement->kind),
            .branches = branches(syntax, statement)};
    }
    free(left);
    statements_free(&s);
}

void meeting_source_read(struct meeting_source *s, const struct program *p, const struct edits *edits) {
    struct text_lines lines = {0};
    *s = (struct meeting_source){0};
    read_lines(s, p->syntax->text, &lines);
    for (size_t f = 0; f < p->count; f++) read_function(s, p->syntax, p->functions[f].cursor, &lines, edits);
    free(lines.list);
}

void meeting_source_free(struct meeting_source *s) {
    for (size_t i = 0; i < s->file_count; i++) free(s->files[i]);
    free(s->files);
    free(s->statements);
    *s = (struct meeting_source){0};
}

/* --- asking --- */

static bool in_front(const struct meeting_place *a, const struct meeting_place *b) {
    return a->line != b->line ? a->line < b->line : a->column < b->column;
}

bool meeting_source_has(const struct meeting_source *s, size_t statement, const struct meeting_place *place) {
    const struct meeting_statement *n = &s->statements[statement];
    return place->file && n->begin.file && !strcmp(place->file, n->begin.file) &&
           !in_front(place, &n->begin) && in_front(place, &n->end);
}

size_t meeting_source_find(const struct meeting_source *s, const struct meeting_place *place) {
    size_t innermost = SIZE_MAX;
    for (size_t n = 0; n < s->count; n++)
        if (meeting_source_has(s, n, place)) innermost = n;
    return innermost;
}

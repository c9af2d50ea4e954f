#include "compiler/priority.h"

#include "compiler/priority_rules.h"
#include "compiler/trouble.h"

#include <stdlib.h>
#include <string.h>

#define MAX_LOWER 15 /* levels that one operation can lower by */

struct label {
    CXCursor cursor;
    unsigned level;
};

struct insertion {
    const struct syntax *syntax;
    struct edits *edits;
    CXType result;
    bool outermost, refused;
    struct label *labels; /* those met so far */
    size_t label_count;
    bool labels_missing; /* a goto was met before its label */
};

/* What surrounds a statement. Levels count the instrumented statements around a point of the function. */
struct place {
    unsigned level;
    unsigned break_level, continue_level; /* where break and continue arrive */
    unsigned switch_level;                /* where the switch arrives at its labels */
};

static void insertion_walk(struct insertion *n, CXCursor statement, CXCursor attributed, struct place p);

/* The operations that bring a thread from one level to another. */
static void lower_text(const struct insertion *n, unsigned from, unsigned to, struct text *t) {
    if (n->outermost && to == 0 && from > 0) {
        text_add(t, "__lockstep_set_outermost(); ");
        return;
    }
    for (; from < to; from++) text_add(t, "__lockstep_raise(); ");
    while (from > to) {
        unsigned step = from - to < MAX_LOWER ? from - to : MAX_LOWER;
        text_printf(t, "__lockstep_lower(%u); ", step);
        from -= step;
    }
}

/* `{lower; JUMP;}` */
static void insertion_jump(struct insertion *n, CXCursor jump, unsigned from, unsigned to) {
    struct text t = {0};
    if (from == to) return;
    lower_text(n, from, to, &t);
    edits_insert(n->edits, syntax_begin(jump), "{%s", t.data);
    edits_insert(n->edits, syntax_statement_end(n->syntax, jump), "}");
    text_free(&t);
}

/* The value is computed at the level of the return, then the level is lowered. */
static void insertion_return(struct insertion *n, CXCursor statement, struct place p) {
    static const char keyword[] = "return";
    struct children value = syntax_children(statement);
    struct text t = {0};
    size_t begin = syntax_begin(statement), end = syntax_statement_end(n->syntax, statement);
    if (value.count) insertion_walk(n, value.list[0], value.list[0], p);
    if (p.level > 0 && !value.count) insertion_jump(n, statement, p.level, 0);
    if (p.level > 0 && value.count) {
        CXString type = clang_getTypeSpelling(n->result);
        bool nothing = n->result.kind == CXType_Void;
        lower_text(n, p.level, 0, &t);
        if (nothing)
            edits_replace(n->edits, begin, strlen(keyword), "{");
        else
            edits_replace(n->edits, begin, strlen(keyword), "{%s __lockstep_value =", clang_getCString(type));
        edits_insert(n->edits, end, " %sreturn%s;}", t.data, nothing ? "" : " __lockstep_value");
        clang_disposeString(type);
    }
    text_free(&t);
    children_free(&value);
}

static void insertion_open(struct insertion *n, CXCursor attributed, CXCursor statement) {
    const struct syntax *s = n->syntax;
    size_t begin = syntax_statement_begin(s, attributed, statement);
    if (s->text->data[begin] != '#') {
        edits_insert(n->edits, begin, "{__lockstep_raise(); ");
        return;
    }
    /* A pragma must stay next to its loop, and its line is the only one there is to write on. */
    static const char pragma[] = "#pragma ";
    struct text line = {0}, quoted = {0};
    size_t end = syntax_line_end(s, begin), directive = begin + strlen(pragma);
    text_append(&line, s->text->data + directive, end - directive);
    text_add_quoted(&quoted, line.data);
    edits_replace(n->edits, begin, end - begin, "{__lockstep_raise(); _Pragma(%s)", quoted.data);
    text_free(&line);
    text_free(&quoted);
}

static void insertion_close(struct insertion *n, CXCursor statement, unsigned level) {
    struct text t = {0};
    lower_text(n, level + 1, level, &t);
    edits_insert(n->edits, syntax_statement_end(n->syntax, statement), " %s}", t.data);
    text_free(&t);
}

static void insertion_walk_children(struct insertion *n, CXCursor cursor, struct place p) {
    struct children c = syntax_children(cursor);
    for (size_t i = 0; i < c.count; i++) insertion_walk(n, c.list[i], c.list[i], p);
    children_free(&c);
}

static void insertion_conditional(struct insertion *n, CXCursor statement, CXCursor attributed,
                                  struct place p) {
    enum CXCursorKind kind = clang_getCursorKind(statement);
    struct place inside = p;
    bool alone = priority_leaves_alone(n->syntax, statement);
    if (!alone) {
        insertion_open(n, attributed, statement);
        inside.level++;
    }
    if (kind != CXCursor_IfStmt) inside.break_level = inside.level;
    if (kind == CXCursor_SwitchStmt) inside.switch_level = inside.level;
    if (kind != CXCursor_IfStmt && kind != CXCursor_SwitchStmt) inside.continue_level = inside.level;
    insertion_walk_children(n, statement, inside);
    if (!alone) insertion_close(n, statement, p.level);
}

/* An attributed statement is its statement's begin; anything else unexposed is walked through. */
static void insertion_unexposed(struct insertion *n, CXCursor statement, struct place p) {
    struct children c = syntax_children(statement);
    for (size_t i = 0; i < c.count; i++)
        insertion_walk(n, c.list[i], i + 1 == c.count ? statement : c.list[i], p);
    children_free(&c);
}

static const struct label *label_find(const struct insertion *n, CXCursor cursor) {
    for (size_t l = 0; l < n->label_count; l++)
        if (syntax_begin(n->labels[l].cursor) == syntax_begin(cursor)) return &n->labels[l];
    return NULL;
}

static void insertion_label(struct insertion *n, CXCursor cursor, unsigned level) {
    if (label_find(n, cursor)) return;
    n->labels = grow(n->labels, n->label_count, sizeof *n->labels);
    n->labels[n->label_count++] = (struct label){cursor, level};
}

static void insertion_goto(struct insertion *n, CXCursor statement, unsigned level) {
    struct children name = syntax_children(statement);
    const struct label *label = name.count ? label_find(n, clang_getCursorReferenced(name.list[0])) : NULL;
    if (label)
        insertion_jump(n, statement, level, label->level);
    else
        n->labels_missing = true;
    children_free(&name);
}

/* Threads would stand at any label then, at whatever level, and LLVM copies no function with one, which twins
 * need. */
static _Noreturn void refuse_computed_goto(CXCursor cursor) {
    char file[4096];
    unsigned line;
    syntax_position(cursor, file, sizeof file, &line);
    refuse("%s:%u: error: a computed goto, which OpenCL C does not have; use a switch", file, line);
}

static void insertion_walk(struct insertion *n, CXCursor statement, CXCursor attributed, struct place p) {
    switch (clang_getCursorKind(statement)) {
    case CXCursor_IfStmt:
    case CXCursor_ForStmt:
    case CXCursor_WhileStmt:
    case CXCursor_DoStmt:
    case CXCursor_SwitchStmt: insertion_conditional(n, statement, attributed, p); break;
    case CXCursor_BreakStmt: insertion_jump(n, statement, p.level, p.break_level); break;
    case CXCursor_ContinueStmt: insertion_jump(n, statement, p.level, p.continue_level); break;
    case CXCursor_ReturnStmt: insertion_return(n, statement, p); break;
    case CXCursor_GotoStmt: insertion_goto(n, statement, p.level); break;
    case CXCursor_LabelStmt:
        insertion_label(n, statement, p.level);
        insertion_walk_children(n, statement, p);
        break;
    case CXCursor_CaseStmt:
    case CXCursor_DefaultStmt:
        n->refused |= p.level != p.switch_level;
        insertion_walk_children(n, statement, p);
        break;
    case CXCursor_IndirectGotoStmt:
    case CXCursor_AddrLabelExpr: refuse_computed_goto(statement);
    case CXCursor_UnexposedStmt: insertion_unexposed(n, statement, p); break;
    default: insertion_walk_children(n, statement, p);
    }
}

void priority_instrument(const struct syntax *s, CXCursor function, bool outermost, struct edits *edits) {
    struct insertion n = {
        .syntax = s, .edits = edits, .result = clang_getCursorResultType(function), .outermost = outermost};
    struct children c = syntax_children(function);
    size_t before = edits->count;
    CXCursor body = c.list[c.count - 1];
    if (outermost) edits_insert(edits, syntax_body_begin(s, body), "__lockstep_set_outermost(); ");
    size_t start = edits->count;
    insertion_walk_children(&n, body, (struct place){0});
    if (n.labels_missing) { /* once more, for edits at one place must be made from the inside out */
        edits_rewind(edits, start);
        n.labels_missing = false;
        insertion_walk_children(&n, body, (struct place){0});
    }
    if (n.refused || n.labels_missing) edits_rewind(edits, outermost ? start : before);
    free(n.labels);
    children_free(&c);
}

#include "compiler/partner/partner_parts.h"
#include "compiler/partner/kernel_slice_parts.h"

#include "compiler/driver/trouble.h"

#include <string.h>

bool partner_within(CXCursor cursor, CXCursor outer) {
    return syntax_begin(cursor) >= syntax_begin(outer) && syntax_end(cursor) <= syntax_end(outer);
}

bool partner_is_local(const struct slice_variable *v) {
    return clang_getAddressSpace(clang_getCursorType(v->declaration)) == SLICE_LOCAL;
}

bool *partner_flags(size_t count) {
    bool *list = allocate(NULL, count + 1);
    memset(list, 0, count + 1);
    return list;
}

/* --- what a statement does --- */

static const char *const waits[] = {"barrier", "lockstep_sync_with_scalar", "async_work_group_copy",
                                    "wait_group_events", "async_work_group_strided_copy"};

static unsigned what_call_does(const struct kernel_slice *s, CXCursor call) {
    CXString spelling = clang_getCursorSpelling(call);
    const char *name = clang_getCString(spelling);
    unsigned does = !strcmp(name, "get_local_id") || !strcmp(name, "get_global_id") ? PARTNER_ASKS : 0;
    for (size_t i = 0; i < sizeof waits / sizeof *waits; i++)
        if (!strcmp(name, waits[i])) does |= PARTNER_WAITS;
    for (size_t i = 0; i < s->program->count && !does; i++) {
        if (strcmp(name, s->program->functions[i].name) != 0) continue;
        const unsigned inner = partner_what_it_does(s, s->program->functions[i].cursor, true);
        does |= (inner & PARTNER_WAITS) | (inner & (PARTNER_ASKS | PARTNER_CALLS) ? PARTNER_CALLS : 0);
    }
    clang_disposeString(spelling);
    return does;
}

unsigned partner_what_it_does(const struct kernel_slice *s, CXCursor cursor, bool in_loop) {
    const enum CXCursorKind kind = clang_getCursorKind(cursor);
    const bool loop = kind == CXCursor_ForStmt || kind == CXCursor_WhileStmt || kind == CXCursor_DoStmt;
    unsigned does = kind == CXCursor_CallExpr ? what_call_does(s, cursor) : 0;
    if (kind == CXCursor_ReturnStmt || kind == CXCursor_GotoStmt || kind == CXCursor_LabelStmt)
        does |= PARTNER_LEAVES;
    if (!in_loop && (kind == CXCursor_BreakStmt || kind == CXCursor_ContinueStmt)) does |= PARTNER_LEAVES;
    struct children c = syntax_children(cursor);
    for (size_t i = 0; i < c.count; i++)
        does |= partner_what_it_does(s, c.list[i], in_loop || loop || kind == CXCursor_SwitchStmt);
    children_free(&c);
    return does;
}

/* Marks the kernel's variables that an expression or statement names. */
void partner_mark(const struct kernel_slice *s, CXCursor cursor, bool *seen) {
    const struct slice_variable *v =
        clang_getCursorKind(cursor) == CXCursor_DeclRefExpr ? slice_variable_of(s, cursor) : NULL;
    struct children c = syntax_children(cursor);
    if (v) seen[v - s->variables] = true;
    for (size_t i = 0; i < c.count; i++) partner_mark(s, c.list[i], seen);
    children_free(&c);
}

/* Returns whether the scalar thread has the variable's value: an unchanged parameter, or a value computed
 * from ids and arguments. */
bool partner_has_own(const struct kernel_slice *s, const struct slice_variable *v) {
    if (v->kind != SLICE_ONCE || v->has_address) return false;
    return v->parameter || (v->loop == SLICE_NONE && slice_computable(s, v->initialiser, SLICE_NONE, NULL));
}

bool partner_changed_within(const struct slice_variable *v, CXCursor statement) {
    for (size_t i = 0; i < v->change_count; i++)
        if (partner_within(v->changes[i].statement, statement)) return true;
    return false;
}

bool partner_is_whole(const struct slice_variable *v) {
    const enum CXTypeKind kind = clang_getCanonicalType(clang_getCursorType(v->declaration)).kind;
    if (kind == CXType_ConstantArray || kind == CXType_IncompleteArray || kind == CXType_Record) return true;
    struct text words = {0};
    syntax_type(clang_getCursorType(v->declaration), &words);
    const bool around = strchr(words.data, '(') != NULL; /* pointer to an array: the name is inside */
    text_free(&words);
    return around;
}

void partner_put_typed(const struct slice_variable *v, const char *qualifier, const char *name,
                       struct text *t) {
    struct text words = {0};
    syntax_type(clang_getCursorType(v->declaration), &words);
    const char *from = words.data, *star = strrchr(from, '*');
    if (star)
        text_printf(t, "%.*s*%s%s", (int)(star - from), from, qualifier, name);
    else
        text_printf(t, "%s%s %s", qualifier, from + (strncmp(from, "const ", 6) ? 0 : 6), name);
    text_free(&words);
}

char *partner_group_size(const struct kernel_slice *s, unsigned dimension) {
    static const char attribute[] = "reqd_work_group_size";
    const char *text = s->syntax->text->data, *end = text + syntax_begin(s->body),
               *at = strstr(text + syntax_begin(s->kernel), attribute);
    if (!at || at >= end) return NULL;
    size_t from = syntax_find_outside(text, (size_t)(at - text), '(') + 1;
    for (unsigned d = 0; d < dimension; d++) from = syntax_find_outside(text, from, ',') + 1;
    struct text size = {0};
    const size_t to = syntax_find_outside(text, from, dimension + 1 < SLICE_DIMENSIONS ? ',' : ')');
    while (text[from] == ' ') from++;
    syntax_words(s->syntax, from, to, &size);
    return size.data;
}

void partner_put_parameters(const struct kernel_slice *s, struct text *t) {
    unsigned name;
    clang_getFileLocation(clang_getCursorLocation(s->kernel), NULL, NULL, NULL, &name);
    const size_t open = syntax_find_outside(s->syntax->text->data, name, '(') + 1;
    syntax_words(s->syntax, open, syntax_find_outside(s->syntax->text->data, open, ')'), t);
}

#include "compiler/stages/program.h"

#include "compiler/source/priority.h"
#include "compiler/driver/trouble.h"

#include <stdlib.h>
#include <string.h>

static bool is_definition(CXCursor cursor) {
    return clang_getCursorKind(cursor) == CXCursor_FunctionDecl && clang_isCursorDefinition(cursor);
}

/* libclang names the calling convention of kernels only "one of those not exposed"; no
 * other function has it. */
static bool is_kernel(CXCursor function) {
    return clang_getFunctionTypeCallingConv(clang_getCursorType(function)) == CXCallingConv_Unexposed;
}

static void program_add(struct program *p, CXCursor cursor) {
    CXString name = clang_getCursorSpelling(cursor);
    p->functions = grow(p->functions, p->count, sizeof *p->functions);
    p->functions[p->count++] = (struct function){
        .cursor = cursor, .name = copy_string(clang_getCString(name)), .kernel = is_kernel(cursor)};
    clang_disposeString(name);
}

/* OpenCL C's printf has no conversion for them, and clang crashes on some. */
static void refuse_printed_structs(CXCursor call) {
    CXString name = clang_getCursorSpelling(call);
    bool prints = !strcmp(clang_getCString(name), "printf");
    clang_disposeString(name);
    for (int i = 1; prints && i < clang_Cursor_getNumArguments(call); i++) {
        CXCursor argument = clang_Cursor_getArgument(call, (unsigned)i);
        if (clang_getCanonicalType(clang_getCursorType(argument)).kind != CXType_Record) continue;
        char file[4096];
        unsigned line;
        syntax_position(argument, file, sizeof file, &line);
        refuse("%s:%u: error: argument %d of printf is a struct or union, which OpenCL C cannot print; print "
               "its members",
               file, line, i);
    }
}

static void program_add_calls(struct program *p, struct function *f, CXCursor cursor) {
    struct children c = syntax_children(cursor);
    if (clang_getCursorKind(cursor) == CXCursor_CallExpr) {
        refuse_printed_structs(cursor);
        CXCursor callee = clang_getCursorDefinition(clang_getCursorReferenced(cursor));
        for (size_t i = 0; i < p->count; i++) {
            if (!clang_equalCursors(p->functions[i].cursor, callee)) continue;
            f->calls = grow(f->calls, f->call_count, sizeof *f->calls);
            f->calls[f->call_count++] = i;
            p->functions[i].called = true;
        }
    }
    for (size_t i = 0; i < c.count; i++) program_add_calls(p, f, c.list[i]);
    children_free(&c);
}

void program_read(struct program *p, const struct syntax *s) {
    struct children c = syntax_children(clang_getTranslationUnitCursor(s->unit));
    *p = (struct program){.syntax = s};
    for (size_t i = 0; i < c.count; i++)
        if (is_definition(c.list[i])) program_add(p, c.list[i]);
    for (size_t i = 0; i < p->count; i++) program_add_calls(p, &p->functions[i], p->functions[i].cursor);
    children_free(&c);
}

void program_free(struct program *p) {
    for (size_t i = 0; i < p->count; i++) {
        free(p->functions[i].name);
        free(p->functions[i].calls);
    }
    free(p->functions);
    *p = (struct program){0};
}

/* Returns the function at which a cycle closes, or NULL. The cycle's names are added to *cycle, last call
 * first. */
static const struct function *program_find_cycle(struct program *p, struct function *f, struct text *cycle) {
    f->visit = 1;
    for (size_t i = 0; i < f->call_count; i++) {
        struct function *callee = &p->functions[f->calls[i]];
        const struct function *closing = callee->visit == 1 ? callee : NULL;
        if (callee->visit == 0) closing = program_find_cycle(p, callee, cycle);
        if (!closing) continue;
        /* Functions above the one where the cycle closes are not part of it. */
        if (closing->visit == 1) text_printf(cycle, "'%s' is called by '%s', ", callee->name, f->name);
        if (closing == f) f->visit = 2;
        return closing;
    }
    f->visit = 2;
    return NULL;
}

void program_refuse_recursion(struct program *p) {
    for (size_t i = 0; i < p->count; i++) {
        struct text cycle = {0};
        const struct function *closing =
            p->functions[i].visit ? NULL : program_find_cycle(p, &p->functions[i], &cycle);
        if (!closing) continue;
        char file[512];
        unsigned line;
        syntax_position(closing->cursor, file, sizeof file, &line);
        refuse("%s:%u: error: function '%s' is recursive (%swhich OpenCL C does not allow); rewrite it as a "
               "loop",
               file, line, closing->name, text_string(&cycle));
    }
}

void program_instrument(const struct program *p, struct edits *edits) {
    for (size_t i = 0; i < p->count; i++) {
        const struct function *f = &p->functions[i];
        priority_instrument(p->syntax, f->cursor, f->kernel && !f->called, edits);
    }
}

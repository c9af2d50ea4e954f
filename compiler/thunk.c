#include "compiler/thunk.h"

#include "compiler/trouble.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POINTER_BYTES 4

static void type_text(CXType type, struct text *t) {
    static const char qualifier[] = "__private";
    CXString spelling = clang_getTypeSpelling(type);
    for (const char *p = clang_getCString(spelling); *p;) {
        if (!strncmp(p, qualifier, strlen(qualifier)))
            p += strlen(qualifier);
        else
            text_append(t, p++, 1);
    }
    clang_disposeString(spelling);
}

/* A parameter's type as a struct member may have it: its own address space is that of the struct. libclang
 * shows an array parameter as it was written, although it is a pointer. */
static void member_type(CXType type, struct text *t) {
    CXType element = clang_getArrayElementType(type);
    if (element.kind == CXType_Invalid) {
        type_text(type, t);
        return;
    }
    text_add(t, "__typeof__(");
    type_text(element, t);
    text_add(t, ") *");
}

static unsigned round_up(unsigned n, unsigned alignment) {
    return (n + alignment - 1) / alignment * alignment;
}

static void refuse_image(const struct thunk *t, CXCursor argument) {
    enum CXTypeKind kind = clang_getCanonicalType(clang_getCursorType(argument)).kind;
    if (kind < CXType_OCLImage1dRO || kind > CXType_OCLReserveID) return;
    CXString name = clang_getCursorSpelling(argument);
    refuse("%s:%u: error: kernel '%s', argument '%s': this device has no images, samplers, events or queues",
           t->file, t->line, t->kernel, clang_getCString(name));
}

static void thunk_add_argument(struct thunk *t, CXType type, struct text *members, struct text *call) {
    size_t n = t->argument_count;
    bool array = clang_getArrayElementType(type).kind != CXType_Invalid;
    long long size = array ? POINTER_BYTES : clang_Type_getSizeOf(type);
    long long alignment = array ? POINTER_BYTES : clang_Type_getAlignOf(type);
    if (size < 0 || alignment <= 0)
        refuse("%s:%u: error: kernel '%s': argument %zu has no size", t->file, t->line, t->kernel, n);
    struct thunk_argument a = {round_up(t->block_bytes, (unsigned)alignment), (unsigned)size,
                               (unsigned)alignment};
    t->arguments = grow(t->arguments, n, sizeof *t->arguments);
    t->arguments[t->argument_count++] = a;
    t->block_bytes = a.offset + a.size_bytes;
    member_type(type, members);
    text_printf(members, " a%zu; ", n);
    text_printf(call, "%sarguments->a%zu", n ? ", " : "", n);
}

static void thunk_text(const struct thunk *t, const struct text *members, const struct text *call,
                       struct text *source) {
    text_printf(source, "\n# %u ", t->line);
    text_add_quoted(source, t->file);
    text_printf(source, "\nstruct __lockstep_arguments_%s { %s};", t->kernel, text_string(members));
    for (size_t i = 0; i < t->argument_count; i++)
        text_printf(source,
                    " _Static_assert(__builtin_offsetof(struct __lockstep_arguments_%s, a%zu) == %u, \"\");",
                    t->kernel, i, t->arguments[i].offset);
    text_printf(source,
                " __attribute__((noreturn)) void " THUNK_PREFIX
                "%s(__constant const struct __lockstep_arguments_%s *arguments) "
                "{ %s(%s); __lockstep_thread_exit(); __builtin_unreachable(); }"
                " void " TWIN_PREFIX
                "%s(__constant const struct __lockstep_arguments_%s *arguments) { %s(%s); }\n",
                t->kernel, t->kernel, t->kernel, text_string(call), t->kernel, t->kernel, t->kernel,
                text_string(call));
}

void thunks_add(struct thunks *thunks, const struct program *p, struct text *source) {
    for (size_t i = 0; i < p->count; i++) {
        if (!p->functions[i].kernel) continue;
        struct text members = {0}, call = {0};
        char file[4096];
        thunks->list = grow(thunks->list, thunks->count, sizeof *thunks->list);
        struct thunk *t = &thunks->list[thunks->count++];
        *t = (struct thunk){.kernel = copy_string(p->functions[i].name)};
        syntax_position(p->functions[i].cursor, file, sizeof file, &t->line);
        t->file = copy_string(file);
        CXType type = clang_getCursorType(p->functions[i].cursor);
        for (int a = 0; a < clang_getNumArgTypes(type); a++) {
            refuse_image(t, clang_Cursor_getArgument(p->functions[i].cursor, (unsigned)a));
            thunk_add_argument(t, clang_getArgType(type, (unsigned)a), &members, &call);
        }
        thunk_text(t, &members, &call, source);
        text_free(&members);
        text_free(&call);
    }
}

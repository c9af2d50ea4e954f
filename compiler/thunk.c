#include "compiler/thunk.h"

#include "compiler/trouble.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORD_BYTES 4

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

/* 2-D images and samplers are words to the host: the address of a descriptor (runtime/device/image_object.h)
 * and a sampler's bits. */
static bool is_word(CXType type) {
    enum CXTypeKind kind = clang_getCanonicalType(type).kind;
    return kind == CXType_OCLImage2dRO || kind == CXType_OCLImage2dWO || kind == CXType_OCLSampler;
}

static void refuse_unknown(const struct thunk *t, CXCursor argument) {
    CXType type = clang_getCursorType(argument);
    enum CXTypeKind kind = clang_getCanonicalType(type).kind;
    if (kind < CXType_OCLImage1dRO || kind > CXType_OCLReserveID || is_word(type)) return;
    CXString name = clang_getCursorSpelling(argument);
    struct text spelling = {0};
    type_text(type, &spelling);
    refuse("%s:%u: error: kernel '%s', argument '%s' is of type '%s': of images this device has image2d_t, "
           "read_only or write_only, and no events or queues as arguments",
           t->file, t->line, t->kernel, clang_getCString(name),
           text_string(&spelling) + strspn(text_string(&spelling), " "));
}

static void thunk_add_argument(struct thunk *t, CXType type, struct text *members, struct text *call) {
    size_t n = t->argument_count;
    bool array = clang_getArrayElementType(type).kind != CXType_Invalid, word = is_word(type);
    long long size = array || word ? WORD_BYTES : clang_Type_getSizeOf(type);
    long long alignment = array || word ? WORD_BYTES : clang_Type_getAlignOf(type);
    if (size < 0 || alignment <= 0)
        refuse("%s:%u: error: kernel '%s': argument %zu has no size", t->file, t->line, t->kernel, n);
    struct thunk_argument a = {round_up(t->block_bytes, (unsigned)alignment), (unsigned)size,
                               (unsigned)alignment};
    t->arguments = grow(t->arguments, n, sizeof *t->arguments);
    t->arguments[t->argument_count++] = a;
    t->block_bytes = a.offset + a.size_bytes;
    if (word)
        text_add(members, "unsigned");
    else
        member_type(type, members);
    text_printf(members, " a%zu; ", n);
    text_printf(call, "%s%sarguments->a%zu", n ? ", " : "", word ? "__builtin_astype(" : "", n);
    if (!word) return;
    text_add(call, ", ");
    type_text(type, call);
    text_add(call, ")");
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
            refuse_unknown(t, clang_Cursor_getArgument(p->functions[i].cursor, (unsigned)a));
            thunk_add_argument(t, clang_getArgType(type, (unsigned)a), &members, &call);
        }
        thunk_text(t, &members, &call, source);
        text_free(&members);
        text_free(&call);
    }
}

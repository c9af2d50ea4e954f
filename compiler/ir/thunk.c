#include "compiler/ir/thunk.h"

#include "compiler/driver/trouble.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORD_BYTES    4
#define BLOCK_PREFIX  "__lockstep_arguments_"
#define CALL_PREFIX   "__lockstep_call_"
#define BLOCK_POINTER "__lockstep_block" /* not a name of the program: a kernel may have any other */

/* The parts of a thunk's text. */
struct thunk_source {
    struct text members, types, call; /* members and types of the block; arguments of the call */
    bool redeclare;                   /* the kernel is called under another type of the same layout */
};

static bool is_pointer(CXType type) {
    return clang_getCanonicalType(type).kind == CXType_Pointer ||
           clang_getArrayElementType(type).kind != CXType_Invalid;
}

/* Appends `__global void *` for any pointer: the target's type may have no name outside the kernel's
 * parameter list. */
static void pointer_text(CXType type, struct text *t) {
    static const char *const spaces[] = {"__global", "__constant", "__local"};
    CXType pointee = clang_getArrayElementType(type);
    if (pointee.kind == CXType_Invalid) pointee = clang_getPointeeType(clang_getCanonicalType(type));
    CXString spelling = clang_getTypeSpelling(clang_getCanonicalType(pointee));
    const char *first = NULL, *space = spaces[0];
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++) {
        const char *found = strstr(clang_getCString(spelling), spaces[i]);
        if (found && (!first || found < first)) first = found, space = spaces[i];
    }
    text_printf(t, "%s void *", space);
    clang_disposeString(spelling);
}

/* Appends the type, without its name, of a structure declared in the parameter list. */
static bool declared_here_text(const struct syntax *s, CXCursor kernel, CXType type, struct text *t) {
    CXCursor declaration = clang_getTypeDeclaration(clang_getCanonicalType(type));
    enum CXCursorKind kind = clang_getCursorKind(declaration);
    if (kind != CXCursor_StructDecl && kind != CXCursor_UnionDecl) return false;
    size_t begin = syntax_begin(declaration), end = syntax_end(declaration);
    if (begin < syntax_begin(kernel) || begin >= syntax_end(kernel)) return false;
    while (begin < end && s->text->data[begin] != '{') begin++;
    text_add(t, kind == CXCursor_StructDecl ? "struct " : "union ");
    text_append(t, s->text->data + begin, end - begin);
    return true;
}

static unsigned round_up(unsigned n, unsigned alignment) {
    return (n + alignment - 1) / alignment * alignment;
}

/* Images and samplers are words for the host: the address of a descriptor (abi/image_object.h) and a
 * sampler's bits. The device supports only 2-D images; a kernel may name others, and its arguments can be
 * queried. */
static bool is_word(CXType type) {
    enum CXTypeKind kind = clang_getCanonicalType(type).kind;
    return (kind >= CXType_OCLImage1dRO && kind <= CXType_OCLImage3dWO) || kind == CXType_OCLSampler;
}

/* Appends the parameter's type in the argument block. Returns whether the kernel must be redeclared with it,
 * since a call could not be written otherwise. */
static bool block_type(const struct syntax *s, CXCursor kernel, CXType type, struct text *t) {
    if (is_word(type))
        text_add(t, "unsigned");
    else if (is_pointer(type))
        pointer_text(type, t);
    else if (clang_getCanonicalType(type).kind == CXType_Enum)
        syntax_type(clang_getEnumDeclIntegerType(clang_getTypeDeclaration(clang_getCanonicalType(type))), t);
    else if (declared_here_text(s, kernel, type, t))
        return true;
    else
        syntax_type(type, t);
    return false;
}

static void argument_text(const struct thunk *t, CXType type, struct thunk_source *source) {
    size_t n = t->argument_count - 1;
    const char *comma = n ? ", " : "";
    text_printf(&source->types, "%s__typeof__(((struct " BLOCK_PREFIX "%s *)0)->a%zu)", comma, t->kernel, n);
    if (!is_word(type)) {
        text_printf(&source->call, "%s" BLOCK_POINTER "->a%zu", comma, n);
        return;
    }
    struct text spelling = {0};
    syntax_type(clang_getCanonicalType(type), &spelling);
    const char *unqualified = text_string(&spelling);
    while (strncmp(unqualified, " ", 1) == 0 || strncmp(unqualified, "const ", 6) == 0 ||
           strncmp(unqualified, "volatile ", 9) == 0)
        unqualified = strchr(unqualified, ' ') + 1;
    text_printf(&source->call, "%s__builtin_astype(" BLOCK_POINTER "->a%zu, %s)", comma, n, unqualified);
    text_free(&spelling);
}

static void thunk_add_argument(struct thunk *t, const struct syntax *s, CXCursor kernel, unsigned number,
                               struct thunk_source *source) {
    CXType type = clang_getArgType(clang_getCursorType(kernel), number);
    bool word = is_pointer(type) || is_word(type);
    long long size = word ? WORD_BYTES : clang_Type_getSizeOf(type);
    long long alignment = word ? WORD_BYTES : clang_Type_getAlignOf(type);
    if (size < 0 || alignment <= 0)
        refuse("%s:%u: error: kernel '%s': argument %u has no size", t->file, t->line, t->kernel, number);
    struct thunk_argument a = {round_up(t->block_bytes, (unsigned)alignment), (unsigned)size,
                               (unsigned)alignment};
    t->arguments = grow(t->arguments, number, sizeof *t->arguments);
    t->arguments[t->argument_count++] = a;
    t->block_bytes = a.offset + a.size_bytes;
    source->redeclare |= block_type(s, kernel, type, &source->members);
    text_printf(&source->members, " a%u; ", number);
    argument_text(t, type, source);
}

static void thunk_text(const struct thunk *t, const struct thunk_source *from, struct text *source) {
    const char *prefix = from->redeclare ? CALL_PREFIX : "", *call = text_string(&from->call);
    text_printf(source, "\n# %u ", t->line);
    text_add_quoted(source, t->file);
    text_printf(source, "\nstruct " BLOCK_PREFIX "%s { %s};", t->kernel, text_string(&from->members));
    for (size_t i = 0; i < t->argument_count; i++)
        text_printf(source,
                    " _Static_assert(__builtin_offsetof(struct " BLOCK_PREFIX "%s, a%zu) == %u, \"\");",
                    t->kernel, i, t->arguments[i].offset);
    if (from->redeclare)
        text_printf(source, " __kernel void " CALL_PREFIX "%s(%s) __asm__(\"%s\");", t->kernel,
                    text_string(&from->types), t->kernel);
    text_printf(source,
                " __attribute__((noreturn)) void " THUNK_PREFIX "%s(__constant const struct " BLOCK_PREFIX
                "%s *" BLOCK_POINTER ") { %s%s(%s); __lockstep_thread_exit(); __builtin_unreachable(); }"
                " void " TWIN_PREFIX "%s(__constant const struct " BLOCK_PREFIX "%s *" BLOCK_POINTER
                ") { %s%s(%s); }\n",
                t->kernel, t->kernel, prefix, t->kernel, call, t->kernel, t->kernel, prefix, t->kernel, call);
}

static void thunk_source_free(struct thunk_source *source) {
    text_free(&source->members);
    text_free(&source->types);
    text_free(&source->call);
}

/* Refuses names with the prefixes of thunks. */
static void check_name(const struct program *p, size_t function) {
    static const char *const prefixes[] = {THUNK_PREFIX, TWIN_PREFIX};
    char file[4096];
    unsigned line;
    for (unsigned n = 0; n < 2; n++) {
        if (strncmp(p->functions[function].name, prefixes[n], strlen(prefixes[n])) != 0) continue;
        syntax_position(p->functions[function].cursor, file, sizeof file, &line);
        refuse("%s:%u: error: '%s': names that begin with %s are Lockstep's own", file, line,
               p->functions[function].name, prefixes[n]);
    }
}

void thunks_add(struct thunks *thunks, const struct program *p, struct text *source) {
    for (size_t i = 0; i < p->count; i++) check_name(p, i);
    for (size_t i = 0; i < p->count; i++) {
        CXCursor kernel = p->functions[i].cursor;
        if (!p->functions[i].kernel) continue;
        struct thunk_source parts = {0};
        char file[4096];
        thunks->list = grow(thunks->list, thunks->count, sizeof *thunks->list);
        struct thunk *t = &thunks->list[thunks->count++];
        *t = (struct thunk){.kernel = copy_string(p->functions[i].name)};
        syntax_position(kernel, file, sizeof file, &t->line);
        t->file = copy_string(file);
        int count = clang_getNumArgTypes(clang_getCursorType(kernel));
        for (int a = 0; a < count; a++) {
            thunk_add_argument(t, p->syntax, kernel, (unsigned)a, &parts);
        }
        thunk_text(t, &parts, source);
        thunk_source_free(&parts);
    }
}

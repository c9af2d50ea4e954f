#include "compiler/partner/scalar_partners.h"

#include "compiler/driver/clang_command.h"
#include "compiler/stages/clang_run.h"
#include "compiler/partner/extract.h"
#include "compiler/partner/prefetch.h"
#include "compiler/partner/remap.h"
#include "compiler/partner/scalar_kernel.h"
#include "compiler/driver/trouble.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define HEADER "#include <lockstep_scalar.h>\n"

struct making {
    struct build *b;
    const struct program *program;
    struct edits edits;
};

/* --- notes --- */

/* Adds a note to the build log, and as a comment. */
static void note(struct making *m, struct text *comments, CXCursor at, const char *what) {
    char file[4096];
    unsigned line;
    syntax_position(at, file, sizeof file, &line);
    text_printf(comments, "/* line %u: %s */\n", line, what);
    if (!m->b->options.quiet) text_printf(&m->b->log, "%s:%u: note: %s\n", file, line, what);
}

static void note_load(struct making *m, struct text *comments, const struct slice_load *l) {
    struct text what = {0};
    text_add(&what, "not loaded ahead: ");
    syntax_words(m->program->syntax, syntax_begin(l->expression), syntax_end(l->expression), &what);
    text_printf(&what, ": %s", l->reason);
    note(m, comments, l->expression, what.data);
    text_free(&what);
}

/* --- partners that there are --- */

static const char *annotation(CXCursor function, struct text *t) {
    struct children c = syntax_children(function);
    for (size_t i = 0; i < c.count; i++) {
        if (clang_getCursorKind(c.list[i]) != CXCursor_AnnotateAttr) continue;
        CXString s = clang_getCursorSpelling(c.list[i]);
        if (!strncmp(clang_getCString(s), SCALAR_OF, strlen(SCALAR_OF))) {
            text_free(t);
            text_add(t, clang_getCString(s) + strlen(SCALAR_OF));
        }
        clang_disposeString(s);
    }
    children_free(&c);
    return t->size ? t->data : NULL;
}

/* Returns whether a kernel is a scalar kernel, or has one. */
static bool has_partner(const struct program *p, const struct function *f) {
    struct text of = {0};
    bool found = annotation(f->cursor, &of) != NULL;
    for (size_t i = 0; i < p->count && !found; i++) {
        text_free(&of);
        const char *name = annotation(p->functions[i].cursor, &of);
        found = name && !strcmp(name, f->name);
    }
    text_free(&of);
    return found;
}

static void choose_name(const struct program *p, const struct function *f, struct text *name) {
    text_printf(name, "%s_scalar", f->name);
    for (size_t i = 0; i < p->count; i++) {
        if (strcmp(p->functions[i].name, name->data) != 0) continue;
        text_add(name, "_");
        i = SIZE_MAX;
    }
}

/* --- making --- */

static void make_prefetch(struct making *m, const struct function *f, const char *name, struct text *t) {
    const struct prefetch_options options = {m->b->request->line_bytes, m->b->options.prefetch_latency};
    struct kernel_slice s;
    struct prefetch p;
    kernel_slice_read(&s, m->program, f->cursor);
    const bool any = prefetch_plan(&p, &s, &options);
    for (size_t i = 0; i < s.load_count; i++)
        if (s.loads[i].reason) note_load(m, t, &s.loads[i]);
    if (any) {
        text_printf(t, "LOCKSTEP_PREFETCH_OF(%s)\n", f->name);
        prefetch_text(&p, name, t);
    } else if (!s.load_count) {
        note(m, t, f->cursor, "no scalar kernel is made: there is nothing to load ahead");
    }
    prefetch_free(&p);
    kernel_slice_free(&s);
}

struct noting {
    struct making *m;
    struct text *comments;
    unsigned count;
};

static void note_statement(void *context, CXCursor at, const char *why) {
    struct noting *n = context;
    n->count++;
    note(n->m, n->comments, at, why);
}

/* Makes a partner that takes work from a kernel, which changes the kernel, too. */
static void make_helper(struct making *m, const struct function *f, const char *name, struct text *t) {
    const struct extract_options options = {m->b->options.extract_least};
    struct noting n = {m, t, 0};
    struct text text = {0};
    struct kernel_slice s;
    kernel_slice_read(&s, m->program, f->cursor);
    const bool extract = m->b->options.partner == PARTNER_EXTRACT;
    const bool made =
        extract ? extract_make(&s, &options, name, &m->edits, &text, note_statement, &n)
                : remap_make(&s, m->b->request->warp_size, name, &m->edits, &text, note_statement, &n);
    if (!made && !n.count)
        note(m, t, f->cursor,
             extract ? "no scalar kernel is made: nothing is done by one work-item, or alike by all"
                     : "no scalar kernel is made: work-items leave no loop at different times");
    text_add(t, text_string(&text));
    text_free(&text);
    kernel_slice_free(&s);
}

static void make_partner(struct making *m, const struct function *f) {
    struct text name = {0}, text = {0}, file_name = {0};
    CXString file;
    unsigned line;
    if (!has_partner(m->program, f)) {
        choose_name(m->program, f, &name);
        if (m->b->options.partner == PARTNER_PREFETCH)
            make_prefetch(m, f, name.data, &text);
        else
            make_helper(m, f, name.data, &text);
    } else {
        note(m, &text, f->cursor, "no scalar kernel is made: it is one, or has one");
    }
    clang_getPresumedLocation(clang_getRangeEnd(clang_getCursorExtent(f->cursor)), &file, &line, NULL);
    text_add_quoted(&file_name, clang_getCString(file));
    edits_insert(&m->edits, syntax_end(f->cursor), "\n# 1 \"%s (generated)\"\n%s# %u %s\n",
                 name.size ? name.data : f->name, text.data, line, file_name.data);
    clang_disposeString(file);
    text_free(&name);
    text_free(&text);
    text_free(&file_name);
}

/* --- the text --- */

/* Returns whether a line is a marker like "# 12 "file" 1", with the origin of the following lines. */
static bool is_marker(const char *line) {
    return line[0] == '#' && line[1] == ' ' && isdigit((unsigned char)line[2]);
}

/* Returns whether a marker names a header of clang or the device library, which every compilation reads
 * anyway. */
static bool is_own(const struct build *b, const char *marker) {
    const char *file = strchr(marker, '"') + 1;
    const char *const places[] = {"<built-in>", "<command line>", LLVM_DIRECTORY,
                                  b->request->library_directory};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (!strncmp(file, places[i], strlen(places[i]))) return true;
    return false;
}

static void keep_users(const struct build *b, const struct text *all, bool markers, struct text *kept) {
    bool own = true, blank = true;
    text_add(kept, HEADER);
    for (const char *line = all->data, *next; *line; line = next) {
        const char *end = strchrnul(line, '\n');
        next = *end ? end + 1 : end;
        const bool marker = is_marker(line), empty = strspn(line, " \t") == (size_t)(end - line);
        if (marker) own = is_own(b, line);
        if (own || (marker && !markers) || (!markers && empty && blank)) continue;
        blank = empty;
        /* Without flags: including files are not known. */
        const char *last = marker ? (const char *)memrchr(line, '"', (size_t)(end - line)) + 1 : next;
        text_append(kept, line, (size_t)(last - line));
        if (marker) text_add(kept, "\n");
    }
}

void scalar_partners_make(struct build *b, struct text *shown) {
    struct arguments options = {0};
    struct text messages = {0}, all = {0}, source = {0};
    struct syntax syntax;
    struct program program;
    clang_parse(&options, LANGUAGE_OPENCL, &b->clang);
    if (syntax_parse(&syntax, &b->preprocessed, &options, &messages)) {
        struct making m = {.b = b, .program = &program};
        if (b->warned || syntax.diagnosed) build_check(b);
        program_read(&program, &syntax);
        program_refuse_recursion(&program);
        for (size_t i = 0; i < program.count; i++)
            if (program.functions[i].kernel) make_partner(&m, &program.functions[i]);
        edits_apply(&m.edits, &b->preprocessed, &all);
        program_free(&program);
        keep_users(b, &all, true, &source);
        if (shown) keep_users(b, &all, false, shown);
        build_preprocess_generated(b, &source);
    }
    syntax_free(&syntax);
    text_free(&messages);
    text_free(&all);
    text_free(&source);
}

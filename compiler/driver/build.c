#include "compiler/driver/build.h"

#include "compiler/driver/clang_command.h"
#include "compiler/driver/llvm_library.h"
#include "compiler/driver/trouble.h"
#include "compiler/driver/vector_types.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const library_names[LIBRARY_PARTS] = {"library.parts", "builtins.a", "twin_builtins.s",
                                                         "startup.o", "half_builtins.h"};

/* Removes the byte order mark. Clang skips it at the start of a file, but here a line marker precedes it. */
static void drop_byte_order_mark(struct text *t, size_t at) {
    static const char mark[] = "\xef\xbb\xbf";
    size_t length = strlen(mark);
    if (t->size - at < length || memcmp(t->data + at, mark, length)) return;
    memmove(t->data + at, t->data + at + length, t->size - at - length + 1);
    t->size -= length;
}

static void read_objects(struct build *b) {
    const struct compilation *c = b->request;
    if (!text_read_file(&b->source, c->file)) trouble("cannot read %s: %s", c->file, strerror(errno));
    build_options_read(&b->options, c->options, PARTNER_OFF);
}

static void read_source(struct build *b) {
    const struct compilation *c = b->request;
    text_add(&b->source, "# 1 ");
    text_add_quoted(&b->source, c->name);
    text_add(&b->source, "\n");
    size_t head = b->source.size;
    if (!text_read_file(&b->source, c->file)) trouble("cannot read %s: %s", c->file, strerror(errno));
    drop_byte_order_mark(&b->source, head);
    if (memchr(b->source.data, 0, b->source.size))
        refuse("%s: error: the source contains a NUL byte; it is not OpenCL C text", c->name);
    build_options_read(&b->options, c->options, c->partner);
    fputs(text_string(&b->options.notes), stderr);
    arguments_add_all(&b->clang, &b->options.clang);
    const char *slash = strrchr(c->file, '/');
    if (!slash) return;
    /* Includes in the source's directory, as if clang had been given the file. */
    struct text directory = {0};
    text_printf(&directory, "%.*s", slash == c->file ? 1 : (int)(slash - c->file), c->file);
    arguments_add(&b->clang, "-iquote");
    arguments_add(&b->clang, directory.data);
    text_free(&directory);
}

static const char *library_name(const struct compilation *c, size_t part) {
    if (part == LIBRARY_BITCODE && c->math == MATH_CLASSIC) return "library_classic.parts";
    if (part == LIBRARY_STARTUP && c->startup == STARTUP_UNROLLED) return "startup_unrolled.o";
    return library_names[part];
}

static void read_library(struct build *b) {
    for (size_t i = 0; i < LIBRARY_PARTS; i++) {
        text_printf(&b->library_paths[i], "%s/%s", b->request->library_directory,
                    library_name(b->request, i));
        if (!text_read_file(&b->library[i], b->library_paths[i].data))
            trouble("cannot read %s of the device library: %s; build it with make, or say where it is with "
                    "--library-dir",
                    b->library_paths[i].data, strerror(errno));
    }
    /* lockstep_scalar.h, which a program may include; built-in functions that clang does not know. */
    arguments_add(&b->clang, "-idirafter");
    arguments_add(&b->clang, b->request->library_directory);
    arguments_add(&b->clang, "-include");
    arguments_add(&b->clang, b->library_paths[LIBRARY_DECLARATIONS].data);
}

void build_read(struct build *b, const struct compilation *request) {
    *b = (struct build){.request = request};
    if (request->link)
        read_objects(b);
    else
        read_source(b);
    if (b->options.partner == PARTNER_DIVERGENCE) arguments_add(&b->clang, "-D__LOCKSTEP_DIVERGENCE__=1");
    read_library(b);
}

void build_check(struct build *b) {
    struct arguments command = {0};
    struct process check;
    struct text nothing = {0};
    clang_check(&command, LANGUAGE_OPENCL, &b->clang);
    llvm_library_start_clang(&check, &command, &b->source);
    int status = process_finish(&check, &nothing, &b->log);
    text_free(&nothing);
    if (status == 0) return;
    fputs(text_string(&b->log), stderr);
    exit(COMPILER_REFUSED);
}

void build_preprocess_generated(struct build *b, const struct text *source) {
    struct arguments options = {0}, command = {0};
    struct process p;
    struct text errors = {0};
    for (size_t i = 0; i < b->clang.count; i++) { /* macros have already been replaced */
        const char *option = b->clang.strings[i];
        if (!strcmp(option, "-D"))
            i++;
        else if (strncmp(option, "-D", 2) != 0)
            arguments_add(&options, option);
    }
    clang_preprocess(&command, LANGUAGE_OPENCL, &options);
    llvm_library_start_clang(&p, &command, source);
    if (process_finish(&p, &b->generated, &errors) != 0)
        defect("scalar kernels that were made cannot be preprocessed: %s", text_string(&errors));
    vector_types_align(&b->generated);
    text_free(&errors);
}

void build_preprocess(struct build *b) {
    struct arguments command = {0};
    struct process p;
    struct text errors = {0};
    clang_preprocess(&command, LANGUAGE_OPENCL, &b->clang);
    llvm_library_start_clang(&p, &command, &b->source);
    int status = process_finish(&p, &b->preprocessed, &errors);
    if (status == 0) {
        vector_types_align(&b->preprocessed);
        b->warned = errors.size > 0;
        text_free(&errors);
        return;
    }
    build_check(b);
    refuse("%s", text_string(&errors));
}

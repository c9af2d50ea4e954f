#include "compiler/stages/library.h"

#include "compiler/driver/clang_command.h"
#include "compiler/driver/llvm_library.h"
#include "compiler/stages/program.h"
#include "compiler/driver/trouble.h"
#include "compiler/driver/vector_types.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Runs one stage of clang; its complaints are passed on. */
static void library_stage(const struct arguments *command, const struct text *input, struct text *output) {
    struct process p;
    struct text errors = {0};
    llvm_library_start_clang(&p, command, input);
    int status = process_finish(&p, output, &errors);
    fputs(text_string(&errors), stderr);
    text_free(&errors);
    if (status != 0) exit(COMPILER_REFUSED);
}

void library_compile(const char *path, const char *output, const struct arguments *extra) {
    enum language language = language_of(path);
    struct arguments options = {0}, parse = {0}, compile = {0}, preprocess = {0};
    struct text source = {0}, preprocessed = {0}, instrumented = {0}, bitcode = {0}, messages = {0};
    struct edits edits = {0};
    struct syntax syntax;
    struct program program;

    text_add(&source, "# 1 ");
    text_add_quoted(&source, path);
    text_add(&source, "\n");
    if (!text_read_file(&source, path)) trouble("cannot read %s: %s", path, strerror(errno));
    /* Includes in the source's folder, as if clang had been given the file itself. */
    const char *slash = strrchr(path, '/');
    arguments_add(&options, "-iquote");
    struct text directory = {0};
    text_printf(&directory, "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
    arguments_add(&options, text_string(&directory));
    arguments_add_all(&options, extra);

    clang_preprocess(&preprocess, language, &options);
    library_stage(&preprocess, &source, &preprocessed);
    if (language == LANGUAGE_OPENCL) vector_types_align(&preprocessed);
    clang_parse(&parse, language, &options);
    if (!syntax_parse(&syntax, &preprocessed, &parse, &messages)) refuse("%s", messages.data);
    program_read(&program, &syntax);
    program_instrument(&program, &edits);
    edits_apply(&edits, &preprocessed, &instrumented);
    program_free(&program);
    syntax_free(&syntax);

    clang_compile(&compile, language, &options);
    library_stage(&compile, &instrumented, &bitcode);
    if (!text_write_file(&bitcode, output)) trouble("cannot write %s: %s", output, strerror(errno));
}

#include "compiler/library.h"
#include "compiler/trouble.h"

#include <argp.h>
#include <stdlib.h>
#include <string.h>

struct command_line {
    const char *output, *file;
    bool library;
    struct arguments extra;
};

enum { KEY_LIBRARY = 256 };

static const struct argp_option command_options[] = {
    {NULL, 'o', "OUT", 0, "Write the result to OUT", 0},
    {"library", KEY_LIBRARY, NULL, 0,
     "Compile FILE (OpenCL C; C11 if it is named *.c) for the device library: instrumented, unoptimised "
     "bitcode. "
     "Words after -- are passed to clang",
     0},
    {0}};

static error_t command_parse(int key, char *value, struct argp_state *state) {
    struct command_line *c = state->input;
    switch (key) {
    case 'o': c->output = value; return 0;
    case KEY_LIBRARY: c->library = true; return 0;
    case ARGP_KEY_ARG:
        if (c->file)
            arguments_add(&c->extra, value);
        else
            c->file = value;
        return 0;
    case ARGP_KEY_END:
        if (!c->file || !c->output) argp_error(state, "a source file and -o OUT are needed");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

int main(int argc, char **argv) {
    static const struct argp parser = {command_options,
                                       command_parse,
                                       "FILE",
                                       "Compile OpenCL C for the simulated machine.",
                                       NULL,
                                       NULL,
                                       NULL};
    struct command_line c = {0};
    argp_err_exit_status = COMPILER_TROUBLE;
    argp_parse(&parser, argc, argv, 0, NULL, &c);
    library_compile(c.file, c.output, &c.extra);
    return COMPILER_DONE;
}

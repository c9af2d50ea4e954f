#include "tb/verilated/verilated_dpi.h"

#include "tb/ports/verilator.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_c(const char *path) {
    return strcmp(path + strlen(path) - 2, ".c") == 0;
}

/* Runs the compiler for a file, with the arguments `how` and the source's folders and macros. */
static bool compile(const struct verilog_source *s, const char *file, char *const how[],
                    const struct tool_folder *folder, struct error *e) {
    char refuses[PATH_MAX + 64];
    const struct verilator *verilator = verilator_find(e);
    char include[PATH_MAX + 16];
    if (!verilator) return false;
    snprintf(include, sizeof include, "%s/vltstd", verilator->include);
    char *argv[16 + VERILOG_MAX_ITEMS] = {is_c(file) ? "gcc" : "g++", "-I.", "-isystem", include};
    unsigned n = 4;
    while (*how) argv[n++] = *how++;
    for (unsigned i = 0; i < s->count; ++i)
        if (s->item[i].kind == VERILOG_INCLUDE ||
            (s->item[i].kind == VERILOG_OPTION && strncmp(s->item[i].text, "-D", 2) == 0))
            argv[n++] = s->item[i].text;
    argv[n] = (char *)file;
    snprintf(refuses, sizeof refuses, "%s: %s refuses it", file, argv[0]);
    return tool_run(argv, folder, refuses, e);
}

/* Returns the next file of a make rule, unescaped: a backslash precedes a blank, and $ is doubled. NULL at
 * the end of the rule. */
static char *next_file(char **rest) {
    char *from = *rest + strspn(*rest, " \\\n"), *to = from, *file = from;
    if (!*from) return NULL;
    for (; *from && *from != ' ' && *from != '\n'; ++from) {
        if (*from == '\\' && (from[1] == ' ' || from[1] == '#')) ++from;
        if (*from == '$' && from[1] == '$') ++from;
        *to++ = *from;
    }
    *rest = from + (*from != '\0');
    *to = '\0';
    return file;
}

static bool add_headers(const struct tool_folder *folder, char **files, struct error *e) {
    char path[PATH_MAX + 16], real[PATH_MAX], *rule = NULL, *more;
    size_t size = 0;
    snprintf(path, sizeof path, "%s/headers.d", folder->path);
    FILE *in = fopen(path, "r");
    const bool read = in && getdelim(&rule, &size, '\0', in) > 0;
    if (in) fclose(in);
    char *rest = read ? strchr(rule, ':') : NULL;
    if (rest) ++rest;
    for (char *file; rest && (file = next_file(&rest));) {
        if (*file != '/' || !realpath(file, real)) continue; /* written by Verilator */
        require_memory(asprintf(&more, "%s%s\n", *files ? *files : "", real) >= 0);
        free(*files);
        *files = more;
    }
    free(rule);
    return read || error_set(e, EXIT_USER, "%s: it cannot be read: is there room on the disk?", path);
}

bool verilated_dpi_headers(const struct verilog_source *s, const struct tool_folder *folder, char **files,
                           struct error *e) {
    char *const how[] = {"-MM", "-MG", "-MF", "headers.d", NULL};
    for (unsigned i = 0; i < s->count; ++i)
        if (s->item[i].kind == VERILOG_FUNCTIONS &&
            (!compile(s, s->item[i].text, how, folder, e) || !add_headers(folder, files, e)))
            return false;
    return true;
}

bool verilated_dpi_compile(const struct verilog_source *s, const struct tool_folder *folder, char *objects[],
                           struct error *e) {
    unsigned n = 0;
    bool good = true;
    for (unsigned i = 0; good && i < s->count; ++i) {
        if (s->item[i].kind != VERILOG_FUNCTIONS) continue;
        require_memory(asprintf(&objects[n], "functions%u.o", n) >= 0);
        char *const how[] = {"-O2", "-g", "-fPIC", "-fvisibility=hidden", "-c", "-o", objects[n++], NULL};
        good = compile(s, s->item[i].text, how, folder, e);
    }
    objects[n] = NULL;
    return good;
}

void verilated_dpi_free(char *objects[]) {
    for (unsigned n = 0; objects[n]; ++n) free(objects[n]);
}

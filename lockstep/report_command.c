/* `lockstep report`: an exploration as a page. */
#include "lockstep/command.h"
#include "sim/part.h"

#include <argp.h>
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* The page, with @DATA@ where the points go. */
__asm__(".pushsection .rodata\n"
        "report_page: .incbin \"lockstep/report_page.html\"\n"
        ".byte 0\n"
        ".popsection\n");
extern const char report_page[];

enum { KEY_HTML = 256 };

struct options {
    const char *folder;
    bool html;
};

static error_t parse(int key, char *argument, struct argp_state *state) {
    struct options *o = state->input;
    switch (key) {
    case KEY_HTML: o->html = true; return 0;
    case ARGP_KEY_ARG:
        if (o->folder) argp_error(state, "one exploration at a time: '%s' is too many", argument);
        o->folder = argument;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "which exploration? The DIR of `lockstep explore --out` is needed");
        return 0;
    case ARGP_KEY_END:
        if (!o->html) argp_error(state, "as what? There is --html");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option option_table[] = {
    {"html", KEY_HTML, NULL, 0, "Write DIR/report.html, a page that needs nothing else", 0},
    {0},
};

static const struct argp report_argp = {
    .options = option_table,
    .parser = parse,
    .args_doc = "DIR",
    .doc = "Makes a page of an exploration: a table that sorts and filters, time against area, energy and "
           "energy x "
           "delay, what each field does, and of each point where its cycles went, its area by part and the "
           "command "
           "that repeats it."
           "\v"
           "Example:\n"
           "  lockstep explore sweep.yaml --out results && lockstep report results --html",
};

/* In a script element "</" would end it. */
static void write_data(const char *text, FILE *out) {
    for (; *text; text++)
        if (*text == '<')
            fputs("\\u003c", out);
        else
            fputc(*text, out);
}

static json_t *read_points(const char *folder, struct error *e) {
    char *path;
    json_error_t why;
    require_memory(asprintf(&path, "%s/points.json", folder) >= 0);
    json_t *j = json_load_file(path, 0, &why);
    if (!json_is_array(j)) {
        error_set(e, EXIT_USER, "%s: %s: is %s the DIR of a `lockstep explore --out` that has ended?", path,
                  j ? "this is not a list of points" : why.text, folder);
        json_decref(j);
        j = NULL;
    }
    free(path);
    return j;
}

static bool write_page(const char *folder, const char *data, struct error *e) {
    struct part part;
    char *path;
    const char *mark = strstr(report_page, "@DATA@");
    require_memory(asprintf(&path, "%s/report.html", folder) >= 0);
    const bool opened = part_open(&part, path, e);
    if (opened) {
        fwrite(report_page, 1, (size_t)(mark - report_page), part.file);
        write_data(data, part.file);
        fputs(mark + strlen("@DATA@"), part.file);
    }
    const bool good = opened && part_finish(&part, e);
    if (good) printf("%s\n", path);
    free(path);
    return good;
}

int report_command(int argc, char **argv) {
    struct options o = {0};
    struct error e = {0};
    argp_parse(&report_argp, argc, argv, 0, NULL, &o);
    json_t *points = read_points(o.folder, &e);
    char *data = points ? json_dumps(points, JSON_COMPACT | JSON_REAL_PRECISION(9)) : NULL;
    const bool good = data && write_page(o.folder, data, &e);
    free(data);
    json_decref(points);
    return good ? EXIT_SOUND : command_fail(&e);
}

/* `lockstep report`: an exploration as a web page. */
#include "lockstep/commands/arguments.h"
#include "lockstep/commands/command.h"
#include "lockstep/output/gnuplot.h"
#include "lockstep/explore/searches.h"
#include "model/config/machine_config.h"
#include "sim/part.h"

#include <argp.h>
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The page, with @DATA@ in place of the points. */
__asm__(".pushsection .rodata\n"
        "report_page: .incbin \"lockstep/commands/report_page.html\"\n"
        ".byte 0\n"
        ".popsection\n");
extern const char report_page[];

enum { KEY_HTML = 256, KEY_SVG, KEY_SEARCHES };

struct options {
    const char *folder;
    bool html, svg, searches;
};

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    struct options *o = state->input;
    switch (key) {
    case KEY_HTML: o->html = true; return 0;
    case KEY_SVG: o->svg = true; return 0;
    case KEY_SEARCHES: o->searches = true; return 0;
    case ARGP_KEY_ARG:
        if (o->folder) argp_error(state, "one exploration at a time: '%s' is too many", argument);
        o->folder = argument;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "which exploration? The DIR of `lockstep explore --out` is needed");
        return 0;
    case ARGP_KEY_END:
        if (!o->html && !o->svg && !o->searches)
            argp_error(state, "as what? There are --html, --svg and --searches");
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option option_table[] = {
    {"html", KEY_HTML, NULL, 0, "Write DIR/report.html, a page that needs nothing else", 0},
    {"svg", KEY_SVG, NULL, 0, "Write DIR/front.svg, time against area (without areas: energy), by gnuplot",
     0},
    {"searches", KEY_SEARCHES, NULL, 0,
     "DIR has all machines of a space: print how many of them each kind of sample needs for a front as good",
     0},
    {0},
};

static const struct argp report_argp = {
    .options = option_table,
    .parser = parse_option,
    .args_doc = "DIR",
    .doc =
        "Makes a page of an exploration. It has plots of time against area, energy and energy x delay, the "
        "front, the effect of each field, and a table of all points; a filter acts on all of them. For "
        "each point it shows the causes of its cycles, its area by part and the command that repeats it."
        "\v"
        "Example:\n"
        "  lockstep explore sweep.yaml --out results && lockstep report results --html --svg",
};

/* Writes text into a script element, which "</" would end. */
static void write_data(const char *text, FILE *out) {
    for (; *text; text++)
        if (*text == '<')
            fputs("\\u003c", out);
        else
            fputc(*text, out);
}

/* Reads DIR/NAME.json: an array if `list`, else an object. Returns NULL with *e (EXIT_USER) on failure. */
static json_t *read_json(const char *folder, const char *name, bool list, struct error *e) {
    char *path;
    json_error_t why;
    require_memory(asprintf(&path, "%s/%s.json", folder, name) >= 0);
    json_t *j = json_load_file(path, 0, &why);
    if (!j || json_is_array(j) != list) {
        error_set(e, EXIT_USER, "%s: %s: is %s the DIR of a `lockstep explore --out` that has ended?", path,
                  !j     ? why.text
                  : list ? "this is not a list of points"
                         : "this is no exploration",
                  folder);
        json_decref(j);
        j = NULL;
    }
    free(path);
    return j;
}

/* Returns the units of the fields that have one. */
static json_t *units_of(const json_t *points) {
    json_t *units = json_object();
    for (size_t f = 0; f < machine_config_table.count; f++) {
        const struct config_field *field = &machine_config_table.fields[f];
        if (*field->unit &&
            json_object_get(json_object_get(json_array_get(points, 0), "fields"), field->name))
            json_object_set_new(units, field->name, json_string(field->unit));
    }
    return units;
}

static bool write_page(const char *folder, json_t *points, struct error *e) {
    struct part part;
    char *path;
    const char *mark = strstr(report_page, "@DATA@");
    json_t *exploration = read_json(folder, "exploration", false, e);
    if (!exploration) return false;
    json_t *j =
        json_pack("{s:o, s:o, s:O}", "exploration", exploration, "units", units_of(points), "points", points);
    char *data = json_dumps(j, JSON_COMPACT | JSON_REAL_PRECISION(9));
    json_decref(j);
    require_memory(data);
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
    free(data);
    return good;
}

/* --- the plot --- */

/* The geometric means of a configuration's programs. */
struct mean {
    const json_t *fields;
    double time_us, mm2, energy_uj;
    size_t programs;
};

static bool is_complete(const json_t *row) {
    const char *status = json_string_value(json_object_get(row, "status"));
    return status && strcmp(status, "complete") == 0;
}

/* Adds a point to the mean of its configuration; logarithms until all have been added. */
static void add_point(struct mean *means, size_t *count, const json_t *row) {
    const json_t *fields = json_object_get(row, "fields");
    size_t n = 0;
    while (n < *count && !json_equal(means[n].fields, fields)) n++;
    if (n == *count) means[(*count)++] = (struct mean){.fields = fields};
    means[n].time_us += log(json_number_value(json_object_get(row, "time_ns")) * 1e-3);
    means[n].energy_uj += log(json_number_value(json_object_get(row, "energy_nj_horowitz")) * 1e-3);
    means[n].mm2 = json_number_value(json_object_get(row, "mm2"));
    means[n].programs++;
}

static int faster_first(const void *a, const void *b) {
    const struct mean *x = a, *y = b;
    if (x->time_us != y->time_us) return x->time_us < y->time_us ? -1 : 1;
    if (x->mm2 != y->mm2) return x->mm2 < y->mm2 ? -1 : 1;
    return (x->energy_uj > y->energy_uj) - (x->energy_uj < y->energy_uj);
}

/* Writes all configurations, sorted by time and then area. Then writes the front: configurations smaller than
 * every faster one. */
static void write_plot(struct mean *means, size_t count, FILE *out) {
    bool areas = false;
    for (size_t n = 0; n < count; n++) areas |= means[n].mm2 > 0;
    qsort(means, count, sizeof *means, faster_first);
    fprintf(out,
            "set terminal svg noenhanced size 700,480 font 'sans-serif,12' background 'white'\n"
            "set xlabel 'time, us (geometric mean of the programs)'\nset ylabel '%s'\nset grid\n",
            areas ? "area at 40 nm, mm2" : "energy, uJ (horowitz)");
    double low = INFINITY, high = 0;
    for (size_t n = 0; n < count; n++) {
        low = fmin(low, areas ? means[n].mm2 : means[n].energy_uj);
        high = fmax(high, areas ? means[n].mm2 : means[n].energy_uj);
    }
    gnuplot_range('x', means[0].time_us, means[count - 1].time_us, out);
    gnuplot_range('y', low, high, out);
    fputs("$all << EOD\n", out);
    for (unsigned front = 0; front < 2; front++) {
        double least = INFINITY;
        for (size_t n = 0; n < count; n++) {
            const double y = areas ? means[n].mm2 : means[n].energy_uj;
            if (front && y >= least) continue;
            least = fmin(least, y);
            fprintf(out, "%.9g %.9g\n", means[n].time_us, y);
        }
        fputs(front ? "EOD\n" : "EOD\n$front << EOD\n", out);
    }
    fputs("plot $all with points pt 7 ps 0.6 title 'machines', $front with steps lc 2 title 'front', "
          "$front with points pt 7 ps 0.8 lc 2 notitle\n",
          out);
}

static bool plot(const char *folder, const json_t *points, struct error *e) {
    struct mean *means = calloc(json_array_size(points) + 1, sizeof *means);
    char *path, *script;
    size_t count = 0, kept = 0, programs = 0, size, index;
    json_t *row;
    require_memory(means);
    json_array_foreach(points, index, row) if (is_complete(row)) add_point(means, &count, row);
    for (size_t n = 0; n < count; n++)
        if (means[n].programs > programs) programs = means[n].programs;
    for (size_t n = 0; n < count; n++) {
        if (means[n].programs < programs) continue;
        means[kept] = means[n];
        means[kept].time_us = exp(means[n].time_us / (double)programs);
        means[kept++].energy_uj = exp(means[n].energy_uj / (double)programs);
    }
    FILE *out = open_memstream(&script, &size);
    require_memory(out);
    if (kept) write_plot(means, kept, out);
    fclose(out);
    require_memory(asprintf(&path, "%s/front.svg", folder) >= 0);
    const bool good =
        kept > 0 ? gnuplot_write(script, path, e)
                 : error_set(e, EXIT_USER, "%s: no point is complete: there is nothing to plot", folder);
    if (good) printf("%s\n", path);
    free(path);
    free(script);
    free(means);
    return good;
}

static int command(int argc, char **argv) {
    struct options o = {0};
    struct error e = {0};
    arguments_parse(&report_argp, argc, argv, 0, &o);
    json_t *points = read_json(o.folder, "points", true, &e);
    const bool good = points && (!o.html || write_page(o.folder, points, &e)) &&
                      (!o.svg || plot(o.folder, points, &e)) &&
                      (!o.searches || searches_print(o.folder, points, stdout, &e));
    json_decref(points);
    return good ? EXIT_SOUND : command_fail(&e);
}

const struct command_row command_report = {90, "an exploration as a page", command};

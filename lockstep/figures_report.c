/* What the runs come to: tables, values, plots. */
#include "lockstep/figures_parts.h"

#include <stdlib.h>
#include <string.h>

#define FIGURES_SCHEMA_VERSION 1

static bool has_groups(const struct figures *f) {
    return f->paper->first_group_below > 0 && figures_is_shown(f, 0);
}

static struct figure figure_of(const struct figures *f, size_t i, struct figure_series *series) {
    const struct figures_definition *d = &f->paper->figures[i];
    struct figure figure = d->figure;
    for (size_t s = 0; s < figure.series_count; s++) series[s] = d->series[s].series;
    figure.series = series;
    const struct figures_sweep *sweep = figures_sweep_of(f, i);
    figure.rows = sweep ? sweep->rows : f->rows;
    figure.row_count = sweep ? sweep->row_count : f->row_count;
    figure.values = f->values[i];
    for (size_t g = 0; g < FIGURE_GROUPS && has_groups(f) && !sweep; g++)
        figure.group[figure.group_count++] = (struct figure_group){f->paper->group_names[g], f->in_group[g]};
    return figure;
}

/* By the first series of the first figure. */
static void find_groups(struct figures *f) {
    const size_t series = f->paper->figures[0].figure.series_count;
    for (size_t row = 0; row < f->row_count; row++)
        f->in_group[f->values[0][row * series] >= f->paper->first_group_below][row] = true;
}

static void print_report(const struct figures *f, FILE *out, json_t *documents) {
    const struct figures_paper *p = f->paper;
    fprintf(out, "%s\n", p->title);
    for (size_t i = 0; i < p->figure_count; i++) {
        if (!figures_is_shown(f, i)) continue;
        struct figure_series series[p->figures[i].figure.series_count];
        const struct figure figure = figure_of(f, i, series);
        figure_print(&figure, out);
        if (documents) json_array_append_new(documents, figure_document(&figure));
    }
}

static bool write_file(const struct figures *f, const char *ending, const char *text, struct error *e) {
    struct part part;
    char *name;
    require_memory(asprintf(&name, "%s%s", f->paper->name, ending) >= 0);
    char *path = figures_in_folder(f, name);
    const bool opened = part_open(&part, path, e);
    if (opened) fputs(text, part.file);
    free(path);
    free(name);
    return opened && part_finish(&part, e);
}

static bool plot_all(const struct figures *f, struct error *e) {
    const struct figures_paper *p = f->paper;
    bool good = true;
    for (size_t i = 0; i < p->figure_count && good; i++) {
        if (!figures_is_shown(f, i)) continue;
        struct figure_series series[p->figures[i].figure.series_count];
        const struct figure figure = figure_of(f, i, series);
        char *name;
        require_memory(asprintf(&name, "%s-%s.svg", p->name, figure.name) >= 0);
        char *path = figures_in_folder(f, name);
        good = figure_plot(&figure, path, e);
        free(path);
        free(name);
    }
    return good;
}

bool figures_report(struct figures *f, struct error *e) {
    find_groups(f);
    char *text = NULL;
    size_t size;
    json_t *document = json_object(), *documents = json_array();
    FILE *out = open_memstream(&text, &size);
    require_memory(out);
    print_report(f, out, documents);
    fclose(out);
    json_object_set_new(document, "schema", json_string("lockstep-figures"));
    json_object_set_new(document, "schema_version", json_integer(FIGURES_SCHEMA_VERSION));
    json_object_set_new(document, "report", json_string(f->paper->name));
    json_object_set_new(document, "figures", documents);
    char *json = json_dumps(document, JSON_INDENT(2));
    const bool good = write_file(f, ".txt", text, e) && write_file(f, ".json", json, e) && plot_all(f, e);
    fputs(text, f->out);
    free(json);
    json_decref(document);
    free(text);
    return good;
}

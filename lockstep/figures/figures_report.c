/* The results of the runs: tables, values, plots. */
#include "lockstep/figures/figures_parts.h"

#include "sim/part.h"

#include <stdlib.h>
#include <string.h>

#define FIGURES_SCHEMA_VERSION 1

static bool has_groups(const struct figures *f) {
    const struct figures_paper *p = f->paper;
    return p->group_names[0] && (!(p->first_group_below > 0) || figures_is_shown(f, 0));
}

/* The rows of a figure, and their values if it does not have all benchmarks. */
struct kept {
    const char *rows[FIGURES_MAX_BENCHMARKS];
    bool ours[FIGURES_MAX_BENCHMARKS], in_group[FIGURE_GROUPS][FIGURES_MAX_BENCHMARKS];
    double *values;
};

static void keep_rows(const struct figures *f, size_t i, struct figure *figure, struct kept *k) {
    const size_t count = figure->series_count;
    k->values = calloc(f->row_count * count, sizeof *k->values);
    require_memory(k->values);
    figure->row_count = 0;
    for (size_t row = 0; row < f->row_count; row++) {
        if (!figures_has_row(f, i, f->rows[row])) continue;
        memcpy(k->values + figure->row_count * count, f->values[i] + row * count, count * sizeof *k->values);
        k->ours[figure->row_count] = f->row_benchmark[row]->ours;
        for (size_t g = 0; g < FIGURE_GROUPS; g++) k->in_group[g][figure->row_count] = f->in_group[g][row];
        k->rows[figure->row_count++] = f->rows[row];
    }
    figure->rows = k->rows;
    figure->values = k->values;
}

static struct figure figure_of(const struct figures *f, size_t i, struct figure_series *series,
                               struct kept *kept) {
    const struct figures_definition *d = &f->paper->figures[i];
    struct figure figure = d->figure;
    for (size_t s = 0; s < figure.series_count; s++) series[s] = d->series[s].series;
    figure.series = series;
    const struct figures_sweep *sweep = figures_sweep_of(f, i);
    figure.rows = sweep ? sweep->rows : f->rows;
    figure.row_count = sweep ? sweep->row_count : f->row_count;
    figure.values = f->values[i];
    kept->values = NULL;
    for (size_t row = 0; row < f->row_count; row++) kept->ours[row] = f->row_benchmark[row]->ours;
    if (!sweep) figure.ours = kept->ours;
    if (d->figure.rows) keep_rows(f, i, &figure, kept);
    for (size_t g = 0; g < FIGURE_GROUPS && has_groups(f) && !sweep; g++)
        figure.group[figure.group_count++] = (struct figure_group){
            f->paper->group_names[g], d->figure.rows ? kept->in_group[g] : f->in_group[g]};
    return figure;
}

static void find_groups(struct figures *f) {
    const size_t series = f->paper->figures[0].figure.series_count;
    const double limit = f->paper->first_group_below;
    for (size_t row = 0; row < f->row_count; row++) {
        const bool above = f->values[0][row * series] >= limit;
        f->in_group[limit > 0 ? above : f->row_benchmark[row]->second_group][row] = true;
    }
}

static void print_report(const struct figures *f, FILE *out, json_t *documents) {
    const struct figures_paper *p = f->paper;
    fprintf(out, "%s\n", p->title);
    for (size_t i = 0; i < p->figure_count; i++) {
        if (!figures_is_shown(f, i)) continue;
        struct figure_series series[p->figures[i].figure.series_count];
        struct kept kept;
        const struct figure figure = figure_of(f, i, series, &kept);
        figure_print(&figure, out);
        if (documents) json_array_append_new(documents, figure_document(&figure));
        free(kept.values);
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
        struct kept kept;
        const struct figure figure = figure_of(f, i, series, &kept);
        char *name;
        require_memory(asprintf(&name, "%s-%s.svg", p->name, figure.name) >= 0);
        char *path = figures_in_folder(f, name);
        good = figure_plot(&figure, path, e);
        free(path);
        free(name);
        free(kept.values);
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
    fputs(text, stdout);
    free(json);
    json_decref(document);
    free(text);
    return good;
}

#include "lockstep/figures/figure.h"

#include "lockstep/output/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double value(const struct figure *f, size_t row, size_t series) {
    return f->values[row * f->series_count + series];
}

/* Returns the mean of the rows in a set or, with `without`, of all other rows. set NULL: all rows. */
static double mean_of(const struct figure *f, size_t series, const bool *set, bool without) {
    double logarithms = 0, sum = 0, n = 0;
    for (size_t r = 0; r < f->row_count; r++) {
        if (set && set[r] == without) continue;
        n++;
        sum += value(f, r, series);
        if (f->gains) logarithms += log(1 + value(f, r, series) / 100);
    }
    if (n == 0) return NAN;
    return f->gains ? 100 * (exp(logarithms / n) - 1) : sum / n;
}

double figure_mean(const struct figure *f, size_t series) {
    return mean_of(f, series, NULL, false);
}

double figure_paper_mean(const struct figure *f, size_t series) {
    return mean_of(f, series, f->ours, true);
}

bool figure_has_ours(const struct figure *f) {
    bool any = false;
    for (size_t r = 0; f->ours && r < f->row_count; r++) any |= f->ours[r];
    return any;
}

double figure_group_mean(const struct figure *f, size_t group, size_t series) {
    return mean_of(f, series, f->group[group].has, false);
}

#define PAPERS "paper's programs"

static const char *mean_name(const struct figure *f) {
    return f->gains ? "geometric mean" : "mean";
}

/* --- table --- */

static void add_number(struct table *t, const struct figure *f, double v) {
    if (isnan(v))
        table_add(t, "-");
    else
        table_add(t, "%.*f", (int)f->digits, v);
}

static void add_means(struct table *t, const struct figure *f) {
    for (size_t g = 0; g < f->group_count; g++) {
        table_add(t, "%s", f->group[g].name);
        for (size_t s = 0; s < f->series_count; s++) add_number(t, f, figure_group_mean(f, g, s));
    }
    table_add(t, "%s", mean_name(f));
    for (size_t s = 0; s < f->series_count; s++) add_number(t, f, figure_mean(f, s));
    if (figure_has_ours(f)) {
        table_add(t, "%s", PAPERS);
        for (size_t s = 0; s < f->series_count; s++) add_number(t, f, figure_paper_mean(f, s));
    }
    table_add(t, "paper");
    for (size_t s = 0; s < f->series_count; s++) add_number(t, f, f->series[s].paper);
    table_add(t, "difference");
    for (size_t s = 0; s < f->series_count; s++)
        add_number(t, f, figure_paper_mean(f, s) - f->series[s].paper);
}

static void print_one_known(const struct figure *f, const struct figure_known *k, double ours, FILE *out) {
    const int digits = (int)f->digits;
    if (isnan(ours)) return;
    fprintf(out, "  %s, %s: paper %.*f, ours %.*f, difference %+.*f\n", k->row, f->series[k->series].name,
            digits, k->paper, digits, ours, digits, ours - k->paper);
}

static void print_known(const struct figure *f, FILE *out) {
    for (const struct figure_known *k = f->known; k < f->known + f->known_count; k++) {
        for (size_t r = 0; r < f->row_count; r++)
            if (strcmp(f->rows[r], k->row) == 0) print_one_known(f, k, value(f, r, k->series), out);
        for (size_t g = 0; g < f->group_count; g++)
            if (strcmp(f->group[g].name, k->row) == 0)
                print_one_known(f, k, figure_group_mean(f, g, k->series), out);
    }
}

/* Prints the words of a paragraph in lines of at most 100 characters. */
static void print_paragraph(const char *text, FILE *out) {
    for (size_t column = 0; *text;) {
        const size_t length = strcspn(text, " ");
        if (column && column + 1 + length > 98) {
            fputc('\n', out);
            column = 0;
        }
        fprintf(out, "%s%.*s", column ? " " : "  ", (int)length, text);
        column += length + (column ? 1 : 0);
        text += length + (text[length] == ' ');
    }
    fputc('\n', out);
}

void figure_print(const struct figure *f, FILE *out) {
    struct table t;
    char *align = malloc(f->series_count + 2);
    require_memory(align);
    memset(align, 'r', f->series_count + 1);
    align[0] = 'l';
    align[f->series_count + 1] = '\0';
    table_init(&t, align);
    table_add(&t, "%s", f->unit);
    for (size_t s = 0; s < f->series_count; s++) table_add(&t, "%s", f->series[s].name);
    for (size_t r = 0; r < f->row_count; r++) {
        table_add(&t, "%s", f->rows[r]);
        for (size_t s = 0; s < f->series_count; s++) add_number(&t, f, value(f, r, s));
    }
    if (!f->lines) add_means(&t, f);
    fprintf(out, "\n%s: %s\n\n", f->name, f->title);
    table_print(&t, 2, out);
    print_known(f, out);
    fputc('\n', out);
    print_paragraph(f->note, out);
    table_free(&t);
    free(align);
}

/* --- JSON --- */

static json_t *number(double v) {
    return isnan(v) ? json_null() : json_real(v);
}

static json_t *series_document(const struct figure *f, size_t s) {
    json_t *j = json_object(), *values = json_object();
    for (size_t r = 0; r < f->row_count; r++) json_object_set_new(values, f->rows[r], number(value(f, r, s)));
    json_object_set_new(j, "name", json_string(f->series[s].name));
    json_object_set_new(j, "values", values);
    if (f->lines) return j;
    for (size_t g = 0; g < f->group_count; g++)
        json_object_set_new(j, f->group[g].name, number(figure_group_mean(f, g, s)));
    json_object_set_new(j, mean_name(f), number(figure_mean(f, s)));
    json_object_set_new(j, PAPERS, number(figure_paper_mean(f, s)));
    json_object_set_new(j, "paper", number(f->series[s].paper));
    return j;
}

json_t *figure_document(const struct figure *f) {
    json_t *j = json_object(), *series = json_array();
    for (size_t s = 0; s < f->series_count; s++) json_array_append_new(series, series_document(f, s));
    json_object_set_new(j, "name", json_string(f->name));
    json_object_set_new(j, "title", json_string(f->title));
    json_object_set_new(j, "unit", json_string(f->unit));
    json_object_set_new(j, "series", series);
    json_object_set_new(j, "note", json_string(f->note));
    return j;
}

/* The three forms in which a registry is printed. */
#include "sim/counter_private.h"

#include "sim/error.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool has_mean(const struct histogram *h, double *mean) {
    if (!h->total) return false;
    *mean = (double)h->sum / (double)h->total;
    return true;
}

/* Returns the buckets to show: from *first to *end - 1. */
static void shown_buckets(const struct histogram *h, unsigned *first, unsigned *end) {
    *first = 0;
    *end = (unsigned)h->buckets;
    while (*first < *end && !h->bucket[*first]) ++*first;
    while (*end > *first && !h->bucket[*end - 1]) --*end;
}

static const char *bucket_name(const struct histogram *h, unsigned n, char text[48]) {
    const uint64_t from = histogram_from(h, n), to = histogram_to(h, n);
    if (to == UINT64_MAX)
        snprintf(text, 48, "%" PRIu64 "..", from);
    else
        snprintf(text, 48, "%" PRIu64 "..%" PRIu64, from, to);
    return text;
}

/* --- the table --- */

enum { BAR_WIDTH = 40, NUMBER_WIDTH = 16 };

static const char *value_text(const struct counter_registry *r, const uint64_t *values,
                              const struct counter *c, char text[32]) {
    double ratio;
    struct histogram h;
    switch (c->kind) {
    case COUNTER_COUNT: snprintf(text, 32, "%" PRIu64, values[c->cell]); break;
    case COUNTER_RATIO:
        if (counter_ratio(r, values, c, &ratio))
            snprintf(text, 32, "%.4f", ratio);
        else
            strcpy(text, "n/0");
        break;
    case COUNTER_HISTOGRAM: counter_histogram(c, values, &h); snprintf(text, 32, "%" PRIu64, h.total);
    }
    return text;
}

static int name_width(const struct counter *c) {
    return (int)(strlen(c->scope) + (*c->scope != 0) + strlen(c->name));
}

static void print_buckets(const struct histogram *h, int width, FILE *out) {
    char text[48];
    unsigned first, end;
    uint64_t most = 1;
    double mean;
    if (has_mean(h, &mean))
        fprintf(out, "  %*s  mean %.4f, min %" PRIu64 ", max %" PRIu64 ", sum %" PRIu64 "\n",
                width + NUMBER_WIDTH, "", mean, h->min, h->max, h->sum);
    shown_buckets(h, &first, &end);
    for (unsigned n = first; n < end; n++)
        if (h->bucket[n] > most) most = h->bucket[n];
    for (unsigned n = first; n < end; n++) {
        const int bar = (int)((double)h->bucket[n] / (double)most * BAR_WIDTH + 0.5);
        fprintf(out, "  %*s%*" PRIu64, width, bucket_name(h, n, text), NUMBER_WIDTH, h->bucket[n]);
        if (bar) fputs("  ", out);
        for (int i = 0; i < bar; i++) fputc('#', out);
        fputc('\n', out);
    }
}

void counter_print_table(const struct counter_registry *r, const uint64_t *values, FILE *out) {
    int width = 0, unit_width = 0;
    for (size_t i = 0; i < r->count; i++) {
        const struct counter *c = r->counters[i];
        if (name_width(c) > width) width = name_width(c);
        if ((int)strlen(c->unit) > unit_width) unit_width = (int)strlen(c->unit);
    }
    for (size_t i = 0; i < r->count; i++) {
        const struct counter *c = r->counters[i];
        char text[32];
        fprintf(out, "  %s%s%s%*s%*s  %-*s  %s\n", c->scope, *c->scope ? "." : "", c->name,
                width - name_width(c), "", NUMBER_WIDTH, value_text(r, values, c, text), unit_width, c->unit,
                c->description);
        if (c->kind != COUNTER_HISTOGRAM) continue;
        struct histogram h;
        counter_histogram(c, values, &h);
        print_buckets(&h, width, out);
    }
}

/* --- JSON --- */

static void json_string(const char *text, FILE *out) {
    fputc('"', out);
    for (; *text; text++) {
        if ((unsigned char)*text < 0x20)
            fprintf(out, "\\u%04x", *text);
        else
            fprintf(out, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
    }
    fputc('"', out);
}

static void json_member(const char *name, const char *value, FILE *out) {
    fprintf(out, "\"%s\": ", name);
    json_string(value, out);
    fputs(", ", out);
}

static void json_real(const char *name, bool known, double value, FILE *out) {
    fprintf(out, "\"%s\": ", name);
    if (known)
        fprintf(out, "%.17g", value);
    else
        fputs("null", out);
}

static void json_histogram(const struct histogram *h, FILE *out) {
    unsigned first, end;
    double mean = 0;
    fprintf(out, "\"total\": %" PRIu64 ", \"sum\": %" PRIu64 ", \"min\": %" PRIu64 ", \"max\": %" PRIu64 ", ",
            h->total, h->sum, h->min, h->max);
    const bool known = has_mean(h, &mean);
    json_real("mean", known, mean, out);
    fputs(", \"buckets\": [", out);
    shown_buckets(h, &first, &end);
    for (unsigned n = first; n < end; n++) {
        fprintf(out, "%s{\"from\": %" PRIu64, n > first ? ", " : "", histogram_from(h, n));
        if (histogram_to(h, n) != UINT64_MAX) fprintf(out, ", \"to\": %" PRIu64, histogram_to(h, n));
        fprintf(out, ", \"count\": %" PRIu64 "}", h->bucket[n]);
    }
    fputc(']', out);
}

static void json_counter(const struct counter_registry *r, const uint64_t *values, const struct counter *c,
                         FILE *out) {
    struct histogram h;
    double ratio = 0;
    json_member("scope", c->scope, out);
    json_member("name", c->name, out);
    json_member("unit", c->unit, out);
    json_member("description", c->description, out);
    if (c->kind == COUNTER_COUNT) fprintf(out, "\"value\": %" PRIu64, values[c->cell]);
    if (c->kind == COUNTER_RATIO) {
        const bool known = counter_ratio(r, values, c, &ratio);
        json_member("formula", c->formula, out);
        json_real("value", known, ratio, out);
    }
    if (c->kind == COUNTER_HISTOGRAM) {
        counter_histogram(c, values, &h);
        json_histogram(&h, out);
    }
}

static void json_kind(const struct counter_registry *r, const uint64_t *values, enum counter_kind kind,
                      FILE *out) {
    const char *before = "\n";
    for (size_t i = 0; i < r->count; i++) {
        if (r->counters[i]->kind != kind) continue;
        fprintf(out, "%s    {", before);
        json_counter(r, values, r->counters[i], out);
        fputc('}', out);
        before = ",\n";
    }
}

void counter_print_json(const struct counter_registry *r, const uint64_t *values, FILE *out) {
    static const char *const head[] = {[COUNTER_COUNT] = "{\n  \"counters\": [",
                                       [COUNTER_RATIO] = "],\n  \"ratios\": [",
                                       [COUNTER_HISTOGRAM] = "],\n  \"histograms\": ["};
    for (enum counter_kind kind = COUNTER_COUNT; kind <= COUNTER_HISTOGRAM; kind++) {
        fputs(head[kind], out);
        json_kind(r, values, kind, out);
    }
    fputs("]\n}\n", out);
}

/* --- CSV --- */

static void csv_field(const char *text, FILE *out) {
    const bool quoted = strpbrk(text, ",\"\r\n");
    if (quoted) fputc('"', out);
    for (; *text; text++) fprintf(out, *text == '"' ? "\"%c" : "%c", *text);
    if (quoted) fputc('"', out);
}

static void csv_line(const struct counter *c, const char *item, const char *value, FILE *out) {
    const char *const fields[] = {c->scope, c->name, item, value, c->unit, c->description};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        if (i) fputc(',', out);
        csv_field(fields[i], out);
    }
    fputs("\r\n", out);
}

static void csv_count(const struct counter *c, const char *item, uint64_t value, FILE *out) {
    char text[32];
    snprintf(text, sizeof text, "%" PRIu64, value);
    csv_line(c, item, text, out);
}

static void csv_histogram(const struct counter *c, const struct histogram *h, FILE *out) {
    char text[48] = "", name[48];
    unsigned first, end;
    double mean;
    csv_count(c, "total", h->total, out);
    csv_count(c, "sum", h->sum, out);
    csv_count(c, "min", h->min, out);
    csv_count(c, "max", h->max, out);
    if (has_mean(h, &mean)) snprintf(text, sizeof text, "%.17g", mean);
    csv_line(c, "mean", text, out);
    shown_buckets(h, &first, &end);
    for (unsigned n = first; n < end; n++) csv_count(c, bucket_name(h, n, name), h->bucket[n], out);
}

void counter_print_csv(const struct counter_registry *r, const uint64_t *values, FILE *out) {
    fputs("scope,name,item,value,unit,description\r\n", out);
    for (size_t i = 0; i < r->count; i++) {
        const struct counter *c = r->counters[i];
        char text[32];
        double ratio;
        struct histogram h;
        switch (c->kind) {
        case COUNTER_COUNT: csv_count(c, "value", values[c->cell], out); break;
        case COUNTER_RATIO:
            strcpy(text, "n/0");
            if (counter_ratio(r, values, c, &ratio)) snprintf(text, sizeof text, "%.17g", ratio);
            csv_line(c, "value", text, out);
            break;
        case COUNTER_HISTOGRAM: counter_histogram(c, values, &h); csv_histogram(c, &h, out);
        }
    }
}

#include "lockstep/output/difference_statistics.h"

#include "lockstep/output/source_lines.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN 50 /* largest number of printed differences; further ones are only counted */

/* Values by name, sorted by name. */
struct values {
    const char *path;
    struct value {
        char *name, *text;
    } * value;
    size_t count;
};

static void add(struct values *v, char *name, char *text) {
    require_memory(name && text);
    v->value = realloc(v->value, (v->count + 1) * sizeof *v->value);
    require_memory(v->value);
    v->value[v->count++] = (struct value){name, text};
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const struct value *)a)->name, ((const struct value *)b)->name);
}

/* --- JSON --- */

/* Returns the name of an array's member: scope and name, or its number. */
static char *member_name(const char *before, const json_t *member, size_t number) {
    const char *scope = json_string_value(json_object_get(member, "scope")),
               *name = json_string_value(json_object_get(member, "name"));
    char *text;
    if (scope && name)
        require_memory(asprintf(&text, "%s.%s.%s", before, scope, name) >= 0);
    else
        require_memory(asprintf(&text, "%s.%zu", before, number) >= 0);
    return text;
}

static void add_json(struct values *v, const char *name, const json_t *j) {
    const char *key;
    json_t *member;
    if (json_is_object(j)) {
        json_object_foreach((json_t *)j, key, member) {
            char *inner;
            if (!*name && strcmp(key, "host") == 0) continue;
            require_memory(asprintf(&inner, "%s%s%s", name, *name ? "." : "", key) >= 0);
            add_json(v, inner, member);
            free(inner);
        }
    } else if (json_is_array(j)) {
        size_t n;
        json_array_foreach(j, n, member) {
            char *inner = member_name(name, member, n);
            add_json(v, inner, member);
            free(inner);
        }
    } else {
        add(v, strdup(name), json_dumps(j, JSON_ENCODE_ANY));
    }
}

static bool read_json(struct values *v, struct error *e) {
    json_error_t at;
    json_t *document = json_load_file(v->path, 0, &at);
    const char *schema = json_string_value(json_object_get(document, "schema"));
    if (!document) return error_set(e, EXIT_USER, "%s:%d: %s", v->path, at.line, at.text);
    const bool good = schema && strncmp(schema, "lockstep-", 9) == 0;
    if (good) add_json(v, "", document);
    json_decref(document);
    return good || error_set(e, EXIT_USER, "%s: it is no file of --stats", v->path);
}

/* --- CSV --- */

/* Reads a line: scope, name, item, value, unit, description. */
static bool add_line(struct values *v, const char *line) {
    size_t comma[4], at = 0;
    for (unsigned n = 0; n < 4; ++n) {
        const char *next = strchr(line + at, ',');
        if (!next) return false;
        comma[n] = (size_t)(next - line);
        at = comma[n] + 1;
    }
    add(v, strndup(line, comma[2]), strndup(line + comma[2] + 1, comma[3] - comma[2] - 1));
    return true;
}

static bool read_csv(struct values *v, struct error *e) {
    struct source_lines lines;
    bool good = source_lines_read(&lines, v->path, e);
    if (!good) return false;
    good = strncmp(lines.lines[1], "scope,name,item,value", 21) == 0;
    for (size_t n = 2; good && n <= lines.count; ++n)
        if (*lines.lines[n] && !add_line(v, lines.lines[n])) good = false;
    source_lines_free(&lines);
    return good || error_set(e, EXIT_USER, "%s: it is no file of --stats", v->path);
}

/* --- comparison --- */

static bool is_csv(const char *path) {
    const size_t length = strlen(path);
    return length > 4 && strcmp(path + length - 4, ".csv") == 0;
}

static bool read_values(struct values *v, const char *path, struct error *e) {
    *v = (struct values){.path = path};
    if (!(is_csv(path) ? read_csv : read_json)(v, e)) return false;
    if (v->count) qsort(v->value, v->count, sizeof *v->value, by_name);
    return true;
}

static void free_values(struct values *v) {
    for (size_t n = 0; n < v->count; ++n) {
        free(v->value[n].name);
        free(v->value[n].text);
    }
    free(v->value);
}

static void print_pair(const char *name, const char *x, const char *y, FILE *out) {
    char *end[2] = {NULL, NULL};
    const double p = x ? strtod(x, &end[0]) : 0, q = y ? strtod(y, &end[1]) : 0;
    fprintf(out, "%s: %s, %s", name, x ? x : "none", y ? y : "none");
    if (x && y && end[0] != x && end[1] != y && !*end[0] && !*end[1]) {
        fprintf(out, " (%+g", q - p);
        if (p) fprintf(out, ", %+.2f %%", 100 * (q - p) / p);
        fputc(')', out);
    }
    fputc('\n', out);
}

static size_t compare(const struct values *a, const struct values *b, FILE *out) {
    size_t x = 0, y = 0, different = 0;
    while (x < a->count || y < b->count) {
        const struct value *p = x < a->count ? &a->value[x] : NULL, *q = y < b->count ? &b->value[y] : NULL;
        const int order = !p ? 1 : !q ? -1 : by_name(p, q);
        const bool equal = order == 0 && strcmp(p->text, q->text) == 0;
        if (!equal && different++ < SHOWN)
            print_pair(order <= 0 ? p->name : q->name, order <= 0 ? p->text : NULL,
                       order >= 0 ? q->text : NULL, out);
        x += order <= 0;
        y += order >= 0;
    }
    if (different > SHOWN) fprintf(out, "and %zu more values differ\n", different - SHOWN);
    return different;
}

bool difference_statistics(const char *a, const char *b, FILE *out, bool *differs, struct error *e) {
    struct values v[2] = {{0}, {0}};
    if (is_csv(a) != is_csv(b))
        return error_set(e, EXIT_USER, "%s and %s: two files of one format are needed, .json or .csv", a, b);
    const bool good = read_values(&v[0], a, e) && read_values(&v[1], b, e);
    if (good) *differs = compare(&v[0], &v[1], out) > 0;
    for (unsigned n = 0; n < 2; ++n) free_values(&v[n]);
    return good;
}

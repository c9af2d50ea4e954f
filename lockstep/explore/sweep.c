#include "lockstep/explore/sweep.h"

#include "lockstep/run/machine_options.h"
#include "sim/seed.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <yaml.h>

enum { POPULATION = 16, MAX_POPULATION = 10000, MAX_TRIES = 1000 };

struct reading {
    struct sweep *sweep;
    yaml_document_t document;
    struct error *e;
};

static bool fail(struct reading *r, const yaml_node_t *n, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static bool fail(struct reading *r, const yaml_node_t *n, const char *format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return error_set(r->e, EXIT_USER, "%s:%zu: %s", r->sweep->path, n->start_mark.line + 1, text);
}

static const char *scalar(const yaml_node_t *n) {
    return n->type == YAML_SCALAR_NODE && *n->data.scalar.value ? (const char *)n->data.scalar.value : NULL;
}

static char *copy(const char *text) {
    char *s = strdup(text);
    require_memory(s);
    return s;
}

static bool read_number(struct reading *r, const yaml_node_t *n, const char *name, double least, double most,
                        double *value) {
    char *end;
    const char *text = scalar(n);
    *value = text ? strtod(text, &end) : NAN;
    if (text && !*end && *value >= least && *value <= most) return true;
    return fail(r, n, "%s: a number from %g to %g is needed", name, least, most);
}

static bool read_choice(struct reading *r, const yaml_node_t *n, const char *name,
                        const char *const choices[], unsigned *value) {
    char names[200] = "";
    const char *text = scalar(n);
    for (*value = 0; choices[*value]; ++*value) {
        if (text && strcmp(text, choices[*value]) == 0) return true;
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", *value ? ", " : "",
                 choices[*value]);
    }
    return fail(r, n, "%s: '%s' is none of %s", name, text ? text : "(not a word)", names);
}

/* Calls read for each key of a mapping; a repeated key is an error. */
static bool read_mapping(struct reading *r, const yaml_node_t *n, const char *what,
                         bool (*read)(struct reading *r, const char *key, const yaml_node_t *at,
                                      yaml_node_t *value)) {
    if (n->type != YAML_MAPPING_NODE) return fail(r, n, "%s: `name: value` is needed here", what);
    for (yaml_node_pair_t *p = n->data.mapping.pairs.start; p < n->data.mapping.pairs.top; p++) {
        const yaml_node_t *key = yaml_document_get_node(&r->document, p->key);
        const char *name = scalar(key);
        if (!name) return fail(r, key, "%s: a name is needed here", what);
        for (yaml_node_pair_t *q = n->data.mapping.pairs.start; q < p; q++) {
            const char *before = scalar(yaml_document_get_node(&r->document, q->key));
            if (before && strcmp(before, name) == 0) return fail(r, key, "%s is given twice", name);
        }
        if (!read(r, name, key, yaml_document_get_node(&r->document, p->value))) return false;
    }
    return true;
}

/* --- fields and programs --- */

static bool add_value(struct reading *r, struct sweep_field *f, const yaml_node_t *n) {
    struct machine_config c;
    struct error why = {0};
    char assignment[512];
    const char *text = scalar(n);
    if (!text) return fail(r, n, "%s: a value is needed here", f->name);
    for (size_t v = 0; v < f->count; v++)
        if (strcmp(f->values[v], text) == 0) return fail(r, n, "%s: %s is given twice", f->name, text);
    config_defaults(&machine_config_table, &c);
    snprintf(assignment, sizeof assignment, "%s=%s", f->name, text);
    if (!config_set(&machine_config_table, &c, assignment, &why)) {
        const char *message = strncmp(why.message, "--set ", 6) == 0 ? why.message + 6 : why.message;
        return fail(r, n, "%s", message);
    }
    f->values = reallocarray(f->values, f->count + 1, sizeof *f->values);
    require_memory(f->values);
    f->values[f->count++] = copy(text);
    return true;
}

static bool read_field(struct reading *r, const char *key, const yaml_node_t *at, yaml_node_t *value) {
    struct sweep *s = r->sweep;
    (void)at;
    s->fields = reallocarray(s->fields, s->field_count + 1, sizeof *s->fields);
    require_memory(s->fields);
    struct sweep_field *f = &s->fields[s->field_count++];
    *f = (struct sweep_field){.name = copy(key)};
    if (value->type != YAML_SEQUENCE_NODE) return add_value(r, f, value);
    for (yaml_node_item_t *i = value->data.sequence.items.start; i < value->data.sequence.items.top; i++)
        if (!add_value(r, f, yaml_document_get_node(&r->document, *i))) return false;
    return f->count > 0 || fail(r, value, "%s: a value is needed here", key);
}

/* Splits a program into words by the shell's rules: at blanks outside quotes and not after a backslash.
 * Returns false if a quote is open. */
static bool split(struct sweep_program *p) {
    size_t count = 0;
    const char *t = p->text;
    for (;;) {
        t += strspn(t, " \t\n");
        p->argv = reallocarray(p->argv, count + 1, sizeof *p->argv);
        require_memory(p->argv);
        p->argv[count] = NULL;
        if (!*t) return true;
        char *word = malloc(strlen(t) + 1), *to = word, quote = '\0';
        require_memory(word);
        for (; *t && (quote || !isspace((unsigned char)*t)); t++) {
            if (quote ? *t == quote : *t == '\'' || *t == '"')
                quote = quote ? '\0' : *t;
            else if (*t == '\\' && quote != '\'' && t[1])
                *to++ = *++t;
            else
                *to++ = *t;
        }
        *to = '\0';
        p->argv[count++] = word;
        p->argv = reallocarray(p->argv, count + 1, sizeof *p->argv);
        require_memory(p->argv);
        p->argv[count] = NULL;
        if (quote) return false;
    }
}

static bool read_programs(struct reading *r, const yaml_node_t *n) {
    struct sweep *s = r->sweep;
    if (n->type != YAML_SEQUENCE_NODE)
        return fail(r, n, "programs: a list is needed, `- PROGRAM ARGUMENT...`");
    for (yaml_node_item_t *i = n->data.sequence.items.start; i < n->data.sequence.items.top; i++) {
        const yaml_node_t *item = yaml_document_get_node(&r->document, *i);
        if (!scalar(item)) return fail(r, item, "programs: a command is needed here, PROGRAM ARGUMENT...");
        s->programs = reallocarray(s->programs, s->program_count + 1, sizeof *s->programs);
        require_memory(s->programs);
        struct sweep_program *p = &s->programs[s->program_count++];
        *p = (struct sweep_program){.text = copy(scalar(item))};
        if (!split(p)) return fail(r, item, "programs: a quote does not end");
        if (!p->argv[0]) return fail(r, item, "programs: a command is needed here, PROGRAM ARGUMENT...");
        for (size_t before = 0; before + 1 < s->program_count; before++)
            if (strcmp(s->programs[before].text, p->text) == 0)
                return fail(r, item, "programs: %s is there twice", p->text);
    }
    return true;
}

/* --- the rest --- */

static bool read_constraint(struct reading *r, const char *key, const yaml_node_t *at, yaml_node_t *value) {
    double number;
    if (strcmp(key, "n_tpo") == 0) {
        if (!read_number(r, value, key, 1, 1e9, &number)) return false;
        r->sweep->least_n_tpo = (unsigned)number;
        return true;
    }
    if (strcmp(key, "area_mm2") == 0) return read_number(r, value, key, 1e-6, 1e9, &r->sweep->most_mm2);
    return fail(r, at, "constraints: there is no %s: there are n_tpo, area_mm2", key);
}

static bool read_sample(struct reading *r, const char *key, const yaml_node_t *at, yaml_node_t *value) {
    static const char *const kinds[] = {"random", "latin_hypercube", "genetic", NULL};
    double number;
    unsigned kind;
    if (strcmp(key, "kind") == 0) {
        if (!read_choice(r, value, key, kinds, &kind)) return false;
        r->sweep->sample = (enum sweep_sample)(SWEEP_RANDOM + kind);
        return true;
    }
    if (strcmp(key, "points") == 0) {
        if (!read_number(r, value, key, 1, SWEEP_MAX_POINTS, &number)) return false;
        r->sweep->sample_points = (size_t)number;
        return true;
    }
    if (strcmp(key, "population") == 0) {
        if (!read_number(r, value, key, 2, MAX_POPULATION, &number)) return false;
        r->sweep->population = (size_t)number;
        return true;
    }
    if (strcmp(key, "seed") == 0) {
        if (!read_number(r, value, key, 0, 1e15, &number)) return false;
        r->sweep->seed = (uint64_t)number;
        return true;
    }
    return fail(r, at, "sample: there is no %s: there are kind, points, seed, population", key);
}

/* Reads the machine: a path from the sweep's folder, or one of Lockstep's own machines. */
static bool read_machine(struct reading *r, const yaml_node_t *n) {
    struct sweep *s = r->sweep;
    const char *slash = strrchr(s->path, '/'), *text = scalar(n);
    if (!text) return fail(r, n, "machine: a file is needed");
    require_memory(asprintf(&s->machine, "%.*s%s", *text == '/' || !slash ? 0 : (int)(slash - s->path) + 1,
                            s->path, text) >= 0);
    if (access(s->machine, F_OK) == 0 || strchr(text, '/')) return true;
    free(s->machine);
    s->machine = copy(text);
    return true;
}

static bool read_key(struct reading *r, const char *key, const yaml_node_t *at, yaml_node_t *value) {
    static const char *const periods[] = {"configuration", "area", NULL}, *const areas[] = {"off", "fast",
                                                                                            "full", NULL};
    struct sweep *s = r->sweep;
    unsigned choice;
    if (strcmp(key, "machine") == 0) return read_machine(r, value);
    if (strcmp(key, "fields") == 0) return read_mapping(r, value, key, read_field);
    if (strcmp(key, "programs") == 0) return read_programs(r, value);
    if (strcmp(key, "constraints") == 0) return read_mapping(r, value, key, read_constraint);
    if (strcmp(key, "sample") == 0) return read_mapping(r, value, key, read_sample);
    if (strcmp(key, "memory_ns") == 0) return read_number(r, value, key, 1, 1e5, &s->memory_ns);
    if (strcmp(key, "period") == 0) {
        if (!read_choice(r, value, key, periods, &choice)) return false;
        s->period_from_area = choice == 1;
        return true;
    }
    if (strcmp(key, "area") == 0) {
        if (!read_choice(r, value, key, areas, &choice)) return false;
        s->area = (enum sweep_area)choice;
        return true;
    }
    return fail(
        r, at,
        "there is no %s: there are machine, fields, programs, period, memory_ns, area, constraints, sample",
        key);
}

static bool read_document(struct reading *r, size_t size) {
    yaml_parser_t parser;
    require_memory(yaml_parser_initialize(&parser));
    yaml_parser_set_input_string(&parser, (const unsigned char *)r->sweep->text, size);
    bool good = yaml_parser_load(&parser, &r->document);
    if (!good) {
        error_set(r->e, EXIT_USER, "%s:%zu: this is not YAML: %s", r->sweep->path,
                  parser.problem_mark.line + 1, parser.problem ? parser.problem : "?");
    } else {
        yaml_node_t *root = yaml_document_get_root_node(&r->document);
        good = root ? read_mapping(r, root, "the sweep", read_key)
                    : error_set(r->e, EXIT_USER, "%s: the file is empty", r->sweep->path);
        yaml_document_delete(&r->document);
    }
    yaml_parser_delete(&parser);
    return good;
}

/* --- combinations --- */

size_t sweep_value(const struct sweep *s, size_t combination, size_t field) {
    for (size_t f = s->field_count; f-- > field + 1;) combination /= s->fields[f].count;
    return combination % s->fields[field].count;
}

size_t sweep_with_value(const struct sweep *s, size_t combination, size_t field, size_t value) {
    size_t weight = 1;
    for (size_t f = field + 1; f < s->field_count; f++) weight *= s->fields[f].count;
    return combination - sweep_value(s, combination, field) * weight + value * weight;
}

char *sweep_assignment(const struct sweep *s, size_t combination, size_t field) {
    char *text;
    const struct sweep_field *f = &s->fields[field];
    require_memory(asprintf(&text, "%s=%s", f->name, f->values[sweep_value(s, combination, field)]) >= 0);
    return text;
}

static int ascending(const void *a, const void *b) {
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

static void sort_once(struct sweep *s) {
    size_t kept = 0;
    qsort(s->configurations, s->configuration_count, sizeof *s->configurations, ascending);
    for (size_t n = 0; n < s->configuration_count; n++)
        if (n == 0 || s->configurations[n] != s->configurations[kept - 1])
            s->configurations[kept++] = s->configurations[n];
    s->configuration_count = kept;
}

/* Draws a sample in which all intervals of each field's values occur equally often. */
static void sample_latin_hypercube(struct sweep *s, struct seed *seed) {
    const size_t points = s->configuration_count;
    size_t *order = calloc(points, sizeof *order);
    require_memory(order);
    memset(s->configurations, 0, points * sizeof *s->configurations);
    for (size_t f = 0; f < s->field_count; f++) {
        for (size_t n = 0; n < points; n++) order[n] = n;
        for (size_t n = points; n > 1; n--) {
            const size_t k = seed_next(seed) % n, kept = order[k];
            order[k] = order[n - 1];
            order[n - 1] = kept;
        }
        for (size_t n = 0; n < points; n++)
            s->configurations[n] =
                s->configurations[n] * s->fields[f].count + order[n] * s->fields[f].count / points;
    }
    free(order);
}

bool sweep_choose(struct sweep *s, struct error *e) {
    struct seed seed = seed_of(s->seed);
    s->combination_count = 1;
    for (size_t f = 0; f < s->field_count; f++)
        if (__builtin_mul_overflow(s->combination_count, s->fields[f].count, &s->combination_count))
            return error_set(e, EXIT_USER, "%s: there are more combinations than can be counted", s->path);
    const bool all = s->sample == SWEEP_ALL ||
                     (s->sample != SWEEP_LATIN_HYPERCUBE && s->sample_points >= s->combination_count);
    s->configuration_count = all ? s->combination_count : s->sample_points;
    if (!s->population) s->population = POPULATION;
    if (!all && s->sample == SWEEP_GENETIC && s->population < s->sample_points)
        s->configuration_count = s->population;
    if (s->configuration_count > SWEEP_MAX_POINTS)
        return error_set(e, EXIT_USER,
                         "%s: %zu combinations are too many: sample them (sample: {kind: random, points: N})",
                         s->path, s->combination_count);
    free(s->configurations);
    s->configurations = calloc(s->configuration_count, sizeof *s->configurations);
    require_memory(s->configurations);
    if (all)
        for (size_t n = 0; n < s->configuration_count; n++) s->configurations[n] = n;
    else if (s->sample != SWEEP_RANDOM)
        sample_latin_hypercube(s, &seed);
    else
        for (size_t n = 0; n < s->configuration_count; n++)
            s->configurations[n] = seed_next(&seed) % s->combination_count;
    sort_once(s);
    return true;
}

void sweep_add(struct sweep *s, const size_t *combinations, size_t count) {
    s->configurations =
        reallocarray(s->configurations, s->configuration_count + count, sizeof *s->configurations);
    require_memory(s->configurations);
    memcpy(s->configurations + s->configuration_count, combinations, count * sizeof *combinations);
    s->configuration_count += count;
    sort_once(s);
}

static bool check_sweep(const struct sweep *s, struct error *e) {
    if (!s->program_count)
        return error_set(e, EXIT_USER, "%s: programs are missing: what should run?", s->path);
    if (s->sample != SWEEP_ALL && !s->sample_points)
        return error_set(e, EXIT_USER, "%s: sample: points are missing: how many?", s->path);
    if (s->sample == SWEEP_ALL && s->sample_points)
        return error_set(e, EXIT_USER, "%s: sample: its kind is missing: random, latin_hypercube or genetic",
                         s->path);
    if (s->population && s->sample != SWEEP_GENETIC)
        return error_set(e, EXIT_USER, "%s: sample: population is for kind: genetic", s->path);
    if (s->area == SWEEP_AREA_OFF && (s->period_from_area || s->most_mm2 > 0))
        return error_set(e, EXIT_USER, "%s: area is off, but %s needs it", s->path,
                         s->period_from_area ? "period: area" : "constraints: area_mm2");
    return true;
}

/* Returns whether a value of a field has an effect in the machine of a combination. If not, returns false
 * with *why; if there is no such machine, returns false. */
static bool matters_in(const struct sweep *s, size_t combination, size_t field, struct error *why) {
    struct machine_config c;
    struct error ignored = {0};
    if (!sweep_configure(s, combination, &c, &ignored)) return false;
    char *assignment = sweep_assignment(s, combination, field);
    const bool found = config_matters(&machine_config_table, &c, assignment, why);
    free(assignment);
    return found;
}

/* Returns whether a value of a field has an effect in one of the chosen machines with it. In a search, where
 * most machines are not chosen yet, others are tried, too. */
static bool matters(const struct sweep *s, size_t field, size_t value, struct error *e) {
    struct error why = {0};
    struct seed seed = seed_of(0);
    bool found = false;
    for (size_t n = 0; n < s->configuration_count && !found; n++)
        if (sweep_value(s, s->configurations[n], field) == value)
            found = matters_in(s, s->configurations[n], field, &why);
    for (unsigned n = 0; n < MAX_TRIES && s->sample == SWEEP_GENETIC && why.status && !found; n++)
        found = matters_in(s, sweep_with_value(s, seed_next(&seed) % s->combination_count, field, value),
                           field, &why);
    if (found || !why.status) return true;
    return error_set(e, why.status, "%s: %s", s->path, why.message + strlen("--set "));
}

static bool check_matters(const struct sweep *s, struct error *e) {
    for (size_t f = 0; f < s->field_count; f++)
        for (size_t v = 0; v < s->fields[f].count; v++)
            if (!matters(s, f, v, e)) return false;
    return true;
}

/* Reads the file's bytes into s->text, with a final zero. */
static bool read_text(struct sweep *s, size_t *size, struct error *e) {
    char bytes[4096];
    size_t n;
    FILE *in = fopen(s->path, "r"), *out = open_memstream(&s->text, size);
    require_memory(out);
    while (in && (n = fread(bytes, 1, sizeof bytes, in)) > 0) fwrite(bytes, 1, n, out);
    const bool good = in && !ferror(in);
    const int why = errno;
    if (in) fclose(in);
    require_memory(fclose(out) == 0);
    return good || error_set(e, EXIT_USER, "%s cannot be read: %s", s->path, strerror(why));
}

bool sweep_read(struct sweep *s, const char *path, struct error *e) {
    *s = (struct sweep){.path = copy(path), .area = SWEEP_AREA_FAST};
    struct reading r = {.sweep = s, .e = e};
    size_t size;
    return read_text(s, &size, e) && read_document(&r, size) && check_sweep(s, e) && sweep_choose(s, e) &&
           check_matters(s, e);
}

bool sweep_configure(const struct sweep *s, size_t combination, struct machine_config *c, struct error *e) {
    config_defaults(&machine_config_table, c);
    if (s->machine && !machine_options_read(c, s->machine, e)) return false;
    for (size_t f = 0; f < s->field_count; f++) {
        char *assignment = sweep_assignment(s, combination, f);
        const bool set = config_set(&machine_config_table, c, assignment, e);
        free(assignment);
        if (!set) return false;
    }
    return config_check(&machine_config_table, c, e);
}

void sweep_free(struct sweep *s) {
    for (size_t f = 0; f < s->field_count; f++) {
        for (size_t v = 0; v < s->fields[f].count; v++) free(s->fields[f].values[v]);
        free(s->fields[f].values);
        free(s->fields[f].name);
    }
    for (size_t p = 0; p < s->program_count; p++) {
        for (char **word = s->programs[p].argv; word && *word; word++) free(*word);
        free(s->programs[p].argv);
        free(s->programs[p].text);
    }
    free(s->fields);
    free(s->programs);
    free(s->configurations);
    free(s->machine);
    free(s->text);
    free(s->path);
    *s = (struct sweep){0};
}

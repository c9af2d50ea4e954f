#include "lockstep/run/variants.h"

#include "lockstep/run/machine_options.h"

#include <stdlib.h>
#include <string.h>

#define MODE_FIELD   "mode"
#define MAX_VARIANTS 10000

/* --- the dimensions --- */

static char *copy(const char *text, size_t length) {
    char *made = strndup(text, length);
    require_memory(made);
    return made;
}

static bool same_field(const char *a, const char *b) {
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* Returns the field's dimension, or NULL. */
static struct variant_dimension *find_dimension(struct variants_options *o, const char *field) {
    for (size_t i = 0; i < o->count; i++)
        if (same_field(o->dimensions[i].field, field)) return &o->dimensions[i];
    return NULL;
}

static struct variant_dimension *find_or_add(struct variants_options *o, const char *field) {
    struct variant_dimension *d = find_dimension(o, field);
    if (d) return d;
    o->dimensions = realloc(o->dimensions, (o->count + 1) * sizeof *o->dimensions);
    require_memory(o->dimensions);
    d = &o->dimensions[o->count++];
    *d = (struct variant_dimension){.field = field ? copy(field, strlen(field)) : NULL};
    return d;
}

static bool add_value(struct variant_dimension *d, const char *text, size_t length, struct error *e) {
    char *value = copy(text, length);
    d->values = realloc(d->values, (d->count + 1) * sizeof *d->values);
    require_memory(d->values);
    d->values[d->count++] = value;
    if (!length) return error_set(e, EXIT_USER, "%s: an empty value", d->field ? d->field : "--config");
    for (size_t i = 0; i + 1 < d->count; i++)
        if (strcmp(d->values[i], value) == 0)
            return error_set(e, EXIT_USER, "%s is given twice: %s", d->field ? d->field : "--config", value);
    return true;
}

static bool add_values(struct variants_options *o, const char *field, const char *list, struct error *e) {
    struct variant_dimension *d = find_or_add(o, field);
    for (;;) {
        size_t length = strcspn(list, ",");
        if (!add_value(d, list, length, e)) return false;
        if (!list[length]) return true;
        list += length + 1;
    }
}

bool variants_add_config(struct variants_options *o, const char *path, struct error *e) {
    return add_value(find_or_add(o, NULL), path, strlen(path), e);
}

bool variants_add_set(struct variants_options *o, const char *assignment, struct error *e) {
    const char *equals = strchr(assignment, '=');
    if (!equals) return error_set(e, EXIT_USER, "--set %s: FIELD=VALUE is needed", assignment);
    char *field = copy(assignment, (size_t)(equals - assignment));
    bool added = add_values(o, field, equals + 1, e);
    free(field);
    return added;
}

bool variants_add_mode(struct variants_options *o, const char *modes, struct error *e) {
    return add_values(o, MODE_FIELD, modes, e);
}

void variants_options_free(struct variants_options *o) {
    for (size_t i = 0; i < o->count; i++) {
        for (size_t n = 0; n < o->dimensions[i].count; n++) free(o->dimensions[i].values[n]);
        free(o->dimensions[i].values);
        free(o->dimensions[i].field);
    }
    free(o->dimensions);
}

/* --- the variants --- */

/* Returns the part of a path between folder and ending. */
static const char *stem(const char *path, int *length) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    *length = dot && dot > name ? (int)(dot - name) : (int)strlen(name);
    return name;
}

/* Returns a file's stem, or its path if another file has the same stem. */
static char *config_name(const struct variant_dimension *d, size_t which) {
    int length, other_length;
    const char *name = stem(d->values[which], &length);
    for (size_t i = 0; i < d->count; i++) {
        const char *other = stem(d->values[i], &other_length);
        if (i != which && other_length == length && memcmp(other, name, (size_t)length) == 0)
            return copy(d->values[which], strlen(d->values[which]));
    }
    return copy(name, (size_t)length);
}

static void append(char **name, const char *format, const char *a, const char *b) {
    char *text, *joined;
    require_memory(asprintf(&text, format, a, b) >= 0);
    require_memory(asprintf(&joined, "%s%s%s", *name ? *name : "", *name ? ", " : "", text) >= 0);
    free(text);
    free(*name);
    *name = joined;
}

/* Returns the index of dimension d's value in the n-th combination. */
static size_t choice(const struct variants_options *o, size_t d, size_t n) {
    for (size_t faster = o->count - 1; faster > d; faster--) n /= o->dimensions[faster].count;
    return n % o->dimensions[d].count;
}

static char *make_name(const struct variants_options *o, size_t n) {
    char *name = NULL;
    for (size_t i = 0; i < o->count; i++) {
        const struct variant_dimension *d = &o->dimensions[i];
        const size_t which = choice(o, i, n);
        if (d->count < 2) continue;
        char *file = d->field ? NULL : config_name(d, which);
        if (file)
            append(&name, "%s%s", file, "");
        else if (strcmp(d->field, MODE_FIELD) == 0)
            append(&name, "%s%s", d->values[which], "");
        else
            append(&name, "%s=%s", d->field, d->values[which]);
        free(file);
    }
    return name;
}

/* Returns "FIELD=VALUE", to be freed. */
static char *assignment_of(const struct variant_dimension *d, size_t which) {
    char *assignment;
    require_memory(asprintf(&assignment, "%s=%s", d->field, d->values[which]) >= 0);
    return assignment;
}

static bool set_field(struct machine_config *c, const struct variant_dimension *d, size_t which,
                      struct error *e) {
    char *assignment = assignment_of(d, which);
    bool set = config_set(&machine_config_table, c, assignment, e);
    free(assignment);
    return set;
}

/* Makes a variant's configuration. The file is read first, regardless of the order of options. */
static bool configure(struct variants_options *o, size_t n, struct machine_config *c, struct error *e) {
    const struct variant_dimension *files = find_dimension(o, NULL);
    config_defaults(&machine_config_table, c);
    if (files && !machine_options_read(c, files->values[choice(o, (size_t)(files - o->dimensions), n)], e))
        return false;
    for (size_t i = 0; i < o->count; i++) {
        const struct variant_dimension *d = &o->dimensions[i];
        if (d->field && !set_field(c, d, choice(o, i, n), e)) return false;
    }
    return true;
}

static bool make_variant(struct variants_options *o, size_t n, struct variant *v, struct error *e) {
    struct error why = {0};
    v->name = make_name(o, n);
    if (!configure(o, n, &v->config, e)) return false;
    if (config_check(&machine_config_table, &v->config, &why)) return true;
    return error_set(e, why.status, "variant '%s': %s", v->name, why.message);
}

/* Returns whether a value of a field has an effect in one of the variants with it. */
static bool matters(const struct variants_options *o, const struct variants *v, size_t d, size_t which,
                    struct error *e) {
    char *assignment = assignment_of(&o->dimensions[d], which);
    struct error why = {0};
    bool found = false;
    for (size_t n = 0; n < v->count && !found; n++)
        if (choice(o, d, n) == which)
            found = config_matters(&machine_config_table, &v->variants[n].config, assignment, &why);
    free(assignment);
    return found || error_set(e, why.status, "%s", why.message);
}

static bool check_matters(const struct variants_options *o, const struct variants *v, struct error *e) {
    for (size_t d = 0; d < o->count; d++)
        for (size_t which = 0; o->dimensions[d].field && which < o->dimensions[d].count; which++)
            if (!matters(o, v, d, which, e)) return false;
    return true;
}

/* Returns the number of combinations; 0 with *e if there are too many. */
static size_t combinations(const struct variants_options *o, struct error *e) {
    size_t n = 1;
    for (size_t i = 0; i < o->count; i++) {
        n *= o->dimensions[i].count; /* cannot overflow: the values are on a command line */
        if (n <= MAX_VARIANTS) continue;
        error_set(e, EXIT_USER, "these are more than %d variants: give fewer values", MAX_VARIANTS);
        return 0;
    }
    return n;
}

bool variants_resolve(struct variants_options *o, struct variants *v, struct error *e) {
    *v = (struct variants){0};
    if (combinations(o, e) == 1 && !find_dimension(o, MODE_FIELD)) variants_add_mode(o, "mimd,simt", e);
    const size_t count = combinations(o, e);
    if (count == 0) return false;
    v->variants = calloc(count, sizeof *v->variants);
    require_memory(v->variants);
    v->count = count;
    for (size_t n = 0; n < count; n++)
        if (!make_variant(o, n, &v->variants[n], e)) return false;
    if (!check_matters(o, v, e)) return false;
    return count > 1 ||
           error_set(e, EXIT_USER,
                     "there is one variant, and nothing to compare it with: give --mode, --config or the "
                     "same field of --set two values");
}

void variants_free(struct variants *v) {
    for (size_t i = 0; i < v->count; i++) free(v->variants[i].name);
    free(v->variants);
}

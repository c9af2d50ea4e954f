#include "sim/config_private.h"
#include "sim/nearest.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

uint32_t config_get(const struct config_field *f, const void *config) {
    uint32_t value;
    memcpy(&value, (const char *)config + f->offset, sizeof value);
    return value;
}

void config_put(const struct config_field *f, void *config, uint32_t value) {
    memcpy((char *)config + f->offset, &value, sizeof value);
}

void config_defaults(const struct config_table *t, void *config) {
    memset(config, 0, t->bytes);
    for (size_t i = 0; i < t->count; i++) config_put(&t->fields[i], config, t->fields[i].initial);
}

bool config_check(const struct config_table *t, const void *config, struct error *e) {
    return !t->check || t->check(config, e);
}

/* --- names --- */

size_t config_find(const struct config_table *t, const char *name) {
    size_t i = 0;
    while (i < t->count && strcmp(t->fields[i].name, name)) i++;
    return i;
}

/* Returns whether `name` lies in the group (the group "" holds everything). */
static bool in_group(const char *name, const char *group, size_t length) {
    return length == 0 || (!strncmp(name, group, length) && name[length] == '.');
}

bool config_is_group(const struct config_table *t, const char *name) {
    for (size_t i = 0; i < t->count; i++)
        if (in_group(t->fields[i].name, name, strlen(name))) return true;
    return false;
}

static const char *last_part(const char *name) {
    const char *dot = strrchr(name, '.');
    return dot ? dot + 1 : name;
}

/* Returns the field that `name` was probably meant to be, or NULL if none is near. */
static const char *nearest_field(const struct config_table *t, const char *name) {
    const char *best = NULL;
    unsigned least = nearest_forgiven(name) + 1;
    for (size_t i = 0; i < t->count; i++) {
        const char *candidate = t->fields[i].name;
        unsigned d = nearest_distance(name, candidate);
        bool same_part = !strcasecmp(last_part(name), last_part(candidate));
        if (same_part && d > 2) d = 2; /* right name in a wrong group */
        if (d < least) least = d, best = candidate;
    }
    return best;
}

__attribute__((format(printf, 3, 4))) static void append(char *text, size_t size, const char *format, ...) {
    size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, size - used, format, arguments);
    va_end(arguments);
}

/* Writes a group's members, each once: "lanes, threads". */
static void list_members(const struct config_table *t, const char *group, size_t length, char *out,
                         size_t size) {
    size_t skip = length ? length + 1 : 0;
    out[0] = 0;
    for (size_t i = 0; i < t->count; i++) {
        if (!in_group(t->fields[i].name, group, length)) continue;
        const char *member = t->fields[i].name + skip;
        size_t end = strcspn(member, ".");
        bool seen = false;
        for (size_t j = 0; j < i && !seen; j++)
            seen = in_group(t->fields[j].name, group, length) &&
                   strcspn(t->fields[j].name + skip, ".") == end &&
                   !strncmp(t->fields[j].name + skip, member, end);
        if (!seen) append(out, size, "%s%.*s", out[0] ? ", " : "", (int)end, member);
    }
}

/* Writes the group that `name` was probably meant to be. */
static bool nearest_group(const struct config_table *t, const char *name, char *out, size_t size) {
    unsigned least = nearest_forgiven(name) + 1;
    for (size_t i = 0; i < t->count; i++) {
        const char *field = t->fields[i].name;
        for (const char *dot = strchr(field, '.'); dot; dot = strchr(dot + 1, '.')) {
            char group[128];
            snprintf(group, sizeof group, "%.*s", (int)(dot - field), field);
            unsigned d = nearest_distance(name, group);
            if (d < least) least = d, snprintf(out, size, "%s", group);
        }
    }
    return least <= nearest_forgiven(name);
}

bool config_unknown(const struct config_table *t, const char *name, const char *place, struct error *e) {
    const char *field = nearest_field(t, name);
    if (field)
        return error_set(e, EXIT_USER, "%s: unknown field '%s' (did you mean '%s'?)", place, name, field);
    char group[128];
    if (nearest_group(t, name, group, sizeof group))
        return error_set(e, EXIT_USER, "%s: unknown field '%s' (did you mean '%s'?)", place, name, group);
    const char *dot = strrchr(name, '.');
    size_t length = dot ? (size_t)(dot - name) : 0;
    snprintf(group, sizeof group, "%.*s", (int)length, name);
    if (!config_is_group(t, group)) group[0] = 0;
    char members[1024];
    list_members(t, group, strlen(group), members, sizeof members);
    return error_set(e, EXIT_USER, "%s: unknown field '%s'; %s%s%s there are: %s", place, name,
                     group[0] ? "in '" : "at the top", group, group[0] ? "'" : "", members);
}

/* --- values --- */

static void list_choices(const struct config_field *f, char *out, size_t size) {
    out[0] = 0;
    for (size_t i = 0; f->choices[i]; i++) append(out, size, "%s%s", i ? ", " : "", f->choices[i]);
}

void config_print_range(const struct config_field *f, char *out, size_t size) {
    if (f->type == CONFIG_FLAG) {
        snprintf(out, size, "true or false");
    } else if (f->type == CONFIG_CHOICE) {
        snprintf(out, size, "one of ");
        list_choices(f, out + strlen(out), size - strlen(out));
    } else {
        snprintf(out, size, "%u to %u%s", f->minimum, f->maximum, f->power_of_two ? ", a power of two" : "");
    }
}

static bool refuse(const struct config_field *f, const char *text, const char *what, const char *place,
                   struct error *e) {
    char range[1024];
    config_print_range(f, range, sizeof range);
    return error_set(e, EXIT_USER, "%s: field '%s': '%s' is %s; expected %s%s%s%s", place, f->name, text,
                     what, f->type == CONFIG_UNSIGNED ? "a whole number, " : "", range,
                     f->unit[0] ? ", in " : "", f->unit);
}

/* Reads a decimal or 0x… number. A leading 0 is refused because some readers of YAML take it for octal. */
static bool parse_unsigned(const struct config_field *f, const char *text, const char *place, uint32_t *value,
                           struct error *e) {
    bool negative = text[0] == '-';
    const char *digits = text + (negative || text[0] == '+');
    bool hex = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
    const char *body = hex ? digits + 2 : digits;
    size_t length = strspn(body, hex ? "0123456789abcdefABCDEF" : "0123456789");
    if (length == 0 || body[length]) return refuse(f, text, "no whole number", place, e);
    if (!hex && length > 1 && body[0] == '0') return refuse(f, text, "ambiguous (octal?)", place, e);
    errno = 0;
    unsigned long long n = strtoull(body, NULL, hex ? 16 : 10);
    if (errno || (negative && n) || n < f->minimum || n > f->maximum)
        return refuse(f, text, "out of range", place, e);
    if (f->power_of_two && (n & (n - 1))) return refuse(f, text, "no power of two", place, e);
    *value = (uint32_t)n;
    return true;
}

static bool parse_choice(const struct config_field *f, const char *text, const char *place, uint32_t *value,
                         struct error *e) {
    const char *best = NULL;
    unsigned least = nearest_forgiven(text) + 1;
    for (uint32_t i = 0; f->choices[i]; i++) {
        if (!strcmp(f->choices[i], text)) {
            *value = i;
            return true;
        }
        unsigned d = nearest_distance(text, f->choices[i]);
        if (d < least) least = d, best = f->choices[i];
    }
    char choices[1024];
    list_choices(f, choices, sizeof choices);
    if (!best)
        return error_set(e, EXIT_USER, "%s: field '%s': '%s' is none of %s", place, f->name, text, choices);
    return error_set(e, EXIT_USER, "%s: field '%s': '%s' is none of %s (did you mean '%s'?)", place, f->name,
                     text, choices, best);
}

bool config_parse(const struct config_field *f, const char *text, bool quoted, const char *place,
                  uint32_t *value, struct error *e) {
    if (f->type == CONFIG_CHOICE) return parse_choice(f, text, place, value, e);
    if (quoted) return refuse(f, text, "a string in quotes", place, e);
    if (f->type == CONFIG_UNSIGNED) return parse_unsigned(f, text, place, value, e);
    bool yes = !strcmp(text, "true"), no = !strcmp(text, "false");
    if (!yes && !no) return refuse(f, text, "neither", place, e);
    *value = yes;
    return true;
}

static void print_value(const struct config_field *f, uint32_t value, char *out, size_t size) {
    if (f->type == CONFIG_UNSIGNED)
        snprintf(out, size, "%u", value);
    else
        snprintf(out, size, "%s", f->type == CONFIG_FLAG ? value ? "true" : "false" : f->choices[value]);
}

bool config_set(const struct config_table *t, void *config, const char *assignment, struct error *e) {
    char place[512];
    snprintf(place, sizeof place, "--set %s", assignment);
    const char *equals = strchr(assignment, '=');
    if (!equals) {
        char value[512];
        print_value(&t->fields[0], t->fields[0].initial, value, sizeof value);
        return error_set(e, EXIT_USER, "%s: expected field=value, as in --set %s=%s", place,
                         t->fields[0].name, value);
    }
    char name[256];
    snprintf(name, sizeof name, "%.*s", (int)(equals - assignment), assignment);
    size_t i = config_find(t, name);
    if (i == t->count && config_is_group(t, name)) {
        char members[1024];
        list_members(t, name, strlen(name), members, sizeof members);
        return error_set(e, EXIT_USER, "%s: '%s' is a group, set one of its fields: %s", place, name,
                         members);
    }
    if (i == t->count) return config_unknown(t, name, place, e);
    uint32_t value = 0;
    if (!config_parse(&t->fields[i], equals + 1, false, place, &value, e)) return false;
    config_put(&t->fields[i], config, value);
    return true;
}

/* --- fields without effect beside others --- */

/* Returns whether a field's choice is in "VALUE,VALUE" of `length` bytes. */
static bool is_one_of(const char *choice, const char *values, size_t length) {
    const char *end = values + length;
    while (values < end) {
        const size_t part = strcspn(values, ",| ");
        if (strlen(choice) == part && !memcmp(choice, values, part)) return true;
        values += part + 1;
    }
    return false;
}

/* A condition, one of the alternatives of a need: its text, its field and whether the field's value meets
 * it. */
struct condition {
    const char *text;
    size_t length;
    const struct config_field *field;
    bool met;
};

static struct condition condition_at(const struct config_table *t, const void *config, const char *text) {
    struct condition c = {.text = text, .length = strcspn(text, "| ")};
    const size_t name_length = strcspn(text, "=>");
    char name[256], is[512];
    snprintf(name, sizeof name, "%.*s", (int)name_length, text);
    c.field = &t->fields[config_find(t, name)];
    const uint32_t value = config_get(c.field, config);
    const char *wanted = text + name_length + 1;
    print_value(c.field, value, is, sizeof is);
    c.met = text[name_length] == '>' ? value > strtoul(wanted, NULL, 10)
                                     : is_one_of(is, wanted, c.length - name_length - 1);
    return c;
}

/* Returns an unmet need of the field or of a field that it needs; NULL if there is none. */
static const char *unmet_need(const struct config_table *t, const void *config,
                              const struct config_field *f) {
    for (const char *need = f->needs; need && *need; need += *need == ' ') {
        const char *first = need, *unmet = need;
        for (const char *at = need; at;) {
            const struct condition c = condition_at(t, config, at);
            if (c.met && unmet) {
                const char *deeper = unmet_need(t, config, c.field);
                if (!deeper || unmet == first) unmet = deeper;
            }
            need = c.text + c.length;
            at = *need == '|' ? need + 1 : NULL;
        }
        if (unmet) return unmet;
    }
    return NULL;
}

bool config_has_effect(const struct config_table *t, const void *config, const char *name) {
    const size_t i = config_find(t, name);
    invariant(i < t->count, "no field is called %s", name);
    return !unmet_need(t, config, &t->fields[i]);
}

bool config_matters(const struct config_table *t, const void *config, const char *assignment,
                    struct error *e) {
    char name[256], wanted[512] = "", is[512] = "";
    snprintf(name, sizeof name, "%.*s", (int)strcspn(assignment, "="), assignment);
    const struct config_field *set = &t->fields[config_find(t, name)];
    if (config_get(set, config) == set->initial) return true;
    const char *at = unmet_need(t, config, set);
    if (!at) return true;
    for (bool more = true; more; at++) {
        const struct condition c = condition_at(t, config, at);
        char value[512];
        print_value(c.field, config_get(c.field, config), value, sizeof value);
        append(wanted, sizeof wanted, "%s%.*s", *wanted ? " or " : "", (int)c.length, c.text);
        append(is, sizeof is, "%s%s", *is ? " and " : at[c.length] == '|' ? "those are " : "that is ", value);
        at += c.length;
        more = *at == '|';
    }
    return error_set(e, EXIT_USER, "--set %s does nothing here: it needs %s, and %s", assignment, wanted, is);
}

/* --- output --- */

enum { COLUMNS = 7, CELL = 1024 };

void config_description(const struct config_field *f, char *out, size_t size) {
    snprintf(out, size, "%s", f->description);
    for (uint32_t i = 0; f->meaning && f->choices[i]; i++)
        append(out, size, "%s %s: %s", i ? ";" : ".", f->choices[i], f->meaning(i));
}

static void describe_row(const struct config_field *f, char cell[COLUMNS][CELL]) {
    snprintf(cell[0], CELL, "%s", f->name);
    print_value(f, f->initial, cell[1], CELL);
    if (f->type == CONFIG_UNSIGNED)
        snprintf(cell[2], CELL, "%u..%u%s", f->minimum, f->maximum, f->power_of_two ? ", 2^n" : "");
    else if (f->type == CONFIG_CHOICE)
        list_choices(f, cell[2], CELL);
    else
        snprintf(cell[2], CELL, "true, false");
    snprintf(cell[3], CELL, "%s", f->unit);
    snprintf(cell[4], CELL, "%s", f->needs ? f->needs : "");
    config_description(f, cell[5], CELL);
    snprintf(cell[6], CELL, "%s", f->source);
}

static int characters(const char *utf8) {
    int n = 0;
    for (; *utf8; utf8++) n += (*utf8 & 0xc0) != 0x80;
    return n;
}

static void print_row(char cell[COLUMNS][CELL], const int *width, FILE *out) {
    for (int c = 0; c < COLUMNS; c++) {
        int pad = c == COLUMNS - 1 ? 0 : width[c] - characters(cell[c]) + 2;
        fprintf(out, "%s%*s", cell[c], pad, "");
    }
    fputc('\n', out);
}

void config_describe(const struct config_table *t, FILE *out) {
    char cell[COLUMNS][CELL] = {"field", "default", "range", "unit", "needs", "description", "source"};
    char row[COLUMNS][CELL];
    int width[COLUMNS];
    for (int c = 0; c < COLUMNS; c++) width[c] = characters(cell[c]);
    for (size_t i = 0; i < t->count; i++) {
        describe_row(&t->fields[i], row);
        for (int c = 0; c < COLUMNS; c++)
            if (characters(row[c]) > width[c]) width[c] = characters(row[c]);
    }
    print_row(cell, width, out);
    for (size_t i = 0; i < t->count; i++) {
        const char *name = t->fields[i].name;
        size_t group = strcspn(name, ".");
        if (i == 0 || strncmp(name, t->fields[i - 1].name, group + 1)) fputc('\n', out);
        describe_row(&t->fields[i], row);
        print_row(row, width, out);
    }
}

/* Writes the members of a group below their heading, each subgroup once, at the place of its first field. */
static void write_group(const struct config_table *t, const void *config, const char *group, int depth,
                        FILE *out) {
    size_t length = strlen(group), skip = length ? length + 1 : 0;
    for (size_t i = 0; i < t->count; i++) {
        const struct config_field *f = &t->fields[i];
        if (!in_group(f->name, group, length)) continue;
        size_t end = skip + strcspn(f->name + skip, ".");
        if (!f->name[end]) {
            char value[CELL];
            print_value(f, config_get(f, config), value, sizeof value);
            fprintf(out, "%*s%s: %s\n", 2 * depth, "", f->name + skip, value);
            continue;
        }
        bool seen = false;
        for (size_t j = 0; j < i && !seen; j++) seen = !strncmp(t->fields[j].name, f->name, end + 1);
        if (seen) continue;
        char subgroup[256];
        snprintf(subgroup, sizeof subgroup, "%.*s", (int)end, f->name);
        fprintf(out, "%*s%s:\n", 2 * depth, "", subgroup + skip);
        write_group(t, config, subgroup, depth + 1, out);
    }
}

void config_write(const struct config_table *t, const void *config, FILE *out) {
    write_group(t, config, "", 0, out);
}

#include "lockstep/output/field_list.h"

#include "sim/nearest.h"

#include <stdlib.h>
#include <string.h>

enum { INDENT = 4, LEAST_COLUMNS = 40, TEXT = 1024 };

/* --- choice --- */

/* Returns whether a field has this name, or is in a group with this name. */
static bool is_of(const char *field, const char *name) {
    const size_t length = strlen(name);
    return strncmp(field, name, length) == 0 && (field[length] == '\0' || field[length] == '.');
}

static bool is_known(const struct config_table *t, const char *name) {
    for (size_t i = 0; i < t->count; i++)
        if (*name && is_of(t->fields[i].name, name)) return true;
    return false;
}

static bool refuse(const struct config_table *t, const char *name, struct error *e) {
    char *names;
    size_t size;
    FILE *list = open_memstream(&names, &size);
    require_memory(list);
    for (size_t i = 0; i < t->count; i++) {
        const char *field = t->fields[i].name;
        fprintf(list, "%s %.*s ", field, (int)strcspn(field, "."), field);
    }
    fclose(list);
    error_set(e, EXIT_USER, "no field or group of fields is called '%s'%s", name,
              nearest_hint(name, strlen(name), names));
    free(names);
    return false;
}

bool field_list_choose(const struct config_table *all, char *const names[], struct config_table *chosen,
                       struct error *e) {
    struct config_field *fields = calloc(all->count, sizeof *fields);
    require_memory(fields);
    *chosen = (struct config_table){.fields = fields};
    for (char *const *name = names; *name; name++)
        if (!is_known(all, *name)) return refuse(all, *name, e);
    for (size_t i = 0; i < all->count; i++) {
        bool wanted = !*names;
        for (char *const *name = names; *name; name++) wanted |= is_of(all->fields[i].name, *name);
        if (wanted) fields[chosen->count++] = all->fields[i];
    }
    return true;
}

/* --- for people --- */

static unsigned characters(const char *utf8, size_t bytes) {
    unsigned n = 0;
    for (size_t i = 0; i < bytes; i++) n += (utf8[i] & 0xc0) != 0x80;
    return n;
}

/* A paragraph: words in lines of `columns` columns. */
struct paragraph {
    FILE *out;
    unsigned columns, used;
};

static void begin(struct paragraph *p, unsigned indent) {
    fprintf(p->out, "%*s", (int)indent, "");
    p->used = indent;
}

/* Returns the bytes of a text's first word; if it is longer than a line, the bytes that fit. */
static size_t word_bytes(const struct paragraph *p, const char *text) {
    size_t bytes = strcspn(text, " "), part = 0;
    if (characters(text, bytes) <= p->columns - INDENT) return bytes;
    for (size_t i = 0; i < bytes; i++)
        if (text[i] == '|' && characters(text, i + 1) <= p->columns - INDENT) part = i + 1;
    return part ? part : bytes;
}

static void put(struct paragraph *p, const char *text) {
    while (*text) {
        text += strspn(text, " ");
        const size_t bytes = word_bytes(p, text);
        const unsigned width = characters(text, bytes);
        if (!width) return;
        const bool first = p->used == 0 || p->used == INDENT;
        if (!first && p->used + 1 + width > p->columns) {
            fputc('\n', p->out);
            begin(p, INDENT);
        } else if (!first) {
            fputc(' ', p->out);
            p->used++;
        }
        fwrite(text, 1, bytes, p->out);
        p->used += width;
        text += bytes;
    }
}

static void end(struct paragraph *p) {
    fputc('\n', p->out);
    p->used = 0;
}

static const char *value_of(const struct config_field *f, uint32_t value, char number[16]) {
    if (f->type == CONFIG_CHOICE) return f->choices[value];
    if (f->type == CONFIG_FLAG) return value ? "true" : "false";
    snprintf(number, 16, "%u", value);
    return number;
}

/* Appends "(1 to 64, a power of two)", "(pc, sbr)". */
static void put_range(struct paragraph *p, const struct config_field *f) {
    char *text;
    size_t size;
    FILE *range = open_memstream(&text, &size);
    require_memory(range);
    if (f->type == CONFIG_UNSIGNED)
        fprintf(range, "(%u to %u%s", f->minimum, f->maximum, f->power_of_two ? ", a power of two" : "");
    for (uint32_t i = 0; f->type == CONFIG_CHOICE && f->choices[i]; i++)
        fprintf(range, "%s%s", i ? ", " : "(", f->choices[i]);
    fputs(f->type == CONFIG_FLAG ? "(true, false)" : ")", range);
    fclose(range);
    put(p, text);
    free(text);
}

void field_list_print(const struct config_table *t, unsigned columns, FILE *out) {
    struct paragraph p = {out, columns < LEAST_COLUMNS ? LEAST_COLUMNS : columns, 0};
    for (size_t i = 0; i < t->count; i++) {
        const struct config_field *f = &t->fields[i];
        char number[16], text[TEXT];
        if (i) end(&p);
        put(&p, f->name);
        put(&p, "=");
        put(&p, value_of(f, f->initial, number));
        put(&p, f->unit);
        put_range(&p, f);
        end(&p);
        begin(&p, INDENT);
        config_description(f, text, sizeof text);
        put(&p, text);
        end(&p);
        if (f->needs) {
            begin(&p, INDENT);
            put(&p, "needs:");
            put(&p, f->needs);
            end(&p);
        }
        begin(&p, INDENT);
        put(&p, "source:");
        put(&p, f->source);
        end(&p);
    }
}

/* --- for programs --- */

static json_t *json_value(const struct config_field *f, uint32_t value) {
    if (f->type == CONFIG_FLAG) return json_boolean(value);
    return f->type == CONFIG_CHOICE ? json_string(f->choices[value]) : json_integer(value);
}

static json_t *describe(const struct config_field *f) {
    static const char *const types[] = {
        [CONFIG_UNSIGNED] = "number", [CONFIG_CHOICE] = "choice", [CONFIG_FLAG] = "flag"};
    char text[TEXT];
    json_t *j = json_pack("{s:s, s:s}", "field", f->name, "type", types[f->type]);
    require_memory(j);
    json_object_set_new(j, "default", json_value(f, f->initial));
    if (f->type == CONFIG_UNSIGNED) {
        json_object_set_new(j, "minimum", json_integer(f->minimum));
        json_object_set_new(j, "maximum", json_integer(f->maximum));
        json_object_set_new(j, "power_of_two", json_boolean(f->power_of_two));
    }
    if (f->type == CONFIG_CHOICE) {
        json_t *choices = json_array();
        for (uint32_t i = 0; f->choices[i]; i++) json_array_append_new(choices, json_string(f->choices[i]));
        json_object_set_new(j, "choices", choices);
    }
    json_object_set_new(j, "unit", json_string(f->unit));
    json_object_set_new(j, "needs", f->needs ? json_string(f->needs) : json_null());
    config_description(f, text, sizeof text);
    json_object_set_new(j, "description", json_string(text));
    json_object_set_new(j, "source", json_string(f->source));
    return j;
}

json_t *field_list_document(const struct config_table *t) {
    json_t *list = json_array();
    require_memory(list);
    for (size_t i = 0; i < t->count; i++) json_array_append_new(list, describe(&t->fields[i]));
    return list;
}

json_t *field_list_values(const struct config_table *t, const void *config) {
    json_t *values = json_object();
    require_memory(values);
    for (size_t i = 0; i < t->count; i++) {
        uint32_t value;
        memcpy(&value, (const char *)config + t->fields[i].offset, sizeof value);
        json_object_set_new(values, t->fields[i].name, json_value(&t->fields[i], value));
    }
    return values;
}

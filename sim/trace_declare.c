/* Declarations, before a trace's first value: scopes, groups, variables, enumerations. */
#include "sim/trace_private.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_WIDTH = 1 << 20 };

static struct trace_item *add_item(struct trace *t, enum trace_item_kind kind, const char *name) {
    invariant(!t->started, "trace: '%s' is declared after the first value", name);
    t->items = trace_grow(t->items, t->item_count, &t->item_capacity, sizeof *t->items);
    struct trace_item *item = &t->items[t->item_count++];
    *item = (struct trace_item){.kind = kind, .name = trace_format_string("%s", name)};
    /* GTKWave takes dots for scopes and brackets for bit ranges */
    for (char *c = item->name; *c && kind != TRACE_GROUP; c++)
        if (!strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_", *c)) *c = '_';
    item->path = trace_format_string("%s%s%s", t->scope, t->scope[0] ? "." : "", item->name);
    return item;
}

void trace_scope(struct trace *t, const char *name) {
    invariant(!t->in_group, "trace: scope '%s' is within a group", name);
    const struct trace_item *item = add_item(t, TRACE_SCOPE, name);
    free(t->scope);
    t->scope = trace_format_string("%s", item->path);
    t->writer->scope(t, item->name);
}

void trace_upscope(struct trace *t) {
    invariant(t->scope[0], "trace: no scope is open");
    invariant(!t->in_group, "trace: a scope ends within a group");
    add_item(t, TRACE_UPSCOPE, "");
    char *dot = strrchr(t->scope, '.');
    *(dot ? dot : t->scope) = 0;
    t->writer->scope(t, NULL);
}

void trace_group(struct trace *t, const char *name) {
    invariant(!t->in_group, "trace: group '%s' is within another", name);
    add_item(t, TRACE_GROUP, name);
    t->in_group = true;
}

void trace_end_group(struct trace *t) {
    invariant(t->in_group, "trace: no group is open");
    add_item(t, TRACE_END_GROUP, "");
    t->in_group = false;
}

static enum trace_kind kind_of(unsigned width, enum trace_format format) {
    switch (format) {
    case TRACE_STRING: return TRACE_TEXT;
    case TRACE_REAL: return TRACE_FLOAT;
    case TRACE_EVENT: return TRACE_INSTANT;
    default: return width > 64 ? TRACE_WIDE : TRACE_NUMBER;
    }
}

static trace_variable add_variable(struct trace *t, const char *name, unsigned width,
                                   enum trace_format format, uint32_t enumeration) {
    size_t capacity = t->variable_capacity;
    t->declarations = trace_grow(t->declarations, t->variable_count, &capacity, sizeof *t->declarations);
    capacity = t->variable_capacity;
    t->pending = trace_grow(t->pending, t->variable_count, &capacity, sizeof *t->pending);
    t->states = trace_grow(t->states, t->variable_count, &t->variable_capacity, sizeof *t->states);
    const trace_variable v = (trace_variable)t->variable_count++;
    struct trace_item *item = add_item(t, TRACE_VARIABLE, name);
    item->variable = v;
    struct trace_declaration *d = &t->declarations[v];
    *d = (struct trace_declaration){.item = t->item_count - 1, .format = format, .width = width};
    struct trace_state *s = &t->states[v];
    *s = (struct trace_state){.kind = kind_of(width, format), .limit = UINT64_MAX};
    if (s->kind == TRACE_WIDE) {
        d->capacity = (width + 63) / 64 * sizeof(uint64_t);
        d->current = calloc(1, d->capacity);
        d->written = calloc(1, d->capacity);
        require_memory(d->current && d->written);
    }
    if (s->kind == TRACE_NUMBER) s->width = (uint8_t)width;
    if (s->kind == TRACE_NUMBER && width < 64) s->limit = (1ull << width) - 1;
    s->handle = t->writer->declare(t, item->name, width, format, enumeration);
    return v;
}

trace_variable trace_declare(struct trace *t, const char *name, unsigned width, enum trace_format format) {
    invariant(format != TRACE_ENUM, "trace: '%s' is an enumeration without names", name);
    const bool bits = format <= TRACE_DECIMAL;
    invariant(!bits || (width >= 1 && width <= MAX_WIDTH), "trace: '%s' has %u bits", name, width);
    return add_variable(t, name, bits ? width : 0, format, 0);
}

/* The enumeration's table in the file, made at its first use. */
static uint32_t enum_table(struct trace *t, const char *type, unsigned width, unsigned count,
                           const char *const *names) {
    for (size_t i = 0; i < t->enum_count; i++) {
        if (strcmp(t->enums[i].type, type)) continue;
        invariant(t->enums[i].count == count, "trace: enumeration '%s' has two sizes", type);
        return t->enums[i].handle;
    }
    t->enums = trace_grow(t->enums, t->enum_count, &t->enum_capacity, sizeof *t->enums);
    const uint32_t handle = t->writer->enumeration(t, type, width, count, names);
    t->enums[t->enum_count++] = (struct trace_enum){trace_format_string("%s", type), count, handle};
    return handle;
}

trace_variable trace_declare_enum(struct trace *t, const char *name, const char *type, unsigned count,
                                  const char *const *names) {
    invariant(count > 0, "trace: enumeration '%s' is empty", type);
    unsigned width = 1;
    while (width < 32 && (count - 1) >> width) width++;
    const trace_variable v =
        add_variable(t, name, width, TRACE_ENUM, enum_table(t, type, width, count, names));
    t->states[v].limit = count - 1;
    return v;
}

void trace_highlight(struct trace *t, trace_variable v, const char *group) {
    invariant(v < t->variable_count, "trace: there is no variable %u", v);
    if (!t->highlights) t->highlights = trace_format_string("%s", group);
    invariant(strcmp(t->highlights, group) == 0, "trace: groups '%s' and '%s' stand first", t->highlights,
              group);
    t->declarations[v].highlighted = true;
}

void trace_hide(struct trace *t, trace_variable v) {
    invariant(v < t->variable_count, "trace: there is no variable %u", v);
    t->declarations[v].hidden = true;
}

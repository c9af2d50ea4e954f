#include "tb/twin_waves.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NO_VARIABLE    UINT32_MAX
#define MOST_ENUM_BITS 10 /* of an enumeration that is shown by names */
#define MAX_PATH       1024

/* --- which --- */

static bool is_shown(const struct twin *t, const char *path, bool arrays) {
    for (unsigned i = 0; i < t->ports; ++i) {
        char name[VERILOG_MAX_NAME + 4];
        const struct twin_port *p = &t->port[i];
        snprintf(name, sizeof name, "%s%s", p->signal->name, twin_suffix[p->signal->kind]);
        if ((arrays || p->elements == 1) && strcmp(name, path) == 0) return true;
    }
    return false;
}

/* The word of a signal of the top module; none has this one: UINT32_MAX. */
static unsigned word_of(const struct verilated_insides *all, const char *path) {
    for (unsigned n = 0; n < all->count; ++n)
        if (strcmp(all->inside[n].path, path) == 0) return all->inside[n].word;
    return UINT32_MAX;
}

/* --- declaration --- */

/* memory[3] is called memory_3. */
static void plain_name(char *name) {
    char *to = name;
    for (; *name; ++name)
        if (*name != ']') *to++ = *name == '[' ? '_' : *name;
    *to = '\0';
}

/* From the scope of one signal to that of another, whose own name is returned. */
static const char *enter(struct trace *trace, const char *from, const char *to) {
    char name[MAX_PATH];
    for (size_t n; (n = strcspn(to, " ")) == strcspn(from, " ") && to[n] && from[n] && !strncmp(from, to, n);
         from += n + 1)
        to += n + 1;
    while ((from = strchr(from, ' '))) {
        ++from;
        trace_upscope(trace);
    }
    for (const char *end; (end = strchr(to, ' ')); to = end + 1) {
        snprintf(name, sizeof name, "%.*s", (int)(end - to), to);
        plain_name(name);
        trace_scope(trace, name);
    }
    return to;
}

static trace_variable declare_enum(struct trace *trace, const struct twin *t, const char *name,
                                   const struct verilated_inside *s) {
    const unsigned count = 1u << s->bits;
    char type[MAX_PATH], (*number)[16] = calloc(count, sizeof *number);
    const char **names = calloc(count, sizeof *names);
    require_memory(number && names);
    for (unsigned n = 0; n < count; ++n) {
        snprintf(number[n], sizeof number[n], "%u", n);
        names[n] = number[n];
    }
    for (unsigned n = 0; n < s->type->count; ++n)
        if (s->type->value[n] < count) names[s->type->value[n]] = s->type->item[n];
    snprintf(type, sizeof type, "%s.%s.%u", t->block->name, s->type->name, s->bits);
    const trace_variable v = trace_declare_enum(trace, name, type, count, names);
    free(number);
    free(names);
    return v;
}

static trace_variable declare(struct trace *trace, const struct twin *t, const char *path,
                              const struct verilated_inside *s) {
    char name[MAX_PATH];
    snprintf(name, sizeof name, "%s", path);
    plain_name(name);
    if (s->real) return trace_declare(trace, name, 0, TRACE_REAL);
    if (s->type && s->bits <= MOST_ENUM_BITS) return declare_enum(trace, t, name, s);
    return trace_declare(trace, name, s->bits, s->bits == 1 ? TRACE_BINARY : TRACE_HEX);
}

void twin_waves_declare(struct trace *trace, const struct twin *t, bool arrays, trace_variable **v) {
    const struct verilated_insides *all = &t->insides.all;
    const unsigned clock = word_of(all, "clk_i"), reset = word_of(all, "rst_ni");
    const char *last = "";
    *v = calloc(all->count + 1, sizeof **v);
    require_memory(*v);
    for (unsigned n = 0; n < all->count; ++n) {
        const struct verilated_inside *s = &all->inside[n];
        (*v)[n] = NO_VARIABLE;
        if (s->word == clock || s->word == reset || is_shown(t, s->path, arrays)) continue;
        (*v)[n] = declare(trace, t, enter(trace, last, s->path), s);
        last = s->path;
        if (strchr(s->path, '[')) trace_hide(trace, (*v)[n]);
    }
    enter(trace, last, "");
}

/* --- values --- */

static void show_wide(struct trace *trace, trace_variable v, sim_time at, const uint32_t *words,
                      unsigned bits) {
    uint64_t value[VERILOG_MAX_ARRAY_BITS / 64 + 1] = {0};
    memcpy(value, words, (bits + 31) / 32 * sizeof *words);
    trace_wide(trace, v, at, value);
}

void twin_waves_show(struct trace *trace, const struct twin *t, const trace_variable *v, sim_time at,
                     const uint32_t *words) {
    for (unsigned n = 0; n < t->insides.all.count; ++n) {
        const struct verilated_inside *s = &t->insides.all.inside[n];
        const uint32_t *from = words + s->word;
        double real;
        if (v[n] == NO_VARIABLE) continue;
        if (s->real) {
            memcpy(&real, from, sizeof real);
            trace_real(trace, v[n], at, real);
        } else if (s->bits > 64) {
            show_wide(trace, v[n], at, from, s->bits);
        } else {
            trace_value(trace, v[n], at, s->bits > 32 ? from[0] | (uint64_t)from[1] << 32 : from[0]);
        }
    }
}

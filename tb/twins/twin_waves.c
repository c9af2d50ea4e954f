#include "tb/twins/twin_waves.h"

#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NO_VARIABLE    UINT32_MAX
#define MOST_ENUM_BITS 10 /* limit of an enumeration that is shown by names */
#define MAX_PATH       4096

/* --- selection --- */

static bool is_shown(const struct twin *t, const char *path, bool arrays) {
    for (unsigned i = 0; i < t->ports; ++i) {
        char name[VERILOG_MAX_NAME + 4];
        const struct twin_port *p = &t->port[i];
        snprintf(name, sizeof name, "%s%s", p->signal->name, twin_suffix[p->signal->kind]);
        if ((arrays || p->elements == 1) && strcmp(name, path) == 0) return true;
    }
    return false;
}

/* Returns the word of a signal of the top module; UINT32_MAX if there is none. */
static unsigned word_of(const struct verilated_insides *all, const char *path) {
    for (unsigned n = 0; n < all->count; ++n)
        if (strcmp(all->inside[n].path, path) == 0) return all->inside[n].word;
    return UINT32_MAX;
}

/* --- names --- */

/* A waveform's names are letters, digits and _. Distinct names of Verilog stay distinct: the escaped names
 * `\a.b` and `\a:b` beside `a_b` are shown as a_b_2 and a_b_3, and row 3 of `memory` as memory_3. */

/* A used name of the waveform, with the scopes above it, and the name in Verilog that has it. */
struct taken {
    char *shown, *path;
};

static int compare_shown(const void *a, const void *b) {
    return strcmp(((const struct taken *)a)->shown, ((const struct taken *)b)->shown);
}

static void free_taken(void *node) {
    struct taken *t = node;
    free(t->shown);
    free(t->path);
    free(t);
}

/* Assigns a name of the waveform to a name in Verilog. Returns false if another one has it. */
static bool take(void **names, const char *shown, const char *path, size_t length) {
    struct taken *t = calloc(1, sizeof *t);
    require_memory(t);
    t->shown = strdup(shown);
    t->path = strndup(path, length);
    require_memory(t->shown && t->path);
    struct taken *const *found = tsearch(t, names, compare_shown);
    require_memory(found);
    const bool ours = strcmp((*found)->path, t->path) == 0;
    if (*found != t) free_taken(t);
    return ours;
}

#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"

/* Replaces characters in place: memory[3] becomes memory_3. */
static void make_plain(char *name) {
    char *to = name;
    for (; *name; ++name)
        if (*name != ']') *to++ = strchr(LETTERS, *name) ? *name : '_';
    *to = '\0';
}

/* Assigns names that need no change first. */
static void take_plain(void **names, const struct verilated_insides *all) {
    for (unsigned n = 0; n < all->count; ++n) {
        const char *path = all->inside[n].path;
        for (size_t end = strspn(path, LETTERS); !path[end] || path[end] == ' ';
             end += 1 + strspn(path + end + 1, LETTERS)) {
            char *shown = strndup(path, end);
            require_memory(shown);
            take(names, shown, path, end);
            free(shown);
            if (!path[end]) break;
        }
    }
}

/* Appends the name of the last part of a path (its first `length` characters) to the scope `shown`, as the
 * waveform has it. */
static void add_name(void **names, const char *path, size_t length, char shown[MAX_PATH]) {
    size_t from = length;
    while (from && path[from - 1] != ' ') --from;
    const size_t scope = strlen(shown);
    snprintf(shown + scope, MAX_PATH - scope, "%s%.*s", scope ? " " : "", (int)(length - from), path + from);
    make_plain(shown + scope + (scope > 0));
    const size_t most = MAX_PATH - 16, length_of = strlen(shown), whole = length_of < most ? length_of : most;
    for (unsigned n = 2; !take(names, shown, path, length); ++n)
        snprintf(shown + whole, MAX_PATH - whole, "_%u", n);
}

/* Converts a path to the names of the waveform. */
static void show_path(void **names, const char *path, char shown[MAX_PATH]) {
    shown[0] = '\0';
    for (size_t end = strcspn(path, " ");; end += 1 + strcspn(path + end + 1, " ")) {
        add_name(names, path, end, shown);
        if (!path[end]) return;
    }
}

/* --- declaration --- */

/* Changes from the scope of one signal to that of another. Returns the latter's own name. */
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

static trace_variable declare(struct trace *trace, const struct twin *t, const char *name,
                              const struct verilated_inside *s) {
    if (s->real) return trace_declare(trace, name, 0, TRACE_REAL);
    if (s->type && s->bits <= MOST_ENUM_BITS) return declare_enum(trace, t, name, s);
    return trace_declare(trace, name, s->bits, s->bits == 1 ? TRACE_BINARY : TRACE_HEX);
}

void twin_waves_declare(struct trace *trace, const struct twin *t, bool arrays, trace_variable **v) {
    const struct verilated_insides *all = &t->insides.vcd.all;
    const unsigned clock = word_of(all, "clk_i"), reset = word_of(all, "rst_ni");
    char last[MAX_PATH] = "", shown[MAX_PATH];
    void *names = NULL;
    take_plain(&names, all);
    *v = calloc(all->count + 1, sizeof **v);
    require_memory(*v);
    for (unsigned n = 0; n < all->count; ++n) {
        const struct verilated_inside *s = &all->inside[n];
        (*v)[n] = NO_VARIABLE;
        if (s->word == clock || s->word == reset || is_shown(t, s->path, arrays)) continue;
        show_path(&names, s->path, shown);
        (*v)[n] = declare(trace, t, enter(trace, last, shown), s);
        strcpy(last, shown);
        if (strchr(s->path, '[')) trace_hide(trace, (*v)[n]);
    }
    enter(trace, last, "");
    tdestroy(names, free_taken);
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
    for (unsigned n = 0; n < t->insides.vcd.all.count; ++n) {
        const struct verilated_inside *s = &t->insides.vcd.all.inside[n];
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

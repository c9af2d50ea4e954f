/* Writes the GTKWave save file of a trace: a group for each scope and each declared group that has a shown
 * variable. */
#include "sim/part.h"
#include "sim/trace_private.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOW_WIDTH = 1600, WINDOW_HEIGHT = 900, NAMES_WIDTH = 360, WAVES_WIDTH = 1000 };

static bool opens(const struct trace_item *item) {
    return item->kind == TRACE_SCOPE || item->kind == TRACE_GROUP;
}
static bool closes(const struct trace_item *item) {
    return item->kind == TRACE_UPSCOPE || item->kind == TRACE_END_GROUP;
}

/* Returns whether a variable between the scope or group at items[i] and its end is shown. */
static bool shows_anything(const struct trace *t, size_t i) {
    int depth = 0;
    for (; i < t->item_count; i++) {
        const struct trace_item *item = &t->items[i];
        depth += opens(item);
        depth -= closes(item);
        if (item->kind == TRACE_VARIABLE && !t->declarations[item->variable].hidden) return true;
        if (depth == 0) return false;
    }
    return false;
}

static void write_variable(const struct trace *t, const struct trace_item *item, FILE *out) {
    static const char *const flags[] = {
        [TRACE_BINARY] = "@28",  [TRACE_HEX] = "@22",   [TRACE_DECIMAL] = "@24", [TRACE_ENUM] = "@100000028",
        [TRACE_STRING] = "@820", [TRACE_REAL] = "@820", [TRACE_EVENT] = "@28"};
    const struct trace_declaration *d = &t->declarations[item->variable];
    const bool unnamed = d->format == TRACE_ENUM && t->writer == &trace_vcd;
    fprintf(out, "%s\n%s", flags[unnamed ? TRACE_DECIMAL : d->format], item->path);
    if (d->width > 1) fprintf(out, "[%u:0]", d->width - 1);
    fputc('\n', out);
}

static void write_groups(const struct trace *t, FILE *out) {
    size_t *open = calloc(t->item_count + 1, sizeof *open); /* open scopes and groups, as items */
    require_memory(open);
    size_t depth = 0;
    for (size_t i = 0; i < t->item_count; i++) {
        const struct trace_item *item = &t->items[i];
        if (opens(item)) {
            open[depth++] = i;
            if (shows_anything(t, i)) fprintf(out, "@800200\n-%s\n", item->name);
        } else if (closes(item)) {
            depth--;
            if (shows_anything(t, open[depth])) fprintf(out, "@1000200\n-%s\n", t->items[open[depth]].name);
        } else {
            if (!t->declarations[item->variable].hidden) write_variable(t, item, out);
        }
    }
    while (depth-- > 0)
        if (shows_anything(t, open[depth])) fprintf(out, "@1000200\n-%s\n", t->items[open[depth]].name);
    free(open);
}

#define RED 1

static void write_highlights(const struct trace *t, FILE *out) {
    if (!t->highlights) return;
    fprintf(out, "@800200\n-%s\n", t->highlights);
    for (size_t v = 0; v < t->variable_count; v++) {
        if (!t->declarations[v].highlighted) continue;
        fprintf(out, "[color] %d\n", RED);
        write_variable(t, &t->items[t->declarations[v].item], out);
    }
    fprintf(out, "@1000200\n-%s\n", t->highlights);
}

/* GTKWave's zoom is minus the binary logarithm of the picoseconds in 200 pixels. */
static double zoom(sim_time span) {
    return -log2((double)(span ? span : 1) * 200 / WAVES_WIDTH);
}

char *trace_view_path(const char *trace) {
    size_t length = strlen(trace);
    const char *ending = length > 4 ? trace + length - 4 : "";
    if (!strcmp(ending, ".fst") || !strcmp(ending, ".vcd")) length -= 4;
    return trace_format_string("%.*s.gtkw", (int)length, trace);
}

static void write_view(const struct trace *t, sim_time from, sim_time to, FILE *out) {
    const char *slash = strrchr(t->path, '/');
    fprintf(out, "[dumpfile] \"%s\"\n", slash ? slash + 1 : t->path);
    fprintf(out, "[timestart] %lu\n[size] %d %d\n[pos] -1 -1\n", from, WINDOW_WIDTH, WINDOW_HEIGHT);
    fprintf(out, "*%.6f %lu", zoom(to > from ? to - from : 0), t->marked ? t->mark : from);
    if (t->marked) fprintf(out, " %lu", t->mark);
    for (int i = t->marked; i < 26; i++) fputs(" -1", out); /* the markers a to z */
    fprintf(out, "\n[sst_width] 200\n[signals_width] %d\n[sst_expanded] 0\n", NAMES_WIDTH);
    write_highlights(t, out);
    write_groups(t, out);
}

void trace_mark(struct trace *t, sim_time at) {
    t->marked = true;
    t->mark = at;
}

bool trace_write_view(const struct trace *t, sim_time from, sim_time to, struct error *e) {
    char *path = trace_view_path(t->path);
    struct error why = {0};
    struct part view;
    bool ok = part_open(&view, path, &why);
    if (ok) {
        write_view(t, from, to, view.file);
        ok = part_finish(&view, &why);
    }
    free(path);
    return ok || error_set(e, why.status, "cannot write the view: %s", why.message);
}

#include "recording/wave_view.h"

#include "sim/part.h"

#include <errno.h>
#include <libgen.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WAVES_WIDTH 1000 /* width of the waves, in pixels, in a window of 1600 */

/* Colours by their X11 names: dark for waits, bright for work. */
static const char *const now_colour[WAVE_NOW_COUNT] = {
    [WAVE_NOW_IDLE] = "black",         [WAVE_NOW_SELECTABLE] = "gray25",  [WAVE_NOW_FRONT_END] = "SteelBlue4",
    [WAVE_NOW_FETCH] = "SteelBlue3",   [WAVE_NOW_QUEUE] = "MidnightBlue", [WAVE_NOW_OPERANDS] = "purple4",
    [WAVE_NOW_ROUNDS] = "ForestGreen", [WAVE_NOW_TPM] = "DarkOrange3",    [WAVE_NOW_MSHR] = "firebrick",
    [WAVE_NOW_RESULT] = "DarkGreen",   [WAVE_NOW_MEMORY] = "OrangeRed4",  [WAVE_NOW_BARRIER] = "goldenrod4"};

/* Writes a filter file: GTKWave colours a value only by such a file, and only if the variable is no
 * enumeration. */
static bool write_filter(const char *path, struct error *e) {
    struct part p;
    if (!part_open(&p, path, e)) return false;
    for (unsigned n = 0; n < WAVE_NOW_COUNT; ++n)
        fprintf(p.file, "%u%u%u%u ?%s?%s\n", n >> 3 & 1, n >> 2 & 1, n >> 1 & 1, n & 1, now_colour[n],
                wave_now_name[n]);
    return part_finish(&p, e);
}

static void write_signal(const struct wave_signal *s, const char *flags, const char *alias, FILE *out) {
    if (flags) fprintf(out, "%s\n", flags);
    if (alias) fprintf(out, "+{%s} ", alias);
    fputs(s->name, out);
    if (s->bits > 1) fprintf(out, "[%u:0]", s->bits - 1);
    fputc('\n', out);
}

static const char *flags_of(const struct wave_signal *s) {
    switch (s->format) {
    case TRACE_STRING: return "@820";
    case TRACE_ENUM: return "@100000028";
    case TRACE_HEX: return "@22";
    case TRACE_DECIMAL: return "@24";
    default: return "@28";
    }
}

/* Names a row: "warp3" of "cluster0.warp3.now" if there is one unit, else "cluster0.warp3". */
static void name_row(const struct wave_signals *s, const struct wave_signal *signal, char row[64]) {
    const char *name = s->unit_count == 1 ? strchr(signal->name, '.') + 1 : signal->name;
    snprintf(row, 64, "%.*s", (int)(strrchr(name, '.') - name), name);
}

/* Writes the signals that belong to no warp or core, then a row for each warp. */
static void write_rows(const struct wave_signals *s, const char *filter, FILE *out) {
    for (uint32_t n = 0; n < s->count; ++n) {
        const struct wave_signal *signal = &s->signal[n];
        char row[64];
        if (!signal->shown || (signal->level == 1 && !signal->is_now)) continue;
        if (!signal->is_now) {
            write_signal(signal, flags_of(signal), NULL, out);
            continue;
        }
        name_row(s, signal, row);
        fprintf(out, "@2028\n^1 %s\n", filter);
        write_signal(signal, NULL, row, out);
    }
}

/* Writes closed groups with the other signals of each warp and those of each core; cores alone are open. */
static void write_groups(const struct wave_signals *s, FILE *out) {
    char open[64] = "", row[64];
    for (uint32_t n = 0; n < s->count; ++n) {
        const struct wave_signal *signal = &s->signal[n];
        if (!signal->shown || signal->level != 1 || signal->is_now) continue;
        name_row(s, signal, row);
        if (strcmp(open, row) != 0) {
            if (*open) fprintf(out, "@1401200\n-%s\n", open);
            fprintf(out, "@c00200\n-%s\n", row);
            memcpy(open, row, sizeof open);
        }
        write_signal(signal, flags_of(signal), NULL, out);
    }
    if (*open) fprintf(out, "@1401200\n-%s\n", open);
}

/* Returns GTKWave's zoom: minus the binary logarithm of the picoseconds in 200 pixels. */
static double zoom(sim_time span) {
    return -log2((double)(span ? span : 1) * 200 / WAVES_WIDTH);
}

static void write_zoom(sim_time first, sim_time last, sim_time mark, FILE *out) {
    fprintf(out, "*%.6f %lu", zoom(last - first), mark);
    for (int i = 0; i < 26; ++i) fputs(" -1", out); /* the markers a to z */
    fputc('\n', out);
}

bool wave_view_write(const struct wave_signals *s, const char *waves, sim_time first, sim_time last,
                     sim_time mark, struct error *e) {
    char *view = trace_view_path(waves), *copy = strdup(waves), *folder, *filter;
    struct part p;
    require_memory(copy);
    folder = realpath(dirname(copy), NULL); /* GTKWave looks for files from the folder in which it is
                                               started */
    require_memory(folder && asprintf(&filter, "%s/now.filter", folder) >= 0);
    bool good = write_filter(filter, e) && part_open(&p, view, e);
    if (good) {
        const char *slash = strrchr(waves, '/');
        fprintf(p.file, "[dumpfile] \"%s\"\n[timestart] %lu\n[size] 1600 900\n[pos] -1 -1\n",
                slash ? slash + 1 : waves, first);
        write_zoom(first, last, mark, p.file);
        fprintf(p.file, "[sst_width] 200\n[signals_width] 240\n[sst_expanded] 0\n");
        write_rows(s, filter, p.file);
        write_groups(s, p.file);
        good = part_finish(&p, e);
    }
    free(filter);
    free(folder);
    free(copy);
    free(view);
    return good;
}

bool wave_view_move(const char *waves, sim_time first, sim_time last, sim_time mark, struct error *e) {
    char *view = trace_view_path(waves), *line = NULL;
    size_t room = 0;
    struct part p;
    FILE *in = fopen(view, "r");
    bool good = in ? part_open(&p, view, e) : error_set(e, EXIT_USER, "%s: %s", view, strerror(errno));
    while (good && getline(&line, &room, in) > 0) {
        if (strncmp(line, "[timestart] ", 12) == 0)
            fprintf(p.file, "[timestart] %lu\n", first);
        else if (*line == '*')
            write_zoom(first, last, mark, p.file);
        else
            fputs(line, p.file);
    }
    if (in) fclose(in);
    if (good) good = part_finish(&p, e);
    free(line);
    free(view);
    return good;
}

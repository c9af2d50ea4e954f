/* Timelines with a row for each warp or core: text and SVG. */
#include "recording/timeline.h"

#include <stdlib.h>
#include <string.h>

#define TEXT_COLUMNS 100
#define SVG_COLUMNS  1000
#define ROW_HEIGHT   16
#define NAME_WIDTH   140

/* Activity of a warp in a column; the letters and colours of the two forms. */
enum part { NOTHING, FRONT_END, QUEUE, OPERANDS, ROUNDS, RESULT, MEMORY, RUNS, PARTS };
static const char letter[PARTS + 1] = ".FQOXRMC";
static const char *const colour[PARTS] = {"none",    "#4682b4", "#26268c", "#551a8b",
                                          "#228b22", "#90b090", "#cc4400", "#228b22"};
static const char *const part_name[PARTS] = {"no instruction", "front end", "dispatch queue", "operands",
                                             "rounds",         "result",    "memory",         "a core runs"};

struct row {
    char name[64];
    uint64_t *cycles; /* cycles of each activity in each column */
};

struct rows {
    const struct timeline *t;
    struct row *row;
    size_t count;
    unsigned columns;
    uint64_t width; /* cycles of a column */
};

static struct row *row_of(struct rows *rows, const struct timeline_item *i) {
    struct row *row = &rows->row[i->place];
    if (row->cycles) return row;
    timeline_name(rows->t, i, row->name);
    row->cycles = calloc((size_t)rows->columns * PARTS, sizeof *row->cycles);
    require_memory(row->cycles);
    return row;
}

/* Adds the cycles from `from` to `to` - 1. */
static void spend(struct rows *rows, struct row *row, enum part part, uint64_t from, uint64_t to) {
    const struct window *w = &rows->t->window;
    if (from < w->first) from = w->first;
    if (to > w->last + 1) to = w->last + 1;
    while (from < to) {
        const uint64_t column = (from - w->first) / rows->width, end = w->first + (column + 1) * rows->width;
        const uint64_t until = to < end ? to : end;
        row->cycles[column * PARTS + part] += until - from;
        from = until;
    }
}

static void add_item(struct rows *rows, const struct timeline_item *i) {
    const struct record *r = &i->record;
    struct row *row = row_of(rows, i);
    if (r->kind == RECORD_RUN) {
        spend(rows, row, RUNS, r->cycle, timeline_end(r));
        return;
    }
    const uint64_t left = r->cycle + r->after[RECORD_LEFT] + 1, o = r->cycle + r->after[RECORD_O],
                   x = r->cycle + r->after[RECORD_X], last = r->cycle + r->after[RECORD_LAST] + 1;
    spend(rows, row, FRONT_END, r->cycle, left);
    spend(rows, row, QUEUE, left, o);
    spend(rows, row, OPERANDS, o, x);
    spend(rows, row, ROUNDS, x, last);
    spend(rows, row, r->flags & RECORD_ACCESSES ? MEMORY : RESULT, last, timeline_end(r));
}

static struct rows make_rows(const struct timeline *t, unsigned most) {
    const uint64_t cycles = t->window.last + 1 - t->window.first;
    struct rows rows = {.t = t, .width = (cycles + most - 1) / most};
    rows.columns = (unsigned)((cycles + rows.width - 1) / rows.width);
    rows.row = calloc(t->places + 1, sizeof *rows.row);
    require_memory(rows.row);
    for (size_t n = 0; n < t->count; ++n) add_item(&rows, &t->item[n]);
    for (size_t n = 0; n < t->places; ++n) /* places without activity have no row */
        if (rows.row[n].cycles) rows.row[rows.count++] = rows.row[n];
    return rows;
}

static void free_rows(struct rows *rows) {
    for (size_t n = 0; n < rows->count; ++n) free(rows->row[n].cycles);
    free(rows->row);
}

/* Returns the activity with most cycles of a column, if the row is active in half of it. */
static enum part part_of(const struct rows *rows, const struct row *row, unsigned column) {
    const uint64_t *cycles = &row->cycles[(size_t)column * PARTS];
    enum part most = NOTHING;
    uint64_t sum = 0;
    for (enum part p = FRONT_END; p < PARTS; ++p) {
        sum += cycles[p];
        if (cycles[p] > (most == NOTHING ? 0 : cycles[most])) most = p;
    }
    return 2 * sum < rows->width ? NOTHING : most;
}

void timeline_text(const struct timeline *t, FILE *out) {
    struct rows rows = make_rows(t, TEXT_COLUMNS);
    fprintf(out, "cycles %llu to %llu, %llu a column;", (unsigned long long)t->window.first,
            (unsigned long long)t->window.last, (unsigned long long)rows.width);
    for (enum part p = NOTHING; p < PARTS; ++p)
        fprintf(out, "%s %c %s", p ? "," : "", letter[p], part_name[p]);
    fputs("\n\n", out);
    for (size_t n = 0; n < rows.count; ++n) {
        fprintf(out, "%-16s ", rows.row[n].name);
        for (unsigned c = 0; c < rows.columns; ++c) fputc(letter[part_of(&rows, &rows.row[n], c)], out);
        fputc('\n', out);
    }
    free_rows(&rows);
}

static void draw_row(const struct rows *rows, size_t n, FILE *out) {
    const struct row *row = &rows->row[n];
    const unsigned y = (unsigned)(n + 2) * ROW_HEIGHT;
    fprintf(out, "<text x=\"4\" y=\"%u\">%s</text>\n", y + ROW_HEIGHT - 4, row->name);
    for (unsigned c = 0, end; c < rows->columns; c = end) {
        const enum part part = part_of(rows, row, c);
        for (end = c + 1; end < rows->columns && part_of(rows, row, end) == part;) ++end;
        if (part == NOTHING) continue;
        fprintf(out,
                "<rect x=\"%u\" y=\"%u\" width=\"%u\" height=\"%d\" fill=\"%s\"><title>%s</title></rect>\n",
                NAME_WIDTH + c, y + 1, end - c, ROW_HEIGHT - 2, colour[part], part_name[part]);
    }
}

void timeline_svg(const struct timeline *t, FILE *out) {
    struct rows rows = make_rows(t, SVG_COLUMNS);
    fprintf(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%zu\" font-family=\"sans-serif\" "
        "font-size=\"11\">\n<text x=\"4\" y=\"12\">cycles %llu to %llu</text>\n",
        NAME_WIDTH + rows.columns, (rows.count + 3) * ROW_HEIGHT, (unsigned long long)t->window.first,
        (unsigned long long)t->window.last);
    for (enum part p = FRONT_END; p < PARTS; ++p)
        fprintf(out, "<text x=\"%d\" y=\"12\" fill=\"%s\">%s</text>\n", NAME_WIDTH + 120 + (int)p * 90,
                colour[p], part_name[p]);
    for (size_t n = 0; n < rows.count; ++n) draw_row(&rows, n, out);
    fputs("</svg>\n", out);
    free_rows(&rows);
}

#include "lockstep/output/table.h"

#include "sim/error.h"

#include <stdlib.h>
#include <string.h>

void table_init(struct table *t, const char *align) {
    *t = (struct table){.align = align};
}

void table_free(struct table *t) {
    for (size_t i = 0; i < t->count; i++) free(t->cells[i]);
    free(t->cells);
}

void table_add(struct table *t, const char *format, ...) {
    va_list arguments;
    if (t->count == t->capacity) {
        t->capacity = t->capacity ? 2 * t->capacity : 64;
        t->cells = realloc(t->cells, t->capacity * sizeof *t->cells);
        require_memory(t->cells);
    }
    va_start(arguments, format);
    int length = vasprintf(&t->cells[t->count++], format, arguments);
    va_end(arguments);
    require_memory(length >= 0);
}

/* Returns the width in characters of UTF-8 text. */
static int width(const char *text) {
    int n = 0;
    for (; *text; text++) n += ((unsigned char)*text & 0xc0) != 0x80;
    return n;
}

static int column_width(const struct table *t, size_t columns, size_t column) {
    int widest = 0;
    for (size_t i = column; i < t->count; i += columns)
        if (width(t->cells[i]) > widest) widest = width(t->cells[i]);
    return widest;
}

static void print_row(const struct table *t, size_t first, const int *widths, FILE *out) {
    const size_t columns = strlen(t->align);
    int owed = 0; /* spaces due before the next text */
    for (size_t c = 0; c < columns && first + c < t->count; c++) {
        const char *cell = t->cells[first + c];
        const int padding = widths[c] - width(cell);
        if (t->align[c] == 'r') owed += padding;
        if (*cell) {
            fprintf(out, "%*s%s", owed, "", cell);
            owed = 0;
        }
        owed += (t->align[c] == 'l' ? padding : 0) + 2;
    }
    fputc('\n', out);
}

void table_print(const struct table *t, int indent, FILE *out) {
    const size_t columns = strlen(t->align);
    int *widths = calloc(columns, sizeof *widths);
    require_memory(widths);
    for (size_t c = 0; c < columns; c++) widths[c] = column_width(t, columns, c);
    for (size_t first = 0; first < t->count; first += columns) {
        fprintf(out, "%*s", indent, "");
        print_row(t, first, widths, out);
    }
    free(widths);
}

#include "compiler/driver/edits.h"

#include "compiler/driver/trouble.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void edits_add(struct edits *e, size_t offset, size_t removed, const char *format, va_list list) {
    char *inserted;
    if (vasprintf(&inserted, format, list) < 0) trouble("out of memory");
    e->list = grow(e->list, e->count, sizeof *e->list);
    e->list[e->count] = (struct edit){offset, removed, e->count, inserted};
    e->count++;
}

void edits_insert(struct edits *e, size_t offset, const char *format, ...) {
    va_list list;
    va_start(list, format);
    edits_add(e, offset, 0, format, list);
    va_end(list);
}

void edits_replace(struct edits *e, size_t offset, size_t removed, const char *format, ...) {
    va_list list;
    va_start(list, format);
    edits_add(e, offset, removed, format, list);
    va_end(list);
}

void edits_open(struct edits *e, const struct text *original, size_t begin, const char *inserted) {
    static const char pragma[] = "#pragma ";
    const char *line = original->data + begin;
    if (*line != '#') {
        edits_insert(e, begin, "%s", inserted);
        return;
    }
    struct text directive = {0}, quoted = {0};
    size_t size = strcspn(line, "\n");
    text_append(&directive, line + strlen(pragma), size - strlen(pragma));
    text_add_quoted(&quoted, directive.data);
    edits_replace(e, begin, size, "%s_Pragma(%s)", inserted, quoted.data);
    text_free(&directive);
    text_free(&quoted);
}

/* Removes the edits made since the count was `count`. */
static void rewind_to(struct edits *e, size_t count) {
    while (e->count > count) free(e->list[--e->count].inserted);
}

static int edit_compare(const void *a, const void *b) {
    const struct edit *x = a, *y = b;
    if (x->offset != y->offset) return x->offset < y->offset ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

void edits_apply(struct edits *e, const struct text *original, struct text *result) {
    size_t at = 0;
    if (e->count) qsort(e->list, e->count, sizeof *e->list, edit_compare);
    for (size_t i = 0; i < e->count; i++) {
        const struct edit *edit = &e->list[i];
        if (edit->offset < at || edit->offset + edit->removed > original->size) defect("overlapping edits");
        text_append(result, original->data + at, edit->offset - at);
        text_add(result, edit->inserted);
        at = edit->offset + edit->removed;
    }
    text_append(result, text_string(original) + at, original->size - at);
    rewind_to(e, 0);
    free(e->list);
    *e = (struct edits){0};
}

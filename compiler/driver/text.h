/*
 * text: a growable byte string, always followed by a NUL. All zeros is the empty text. Running out of memory
 * is trouble(), so nothing here fails.
 */
#ifndef COMPILER_TEXT_H
#define COMPILER_TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct text {
    char *data; /* NULL only before the first byte */
    size_t size, capacity;
};

void text_append(struct text *t, const void *bytes, size_t size);
void text_add(struct text *t, const char *string);
void text_printf(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Appends the string in double quotes, as a string or a file name in C. */
void text_add_quoted(struct text *t, const char *string);
void text_free(struct text *t);

/* Append a whole file ("-": standard input), or the whole content of an open descriptor. Return false with
 * errno if this fails. */
bool text_read_file(struct text *t, const char *path);
bool text_read_descriptor(struct text *t, int descriptor);

/* Writes PATH.part and renames it, so that PATH is never incomplete ("-": standard output). Returns false
 * with errno if this fails. */
bool text_write_file(const struct text *t, const char *path);

/* Returns the text as a C string ("" if empty). */
static inline const char *text_string(const struct text *t) {
    return t->data ? t->data : "";
}

#endif

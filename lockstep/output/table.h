/*
 * table: rows of text in aligned columns, two spaces between them.
 */
#ifndef LOCKSTEP_TABLE_H
#define LOCKSTEP_TABLE_H

#include <stddef.h>
#include <stdio.h>

struct table {
    const char *align; /* a letter for each column: 'l' or 'r' */
    char **cells;      /* row after row */
    size_t count, capacity;
};

/* Initialises a table with a column for each letter of `align`, which must outlive it. */
void table_init(struct table *t, const char *align);
void table_free(struct table *t);

/* Adds the next cell; the row is full after the last column. */
void table_add(struct table *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prints every row after `indent` spaces, without trailing spaces. */
void table_print(const struct table *t, int indent, FILE *out);

#endif

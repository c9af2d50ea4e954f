/*
 * source_lines: a kernel source in lines, to be shown with the compiler's output.
 */
#ifndef LOCKSTEP_SOURCE_LINES_H
#define LOCKSTEP_SOURCE_LINES_H

#include "sim/error.h"

#include <stddef.h>
#include <stdio.h>

struct source_lines {
    const char *path;
    char *text;
    char **lines; /* from 1 */
    size_t count;
};

/* Returns false with *e (EXIT_USER) if the file cannot be read. `path` must outlive the structure. */
bool source_lines_read(struct source_lines *s, const char *path, struct error *e);
void source_lines_free(struct source_lines *s);

/* Prints "INDENT; FILE:LINE: text of the line", without the text if it is in another file. */
void source_lines_print(const struct source_lines *s, const char *mark, const char *file, size_t line,
                        FILE *out);

#endif

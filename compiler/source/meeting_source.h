/*
 * meeting_source: where the source lets the sides of a branch reconverge. Each statement has an end: its own
 * or, if control may leave it by break, continue, goto or return, the end of the statement that is left.
 *
 * Statements are found by their positions in the compiled text, as line tables have them: file, line and
 * column.
 */
#ifndef COMPILER_MEETING_SOURCE_H
#define COMPILER_MEETING_SOURCE_H

#include "compiler/driver/edits.h"
#include "compiler/stages/program.h"

#include <stdint.h>

struct meeting_place { /* a position in a source */
    const char *file;  /* into meeting_source.files; NULL: unknown */
    unsigned line, column;
};

struct meeting_statement {
    struct meeting_place begin, end; /* end: after the last character */
    size_t meeting;                  /* statement at whose end its sides meet */
    const char *word;                /* "if", "for", …; "statement" */
    bool branches; /* false: the statement cannot branch; a branch with its position in a line table belongs
                      to another */
};

struct meeting_source { /* all 0: unknown */
    struct meeting_statement
        *statements; /* statements of a function in preorder, functions in source order */
    size_t count;
    char **files;
    size_t file_count;
};

/* Reads all functions of a program. `edits`: edits to be made to the text before clang compiles it. */
void meeting_source_read(struct meeting_source *s, const struct program *p, const struct edits *edits);
void meeting_source_free(struct meeting_source *s);

/* Returns the innermost statement around a position, or SIZE_MAX. */
size_t meeting_source_find(const struct meeting_source *s, const struct meeting_place *place);

/* Returns whether a position is in a statement. */
bool meeting_source_has(const struct meeting_source *s, size_t statement, const struct meeting_place *place);

#endif

/*
 * edits: insertions and replacements in a text, by byte offsets into the original, applied all at once. Edits
 * at the same offset keep their order.
 */
#ifndef COMPILER_EDITS_H
#define COMPILER_EDITS_H

#include "compiler/driver/text.h"

struct edit {
    size_t offset, removed; /* bytes of the original */
    size_t order;
    char *inserted;
};

struct edits { /* all 0: none */
    struct edit *list;
    size_t count;
};

void edits_insert(struct edits *e, size_t offset, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Replaced ranges must not overlap. */
void edits_replace(struct edits *e, size_t offset, size_t removed, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Inserts text before a statement that begins at an offset (syntax_statement_begin()). A pragma there must
 * stay directly before its loop, on a line that cannot take other text: it becomes `_Pragma`. */
void edits_open(struct edits *e, const struct text *original, size_t begin, const char *inserted);

/* Appends the edited text to *result and forgets all edits. */
void edits_apply(struct edits *e, const struct text *original, struct text *result);

#endif

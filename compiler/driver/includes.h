/*
 * includes: the files that a source includes, with a hash of their content, as text with one line for each.
 */
#ifndef COMPILER_INCLUDES_H
#define COMPILER_INCLUDES_H

#include "compiler/driver/text.h"

/* Lists the files of a preprocessed text. Returns false if one cannot be read again, or contains one of the
 * words `unwanted`. */
bool includes_read(struct text *includes, const struct text *preprocessed, const char *const *unwanted,
                   size_t unwanted_count);

/* Returns whether each file still has the same content. */
bool includes_unchanged(const struct text *includes);

#endif

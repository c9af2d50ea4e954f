/*
 * includes: the files that a source included, with a hash of their content, as text: one line each.
 */
#ifndef COMPILER_INCLUDES_H
#define COMPILER_INCLUDES_H

#include "compiler/text.h"

/* The files that a preprocessed text was made from. False if one cannot be read again, or holds one of the
 * words `unwanted`. */
bool includes_read(struct text *includes, const struct text *preprocessed, const char *const *unwanted,
                   size_t unwanted_count);

/* Whether each file still has the content that it had. */
bool includes_unchanged(const struct text *includes);

#endif

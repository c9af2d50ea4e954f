/*
 * nearest: the name that a misspelt name was probably meant to be.
 */
#ifndef SIM_NEAREST_H
#define SIM_NEAREST_H

#include <stddef.h>

/* Returns the number of characters to insert, delete, replace or swap with their neighbour to turn a into
 * b, regardless of case. */
unsigned nearest_distance(const char *a, const char *b);

/* Returns the largest distance at which a name counts as misspelt: two slips, three in a long name. */
unsigned nearest_forgiven(const char *name);

/* Returns " (did you mean 'NAME'?)" with the nearest name of a list such as "a, b and c"; "" if none is
 * near. Valid until the next call. */
const char *nearest_hint(const char *name, size_t length, const char *list);

#endif

/*
 * nearest: the name that a misspelt one was probably meant to be.
 */
#ifndef SIM_NEAREST_H
#define SIM_NEAREST_H

#include <stddef.h>

/* Characters to insert, delete, replace or swap with their neighbour to make b of a, whatever their case. */
unsigned nearest_distance(const char *a, const char *b);

/* The distance up to which a name is taken for another: two slips are forgiven, three in a long name. */
unsigned nearest_forgiven(const char *name);

/* " (did you mean 'NAME'?)" with the nearest of the names in a list such as "a, b and c"; "" if none is near.
 * Valid until the next call. */
const char *nearest_hint(const char *name, size_t length, const char *list);

#endif

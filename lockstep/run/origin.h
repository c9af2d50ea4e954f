/*
 * origin: simulator, computer and time of a result. Results contain their origin. Tables of results do not,
 * so that two explorations of the same sweep have equal tables.
 */
#ifndef LOCKSTEP_ORIGIN_H
#define LOCKSTEP_ORIGIN_H

#include <jansson.h>

/* Returns {"commit", "computer", "date"}: the commit from which the command `self` was built, with -dirty if
 * its sources were changed; the processor's name; the present time in UTC, in seconds. Unknown values are
 * "unknown". */
json_t *origin_now(const char *self);

/* Returns that commit, which `make` writes to the folder of the command. To be freed. */
char *origin_commit(const char *self);

/* Adds an origin (NULL: none) to a summary {"commits": […], "computers": […], "begun", "ended"}. */
void origin_merge(json_t *sum, const json_t *origin);

#endif

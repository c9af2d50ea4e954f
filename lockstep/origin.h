/*
 * origin: by which simulator, on which computer and when a result was made.
 *
 * Results say it, tables of results do not: two explorations of the same sweep have the same tables.
 */
#ifndef LOCKSTEP_ORIGIN_H
#define LOCKSTEP_ORIGIN_H

#include <jansson.h>

/* Returns {"commit", "computer", "date"}, now: the commit from which the command `self` was built, with
 * -dirty if its sources were changed; the processor's name; UTC, to the second. What is not known is
 * "unknown". */
json_t *origin_now(const char *self);

/* Adds an origin (NULL: none) to {"commits": […], "computers": […], "begun", "ended"}. */
void origin_merge(json_t *sum, const json_t *origin);

#endif

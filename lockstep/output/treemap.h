/*
 * treemap: areas as rectangles, grouped, in an SVG.
 */
#ifndef LOCKSTEP_TREEMAP_H
#define LOCKSTEP_TREEMAP_H

#include "sim/error.h"

#include <stddef.h>
#include <stdio.h>

struct treemap_item {
    const char *group, *name; /* items of a group are adjacent */
    double value;             /* greater than 0 */
    const char *text;         /* shown under the pointer: "0.171 mm²: 32768 bytes, …" */
};

void treemap_write(const char *title, const struct treemap_item *items, size_t count, FILE *out);

#endif

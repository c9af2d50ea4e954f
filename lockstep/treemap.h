/*
 * treemap: areas as rectangles, those of a group together, as an SVG.
 */
#ifndef LOCKSTEP_TREEMAP_H
#define LOCKSTEP_TREEMAP_H

#include "sim/error.h"

#include <stddef.h>
#include <stdio.h>

struct treemap_item {
    const char *group, *name; /* items of a group stand one after the other */
    double value;             /* more than 0 */
    const char *text;         /* shown where the pointer rests: "0.171 mm²: 32768 bytes, …" */
};

void treemap_write(const char *title, const struct treemap_item *items, size_t count, FILE *out);

#endif

/*
 * postdominators: the immediate post-dominators of a control-flow graph: for each node, the nearest node that
 * every path to the exit passes (Cooper, Harvey and Kennedy's iteration on the reversed graph).
 */
#ifndef COMPILER_POSTDOMINATORS_H
#define COMPILER_POSTDOMINATORS_H

#include <stddef.h>

#define POSTDOMINATORS_NONE ((size_t)-1)

struct postdominators_edge {
    size_t from, to; /* nodes, 0 to count − 1 */
};

/* Fills immediate[] for `count` nodes. POSTDOMINATORS_NONE: the exit, and nodes that do not reach it. */
void postdominators_find(size_t count, const struct postdominators_edge *edges, size_t edge_count,
                         size_t exit, size_t *immediate);

#endif

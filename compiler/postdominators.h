/*
 * postdominators: where the paths from a node of a control-flow graph meet again at the latest: its immediate
 * post-dominator, the nearest node that every path from it to the exit passes (Cooper, Harvey and Kennedy's
 * iteration on the reversed graph).
 */
#ifndef COMPILER_POSTDOMINATORS_H
#define COMPILER_POSTDOMINATORS_H

#include <stddef.h>

#define POSTDOMINATORS_NONE ((size_t)-1)

struct postdominators_edge {
    size_t from, to; /* nodes, 0 to count − 1 */
};

/* Fills immediate[] for `count` nodes. POSTDOMINATORS_NONE: the exit itself, and what never comes there. */
void postdominators_find(size_t count, const struct postdominators_edge *edges, size_t edge_count,
                         size_t exit, size_t *immediate);

#endif

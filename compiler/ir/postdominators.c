#include "compiler/ir/postdominators.h"

#include "compiler/driver/trouble.h"

#include <stdbool.h>
#include <stdlib.h>

/* For each node, the other ends of its edges: list[first[n]] to list[first[n + 1] − 1]. */
struct neighbours {
    size_t *first, *list;
};

static struct neighbours neighbours_read(size_t count, const struct postdominators_edge *edges,
                                         size_t edge_count, bool reversed) {
    struct neighbours n = {allocate(NULL, (count + 2) * sizeof *n.first),
                           allocate(NULL, edge_count * sizeof *n.list)};
    for (size_t i = 0; i < count + 2; i++) n.first[i] = 0;
    /* Counts are stored two elements later, so that they are at the right index after all edges have been
     * placed. */
    for (size_t e = 0; e < edge_count; e++) n.first[(reversed ? edges[e].to : edges[e].from) + 2]++;
    for (size_t i = 2; i < count + 2; i++) n.first[i] += n.first[i - 1];
    for (size_t e = 0; e < edge_count; e++)
        n.list[n.first[(reversed ? edges[e].to : edges[e].from) + 1]++] =
            reversed ? edges[e].from : edges[e].to;
    return n;
}

static void neighbours_free(struct neighbours *n) {
    free(n->first);
    free(n->list);
}

/* Orders the nodes that reach the exit in postorder of the reversed graph; the exit is last. Returns their
 * number; position[n] is a node's index, or POSTDOMINATORS_NONE. */
static size_t number(size_t count, const struct neighbours *before, size_t exit, size_t *order,
                     size_t *position) {
    size_t *stack = allocate(NULL, count * sizeof *stack), *next = allocate(NULL, count * sizeof *next);
    bool *seen = allocate(NULL, count);
    size_t depth = 1, numbered = 0;
    for (size_t n = 0; n < count; n++) {
        next[n] = before->first[n];
        seen[n] = n == exit;
        position[n] = POSTDOMINATORS_NONE;
    }
    stack[0] = exit;
    while (depth) {
        size_t n = stack[depth - 1];
        if (next[n] == before->first[n + 1]) {
            position[n] = numbered;
            order[numbered++] = n;
            depth--;
            continue;
        }
        size_t m = before->list[next[n]++];
        if (!seen[m]) stack[depth++] = m;
        seen[m] = true;
    }
    free(stack);
    free(next);
    free(seen);
    return numbered;
}

static size_t meet(const size_t *immediate, const size_t *position, size_t a, size_t b) {
    while (a != b) {
        while (position[a] < position[b]) a = immediate[a];
        while (position[b] < position[a]) b = immediate[b];
    }
    return a;
}

void postdominators_find(size_t count, const struct postdominators_edge *edges, size_t edge_count,
                         size_t exit, size_t *immediate) {
    struct neighbours before = neighbours_read(count, edges, edge_count, true),
                      after = neighbours_read(count, edges, edge_count, false);
    size_t *order = allocate(NULL, count * sizeof *order),
           *position = allocate(NULL, count * sizeof *position);
    size_t numbered = number(count, &before, exit, order, position);
    for (size_t n = 0; n < count; n++) immediate[n] = POSTDOMINATORS_NONE;
    immediate[exit] = exit;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = numbered - 1; i-- > 0;) {
            size_t n = order[i], found = POSTDOMINATORS_NONE;
            for (size_t k = after.first[n]; k < after.first[n + 1]; k++) {
                size_t m = after.list[k];
                if (immediate[m] == POSTDOMINATORS_NONE) continue;
                found = found == POSTDOMINATORS_NONE ? m : meet(immediate, position, found, m);
            }
            changed |= immediate[n] != found;
            immediate[n] = found;
        }
    }
    immediate[exit] = POSTDOMINATORS_NONE;
    neighbours_free(&before);
    neighbours_free(&after);
    free(order);
    free(position);
}

/* levels: levels of threads, for both kinds of machine (docs/divergence.md §4). */
#ifndef TESTS_RECKONING_LEVELS_H
#define TESTS_RECKONING_LEVELS_H

#include "model/arm/coprocessor.h"
#include "model/config/machine_config.h"

/* Returns the level that the hardware keeps. */
static inline unsigned levels_priority(const struct machine_config *c, unsigned level) {
    return level < c->simt.priority_levels ? level : c->simt.priority_levels - 1;
}

/* Applies a committed operation of the co-processor. */
static inline void levels_change(uint8_t *level, struct coprocessor_decoded op) {
    if (op.operation == COPROCESSOR_RAISE) ++*level;
    if (op.operation == COPROCESSOR_LOWER) *level = (uint8_t)(*level - op.index);
    if (op.operation == COPROCESSOR_OUTERMOST) *level = 0;
}

#endif

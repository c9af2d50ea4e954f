/*
 * slots_merge: merges slots of values that the program keeps in one variable. slots.h gives each value a
 * slot: values that meet at a join, the joined value, and values read from it, with copies in between. Slots
 * with a copy between them are merged unless one changes while the other is live; copies to themselves are
 * deleted. For twins with slots in memory (item_memory.h).
 */
#ifndef COMPILER_SLOTS_MERGE_H
#define COMPILER_SLOTS_MERGE_H

#include "compiler/ir/slots.h"

/* The variables of merged slots are no longer used; their slots are live nowhere. */
void slots_merge(struct slots *s, const struct flow *f);

#endif

/*
 * slots_merge: one variable again for the values that a program keeps in one variable. What slots.h lowers
 * are values: those that meet at a join, what they meet in, and what is read of it have a slot each, with
 * copies between them. Slots between which there is a copy become one, unless one is changed while the other
 * is still needed; copies to themselves are deleted. For twins whose slots are memory (item_memory.h).
 */
#ifndef COMPILER_SLOTS_MERGE_H
#define COMPILER_SLOTS_MERGE_H

#include "compiler/slots.h"

/* The others' variables are no longer used; their slots are needed nowhere. */
void slots_merge(struct slots *s, const struct flow *f);

#endif

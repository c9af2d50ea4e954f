/*
 * priority: ICS-First insertion (machine.md §8, dual-mode Algorithm 1) as text edits on the statements'
 * lines. In the result `__lockstep_raise()`, `__lockstep_lower(n)` and `__lockstep_set_outermost()` are the
 * co-processor's operations; labels `__lockstep_N` and the variable `__lockstep_value` lead jumps to the
 * operation that is common to them (priority_plan.h). Computed gotos are refused.
 */
#ifndef COMPILER_PRIORITY_H
#define COMPILER_PRIORITY_H

#include "compiler/driver/edits.h"
#include "compiler/source/syntax.h"

/* Adds the edits of one function definition. `outermost`: a kernel that is not called, so that its own level
 * is the outermost priority; else its levels are relative to its caller's. */
void priority_instrument(const struct syntax *s, CXCursor function, bool outermost, struct edits *edits);

#endif

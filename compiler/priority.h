/*
 * priority: ICS-First insertion (machine.md §8, dual-mode Algorithm 1) as text edits on the lines where the
 * statements stand. In the result `__lockstep_raise()`, `__lockstep_lower(n)` and
 * `__lockstep_set_outermost()` stand for the co-processor's operations.
 *
 * The level at every point of a function follows from the instrumented statements around it, so whatever
 * leaves some of them (break, continue, return, goto) knows by how much to lower. Functions whose jumps
 * arrive at another level than the one expected (a case label inside a statement of its switch) are left
 * alone as a whole. Computed gotos are refused.
 */
#ifndef COMPILER_PRIORITY_H
#define COMPILER_PRIORITY_H

#include "compiler/edits.h"
#include "compiler/syntax.h"

/* Adds the edits of one function definition. `outermost`: it is a kernel that nothing calls, so its own level
 * is the outermost priority; else its levels are relative to its caller's. */
void priority_instrument(const struct syntax *s, CXCursor function, bool outermost, struct edits *edits);

#endif

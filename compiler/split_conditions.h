/*
 * split_conditions: for the twin as SnuCL's translator would make it, the conditions of loops and `if`s with
 * a barrier, and the increments of the loops, are regions of their own: text edits that put
 * `__lockstep_split()`, which is a barrier to the twin and nothing else, in front of them, at the start of
 * what they decide about and behind the statement. A program without such statements has no edits.
 */
#ifndef COMPILER_SPLIT_CONDITIONS_H
#define COMPILER_SPLIT_CONDITIONS_H

#include "compiler/program.h"

void split_conditions(const struct program *p, struct edits *edits);

#endif

/*
 * split_conditions: makes the conditions of loops and `if`s with a barrier, and the increments of such loops,
 * regions of their own, for the twin in the form of SnuCL's translator: text edits put `__lockstep_split()`,
 * which acts as a barrier in the twin only, before the condition, at the start of the controlled statement
 * and after the statement. A program without such statements has no edits.
 */
#ifndef COMPILER_SPLIT_CONDITIONS_H
#define COMPILER_SPLIT_CONDITIONS_H

#include "compiler/stages/program.h"

void split_conditions(const struct program *p, struct edits *edits);

#endif

/*
 * split_loops: for the twin as SnuCL's translator would make it, in a loop with a barrier the condition and
 * the increment are regions of their own: text edits that put `__lockstep_split()`, which is a barrier to the
 * twin and nothing else, in front of both, at the start of the body and behind the loop.
 */
#ifndef COMPILER_SPLIT_LOOPS_H
#define COMPILER_SPLIT_LOOPS_H

#include "compiler/program.h"

void split_loops(const struct program *p, struct edits *edits);

#endif

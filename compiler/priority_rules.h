/*
 * priority_rules: the conditional statements that ICS-First insertion leaves alone (docs/compiler.md says
 * why) whatever stands around them: small `if`s that the optimiser turns into conditional instructions, and
 * loops that all threads run equally often by construction.
 */
#ifndef COMPILER_PRIORITY_RULES_H
#define COMPILER_PRIORITY_RULES_H

#include "compiler/syntax.h"

#define PRIORITY_SMALL_ASSIGNMENTS 2 /* in each branch of a small `if` */
#define PRIORITY_SMALL_OPERATORS   4 /* in each branch, those of the assignments not counted */

bool priority_leaves_alone(const struct syntax *s, CXCursor conditional);

#endif

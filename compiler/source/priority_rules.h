/*
 * priority_rules: conditional statements to which ICS-First insertion adds no operations (docs/compiler.md
 * says why), independent of their surroundings: small `if`s that the optimiser turns into conditional
 * instructions, and loops that all threads execute equally often by construction.
 */
#ifndef COMPILER_PRIORITY_RULES_H
#define COMPILER_PRIORITY_RULES_H

#include "compiler/source/syntax.h"

#define PRIORITY_SMALL_ASSIGNMENTS 2 /* assignments in each branch of a small `if` */
#define PRIORITY_SMALL_OPERATORS   4 /* operators in each branch, without the assignments */

bool priority_leaves_alone(const struct syntax *s, CXCursor conditional);

#endif

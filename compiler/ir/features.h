/*
 * features: facts about a kernel for mode auto, from its optimised SIMT code (abi/kernel_features.h).
 */
#ifndef COMPILER_FEATURES_H
#define COMPILER_FEATURES_H

#include "compiler/ir/module.h"

#include <jansson.h>

/* Returns the number of calls of mathematical functions that the library computes in many instructions (exp,
 * log, pow, sin and similar) in a kernel and its callees. To be called before linking with the library. */
unsigned features_calls(const struct module *m, const char *kernel);

/* Returns the rows of a kernel's note, from its optimised entry. `calls`: features_calls() of the kernel;
 * `line_bytes`: line of the L1D. */
json_t *features_rows(const struct module *m, const char *entry, unsigned calls, unsigned line_bytes);

#endif

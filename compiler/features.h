/*
 * features: what mode auto knows of a kernel, from its optimised SIMT code (abi/kernel_features.h).
 */
#ifndef COMPILER_FEATURES_H
#define COMPILER_FEATURES_H

#include "compiler/module.h"

#include <jansson.h>

/* Calls of mathematical functions that the library computes in many instructions (exp, log, pow, sin and
 * their like) in a kernel and what it calls. To be called before linking with the library. */
unsigned features_calls(const struct module *m, const char *kernel);

/* The rows of a kernel, as its note has them, of its entry after optimisation. `calls`: features_calls() of
 * it; `line_bytes`: of the L1D. */
json_t *features_rows(const struct module *m, const char *entry, unsigned calls, unsigned line_bytes);

#endif

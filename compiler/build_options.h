/*
 * build_options: the options string of clBuildProgram (OpenCL 1.2, 5.6.4) as clang options. Words are
 * separated by blanks; double quotes keep blanks, a backslash keeps the next character. Single quotes are
 * characters like others: -DC='x' defines a character constant. What OpenCL does not define is refused.
 */
#ifndef COMPILER_BUILD_OPTIONS_H
#define COMPILER_BUILD_OPTIONS_H

#include "compiler/process.h"

#include <stdbool.h>

struct build_options {
    struct arguments clang; /* for every stage */
    bool optimise;          /* not -cl-opt-disable */
    bool quiet;             /* -w */
};

void build_options_read(struct build_options *o, const char *options);

#endif

/*
 * build_options: the options string of clBuildProgram (OpenCL 1.2, 5.6.4) as clang options. Words are
 * separated by blanks; quotes, double or single, keep blanks, a backslash keeps the next character. Single
 * quotes around one character stay where they are: -DC='x' defines a character constant; so does one that is
 * never closed. Every other option is refused: OpenCL does not define it, and no program is known to pass it.
 */
#ifndef COMPILER_BUILD_OPTIONS_H
#define COMPILER_BUILD_OPTIONS_H

#include "compiler/process.h"

#include <stdbool.h>

struct build_options {
    struct arguments clang; /* for every stage */
    bool optimise;          /* not -cl-opt-disable */
    bool quiet;             /* -w */
    struct text notes;      /* for the build log: what is accepted and does nothing */
};

void build_options_read(struct build_options *o, const char *options);

#endif

/*
 * planted: a test program of the build, linked with a copy of a source file that has a fault. It runs in a
 * folder that looks like that of the sources and the build.
 */
#ifndef TESTS_PLANTED_H
#define TESTS_PLANTED_H

#include "tests/spawn.h"

struct planted_fault {
    const char *file, *what;
    const char *text, *instead; /* `text` is in the file once; NULL: the file is as it is */
};

/* Of which test program, "test_rtl_drive"; once in a process. */
void planted_begin(const char *program);
void planted_end(void);

/* Builds the program with a file that has a fault, and runs it; all that it says is in `out`. */
struct spawned planted_run(const struct planted_fault *f);

#endif

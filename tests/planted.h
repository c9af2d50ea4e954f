/* planted: a test program of the build, linked with a modified copy of a source file. It runs in a folder
 * with the layout of the sources and the build. */
#ifndef TESTS_PLANTED_H
#define TESTS_PLANTED_H

#include "tests/spawn.h"

struct planted_fault {
    const char *file, *what;
    const char *text, *instead; /* `text` is in the file exactly once; NULL: the file is not changed */
};

/* Selects a test program such as "test_rtl_drive"; once in a process. */
void planted_begin(const char *program);
void planted_end(void);

/* Builds the program with a modified file and runs it. All its output is in `out`. */
struct spawned planted_run(const struct planted_fault *f);
/* The main function of a test of the faults. Runs test program `name` with each file as it is, which must
 * pass, then with each fault, with which it must fail. Prints the faults that are not found. */
int planted_main(const char *name, const struct planted_fault *faults, unsigned count);

#endif

/* exploring: common parts of tests of `lockstep explore`: a sweep of eight points, and the
 * resulting files. */
#ifndef TESTS_LOCKSTEP_EXPLORING_H
#define TESTS_LOCKSTEP_EXPLORING_H

#include "tests/fixture.h"

/* Writes sweep.yaml, 2 x 2 machines and two programs, and more lines of YAML. Returns its path, to be freed.
 * Each run of a program adds a line to the file `runs`, with the SSH connection, if there is one. */
char *explore_sweep(const char *more);

/* Counts the lines of a file of the test's folder. */
size_t explore_lines(const char *name);

void assert_same_file(const char *a, const char *b);
void assert_row(const char *name, const char *part);
/* Asserts that `lockstep explore` of the sweep has completed all points; frees *s. */
void assert_explored(struct spawned s);

void explore_nap(long milliseconds);
/* Returns the time of the monotonic clock in ms. */
long explore_milliseconds(void);

#endif

/* record: recorded values of the runs of a benchmark, or of a program of tests/hosts:
 * tests/golden/runs/PROGRAM.txt.
 *
 * The head has a line for each run, "NUMBER HOW: OPTIONS -- ARGUMENTS". HOW is
 *   run      `lockstep run`
 *   traced   the same, with recorded waves
 *   large    the same, but --exact-steps would take too long
 *   explain  `lockstep explain`
 * A line for each value follows: its name, at least two blanks, and the value in each run, in the order of
 * the head; "V*N" means V in N successive runs. A value that is 0 in all runs has no line, so that a new
 * counter adds a line and changes none.
 *
 * A name covers all counters (histograms, waves) whose scopes differ only in numbers, such as
 * `cluster*.lane*.l2 misses`. Its value is "SUM", or "SUM/CHECK" for several numbers: CHECK is 18 bits of a
 * hash of the numbers with their scopes. Each run has its own checks, so that any run can be compared alone
 * and a difference names its run. */
#ifndef TESTS_LOCKSTEP_RECORD_H
#define TESTS_LOCKSTEP_RECORD_H

#include "tests/fixture.h"

#define RECORD_FOLDER "tests/golden/runs"
#define RECORD_WAVES  "waves " /* prefix of names that only a traced run has */

struct record_run {
    enum record_how { RECORD_RUN, RECORD_TRACED, RECORD_LARGE, RECORD_EXPLAIN } how;
    char *options;   /* options of the command, separated by blanks */
    char *arguments; /* arguments of the program */
};

struct record {
    char *program; /* program of benchmarks/ or tests/hosts/ */
    struct record_run *run;
    unsigned runs;
    json_t *values; /* object of names: array of a string for each run */
};

/* Calls `visit` with each record in the folder, in the order of their names, and frees it. */
void record_visit_all(void (*visit)(void *context, struct record *r), void *context);

void record_write(const struct record *r);

/* Returns the value of a name in a run (numbered from 0); "0" if it has no line. */
const char *record_value(const struct record *r, const char *name, unsigned run);

/* Returns the recorded values of a run: a JSON object with a string for each name. */
void record_set(struct record *r, unsigned run, const json_t *found);

/* Prints the first values of a run that differ from the record; `how` describes the run. Waves are compared
 * if the run was traced. Returns whether all are equal. */
bool record_compare(const struct record *r, unsigned run, const char *how, bool traced, const json_t *found);

#endif
